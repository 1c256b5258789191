/** The documents that the region's facilities send after a stay: C-CDA, PDF, RTF and text, in MDM messages of their feeds. */
import { stateOf } from './acts.ts';
import { type Chapter, registrationIn } from './chapter.ts';
import { chartOf } from './chart.ts';
import { writeClinicalDocument } from './clinical-document.ts';
import { DAY, hl7Time, MINUTE } from './clock.ts';
import { formPdf } from './form-pdf.ts';
import { personSegment } from './hl7-pid.ts';
import { components, segment } from './hl7-segments.ts';
import { feedOf } from './hl7-writer.ts';
import { makeRandom } from './random.ts';
import type { Region, WorldFeed } from './region-types.ts';
import type { Registration } from './registration.ts';
import { TREATMENT_FACILITY } from './treatment.ts';
import type { Step, Visit } from './visit.ts';

/** A document as sent. `at`: milliseconds since 1970. */
export interface DocumentMessage {
  at: number;
  bytes: Buffer;
  visit: string;
}

interface Sent {
  content: Buffer;
  /** TXA-2: code and text. */
  type: [code: string, text: string];
  subtype: string;
}

/** How far back documents go: with a year of them, the demo would take much longer to start. */
const PERIOD = 100 * DAY;
const SETTINGS = new Set(['INPATIENT', 'OBSERVATION', 'SNF', 'EMERGENCY']);
/** Not every visit to an emergency department is written up in a document. */
const EMERGENCY_CHANCE = 0.3;

/** Returns the documents about visits that ended before `to`, in the order in which they are sent. */
export function documentMessages(
  { region, seed, to }: { region: Region; seed: string; to: number },
  chapters: readonly Chapter[],
): DocumentMessage[] {
  const messages = chapters.flatMap((chapter) =>
    chapter.visits.flatMap((visit) => {
      const state = stateOf(visit);
      const end = state.dischargedAt;
      if (visit.isManual || end === null || end < to - PERIOD || !SETTINGS.has(state.setting)) return [];
      const random = makeRandom(`${seed}/documents/${visit.id}`);
      if (state.setting === 'EMERGENCY' && !random.chance(EMERGENCY_CHANCE)) return [];
      const at = end + random.int(20, 240) * MINUTE;
      if (at >= to) return [];
      const patient = registrationIn(seed, chapter, state.person, visit.facility);
      return documentsOf(region, seed, visit, patient, at).map((sent, index) => ({
        at: at + index * MINUTE,
        visit: visit.id,
        bytes: messageOf(region.feeds, visit, patient, {
          ...sent,
          at: at + index * MINUTE,
          number: `${state.visitNumber}-D${index + 1}`,
        }),
      }));
    }),
  );
  return messages.sort((a, b) => a.at - b.at);
}

function documentsOf({ groups }: Region, seed: string, visit: Visit, patient: Registration, writtenAt: number): Sent[] {
  const state = stateOf(visit);
  const chart = chartOf(seed, visit, state, (patient.birthDate ?? '1970') < '2000');
  const name = groups.find(({ key }) => key === visit.facility)?.name ?? visit.facility;
  const isRestricted = visit.facility === TREATMENT_FACILITY;
  const clinical = (kind: 'summary' | 'discharge'): Buffer =>
    writeClinicalDocument({
      kind,
      number: `${state.visitNumber}-${kind}`,
      facility: name,
      zone: visit.zone,
      writtenAt,
      isRestricted,
      state,
      patient,
      chart,
    });
  const summary: Sent = { content: clinical('summary'), type: ['34133-9', 'Summary of care'], subtype: 'xml' };
  const discharge: [string, string] = ['18842-5', 'Discharge summary'];
  const lines = [`${name}: discharge summary`, chart.course, ...chart.instructions].map((line) =>
    line.replace(/[()]/g, ''),
  );
  switch (visit.facility) {
    case 'brendan':
      return makeRandom(`${seed}/form/${visit.id}`).chance(0.5)
        ? [{ content: formPdf(lines), type: discharge, subtype: 'pdf' }, summary]
        : [{ content: rtfOf(lines), type: discharge, subtype: 'rtf' }, summary];
    case 'oak-hollow':
      return [{ content: Buffer.from(lines.join('\n\n')), type: ['11506-3', 'Progress note'], subtype: 'text' }];
    default:
      return state.setting === 'EMERGENCY'
        ? [summary]
        : [summary, { content: clinical('discharge'), type: discharge, subtype: 'xml' }];
  }
}

const rtfOf = (lines: readonly string[]): Buffer =>
  Buffer.from(
    `{\\rtf1\\ansi{\\fonttbl{\\f0 Helvetica;}}\\f0 {\\b ${lines[0] ?? ''}}\\par ${lines.slice(1).join('\\par ')}\\par}`,
    'latin1',
  );

function messageOf(
  feeds: readonly WorldFeed[],
  visit: Visit,
  patient: Registration,
  { content, type, subtype, at, number }: Sent & { at: number; number: string },
): Buffer {
  const { feed, identifier: facility } = feedOf(feeds, visit.facility);
  const state = stateOf(visit);
  const time = (instant: number) =>
    hl7Time(instant, feed.timeZone, { seconds: false, offset: feed.dialect.sendsOffset });
  const step: Pick<Step, 'deletes' | 'state'> = { deletes: [], state };
  const segments = [
    [
      'MSH',
      '^~\\&',
      feed.sendingApplication,
      facility,
      'TIDINGS',
      'ALDERBAY',
      time(at),
      '',
      components('MDM', 'T02'),
      number,
      'P',
      feed.dialect.version,
      '',
      '',
      '',
      '',
      '',
      feed.dialect.characterSet,
    ].join('|'),
    segment('EVN', { 1: 'T02', 2: time(at) }),
    personSegment(feed, facility, step as Step, patient, time),
    segment('PV1', {
      1: '1',
      2: 'I',
      3: components(state.location.unit, '', '', facility),
      19: feed.dialect.visitKey === 'PV1-19' ? state.visitNumber : '',
      44: time(state.admittedAt),
    }),
    segment('TXA', {
      1: '1',
      2: components(...type),
      3: 'TX',
      4: time(at),
      12: number,
      17: 'LA',
      18: visit.facility === TREATMENT_FACILITY ? 'R' : '',
    }),
    segment('OBX', {
      1: '1',
      2: 'ED',
      3: components(...type),
      5: components('', 'application', subtype, 'Base64', content.toString('base64')),
      11: 'F',
    }),
  ];
  return Buffer.from(`${segments.join('\r')}\r`, feed.dialect.characterSet === '8859/1' ? 'latin1' : 'utf8');
}
