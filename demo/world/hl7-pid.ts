import { components, segment } from './hl7-segments.ts';
import type { WorldFeed } from './region-types.ts';
import type { Registration } from './registration.ts';
import type { Step } from './visit.ts';

function identifiers(facility: string, recordNumber: string, medicareId: string | null, version: string): string {
  const own =
    version === '2.3' ? components(recordNumber, '', '', facility) : components(recordNumber, '', '', facility, 'MR');
  return medicareId ? `${own}~${components(medicareId, '', '', 'CMS', 'MC')}` : own;
}

function telephone(version: string, phone: string | null, email: string | null): string {
  if (!phone) return email && version === '2.5.1' ? components('', 'NET', 'Internet', email) : '';
  if (version !== '2.5.1') return phone.replace(' ', '');
  const [, area = '', exchange = '', line = ''] = /^\((\d{3})\) (\d{3})-(\d{4})$/.exec(phone) ?? [];
  const number = components(phone.replace(' ', ''), 'PRN', 'PH', '', '1', area, exchange + line);
  return email ? `${number}~${components('', 'NET', 'Internet', email)}` : number;
}

/**
 * Returns the PID segment as the facility registered the person. The social security number has an area number that is never issued, so
 * only its last four digits are meaningful.
 */
export function personSegment(
  feed: WorldFeed,
  facility: string,
  step: Step,
  person: Registration,
  time: (instant: number) => string,
): string {
  const { version, upperCaseNames } = feed.dialect;
  const inCase = (text: string) => (upperCaseNames ? text.toUpperCase() : text);
  const { address } = person;
  const { state } = step;
  return segment('PID', {
    1: '1',
    3: identifiers(facility, state.recordNumber, person.medicareId, version),
    5: components(inCase(person.family), inCase(person.given), inCase(person.middle), person.suffix),
    7: person.birthDate?.replaceAll('-', '') ?? '',
    8: person.sex?.slice(0, 1) ?? '',
    11: address
      ? components(inCase(address.line1), address.line2, inCase(address.city), address.state, address.zip, 'USA')
      : '',
    13: step.deletes.includes('phone') ? '""' : telephone(version, person.phone, person.email),
    18: state.accountNumber,
    19: person.ssnLast4 ? `900-00-${person.ssnLast4}` : '',
    29: state.deceasedAt === null ? '' : time(state.deceasedAt),
    30: state.deceasedAt === null ? '' : 'Y',
  });
}
