/** How the sender of a system writes an act as an HL7 v2.5.1 ADT message. */
import type { Act } from './acts.ts';
import { inUse, type Registration } from './patients.ts';
import type { Facility, HealthSystem } from './system.ts';
import { hl7Time } from './time.ts';
import type { Visit } from './visits.ts';

/** Triggers whose EVN-6, if it is sent, is when the event happened. */
const HAPPENS = new Set(['A01', 'A02', 'A03', 'A04', 'A06', 'A07', 'A21', 'A22']);

/** Returns a segment from its fields by number. */
function segment(name: string, fields: Record<number, string>): string {
  const last = Math.max(0, ...Object.keys(fields).map(Number));
  const values = Array.from({ length: last }, (_, index) => fields[index + 1] ?? '');
  return [name, ...values].join('|').replace(/\|+$/, '');
}

const recordNumber = ({ number }: Registration, { authority }: Facility): string => `${number}^^^${authority}^MR`;

function patient(system: HealthSystem, act: Act): string {
  const registration = inUse(act.registration, act.at);
  const { person, isBare } = registration;
  const { visit, diedAt } = act;
  return segment('PID', {
    1: '1',
    3: recordNumber(registration, act.facility),
    5: `${registration.family}^${person.given}`,
    7: registration.birthDate?.replaceAll('-', '') ?? '',
    8: isBare ? '' : person.sex,
    11: isBare ? '' : `${person.street}^^Fairhaven^NY^${person.zip}`,
    18: visit && system.sender.visitKey === 'PID-18' ? visit.number : '',
    29: diedAt === undefined ? '' : hl7Time(diedAt),
    30: diedAt === undefined ? '' : 'Y',
  });
}

function visitSegment(system: HealthSystem, visit: Visit): string {
  const { facility, patientClass, unit, dischargedAt } = visit;
  const admittedAt = visit.writtenAdmission ?? visit.admittedAt;
  return segment('PV1', {
    1: '1',
    2: patientClass,
    3: `${unit}^12^A^${facility.code}`,
    19: system.sender.visitKey === 'PV1-19' ? visit.number : '',
    36: visit.disposition ?? '',
    44: admittedAt === null ? '' : hl7Time(admittedAt),
    45: dischargedAt === null ? '' : hl7Time(dischargedAt),
  });
}

/** Returns an act's message. Segments end in CR. */
export function writeMessage(system: HealthSystem, act: Act, controlId: string): string {
  const { trigger, facility, visit, prior } = act;
  const at = hl7Time(act.at);
  const { facilityInHeader, sendsOccurred } = system.sender;
  const from = facilityInHeader ? facility.code : 'SYSTEM';
  const segments = [
    `MSH|^~\\&|${system.name}|${from}|TIDINGS|TIDINGS|${at}20||ADT^${trigger}|${controlId}|P|2.5.1`,
    segment('EVN', {
      1: trigger,
      2: at,
      6: sendsOccurred && HAPPENS.has(trigger) ? at : '',
      7: facilityInHeader ? '' : facility.code,
    }),
    patient(system, act),
    ...(prior ? [segment('MRG', { 1: recordNumber(prior, facility) })] : []),
    ...(visit ? [visitSegment(system, visit)] : []),
    '',
  ];
  return segments.join('\r');
}
