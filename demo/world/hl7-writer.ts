import type { Setting } from '#contract/event-codes.ts';
import { DAY, hl7Time, localDate } from './clock.ts';
import type { Delivery } from './delivery.ts';
import { personSegment } from './hl7-pid.ts';
import { components, escapeText, segment, withoutEmptyEnd } from './hl7-segments.ts';
import { PROVIDER_NAMES } from './names.ts';
import type { WorldFeed } from './region-types.ts';
import type { Registration } from './registration.ts';
import { npi } from './rosters.ts';
import type { Step, Visit } from './visit.ts';

/** MSH-9.3: the message structure of each trigger (HL7 v2.5.1, table 0354). */
const STRUCTURES: Record<string, string> = {
  A01: 'ADT_A01',
  A02: 'ADT_A02',
  A03: 'ADT_A03',
  A04: 'ADT_A01',
  A06: 'ADT_A06',
  A07: 'ADT_A06',
  A08: 'ADT_A01',
  A11: 'ADT_A09',
  A12: 'ADT_A09',
  A13: 'ADT_A01',
  A21: 'ADT_A21',
  A22: 'ADT_A21',
  A40: 'ADT_A39',
  A42: 'ADT_A39',
  A44: 'ADT_A43',
  A50: 'ADT_A50',
  A52: 'ADT_A52',
};

const CLASSES: Partial<Record<Setting, string>> = {
  EMERGENCY: 'E',
  INPATIENT: 'I',
  OUTPATIENT: 'O',
  SNF: 'I',
  HHA: 'R',
  URGENT_CARE: 'O',
};

/** Triggers whose messages have no visit (PV1). */
const WITHOUT_VISIT = new Set(['A40', 'A44']);
/** Triggers for which some senders repeat the time of the admission in EVN-6. */
const MAY_BE_STALE = new Set(['A02', 'A03', 'A08']);

interface MessageDraft {
  feed: WorldFeed;
  visit: Visit;
  step: Step;
  /** MSH-4 and PV1-3.4 */
  facility: string;
  time: (instant: number) => string;
}

function header({ feed, step, facility, time }: MessageDraft, delivery: Delivery): string {
  const { version, characterSet } = feed.dialect;
  const type =
    version === '2.5.1'
      ? components('ADT', step.trigger, STRUCTURES[step.trigger] ?? '')
      : components('ADT', step.trigger);
  const fields = [
    '^~\\&',
    feed.sendingApplication,
    facility,
    'TIDINGS',
    'ALDERBAY',
    time(delivery.writtenAt),
    '',
    type,
  ];
  const rest = [delivery.controlId, 'P', version, '', '', '', '', '', characterSet];
  return withoutEmptyEnd(['MSH', ...fields, ...rest]).join('|');
}

/** EVN-6, for senders that fill it, is when the step happened. Some repeat the time of the admission instead. */
function event({ feed, visit, step, time }: MessageDraft): string {
  const happened = step.trigger === 'A03' && step.state.dischargedAt !== null ? step.state.dischargedAt : step.at;
  const isStale = visit.hasStaleOccurred && MAY_BE_STALE.has(step.trigger);
  const occurred = isStale ? step.state.admittedAt : happened;
  return segment('EVN', { 1: step.trigger, 2: time(step.at), 6: feed.dialect.sendsOccurred ? time(occurred) : '' });
}

function visitSegment({ feed, step, facility, time }: MessageDraft): string {
  const { state } = step;
  const { dialect } = feed;
  const isObservation = state.setting === 'OBSERVATION';
  const observationClass = dialect.observation === 'class OBV' ? 'OBV' : 'O';
  const bed = (place: typeof state.priorLocation) =>
    place ? components(place.unit, place.room, place.bed, facility) : '';
  const doctor = PROVIDER_NAMES[state.attending] ?? PROVIDER_NAMES[0];
  const localDisposition = Object.entries(feed.dispositionMap).find(([, code]) => code === state.disposition)?.[0];
  const deleted = (field: (typeof step.deletes)[number]) => step.deletes.includes(field);
  return segment('PV1', {
    1: '1',
    2: isObservation ? observationClass : (CLASSES[state.setting] ?? 'U'),
    3: bed(state.location),
    4: state.admitSource === '2' ? '3' : '1',
    6: step.trigger === 'A02' || step.trigger === 'A12' ? bed(state.priorLocation) : '',
    7: components(npi(40_000_000 + state.attending), doctor[1], doctor[0]),
    10: state.setting === 'EMERGENCY' ? 'EMR' : 'MED',
    14: state.admitSource,
    18: isObservation && dialect.observation === 'PV1-18 OBS' ? 'OBS' : '',
    19: dialect.visitKey === 'PV1-19' ? state.visitNumber : '',
    36: deleted('disposition') ? '""' : escapeText(localDisposition ?? state.disposition ?? ''),
    44: time(state.admittedAt),
    45: deleted('dischargedAt') ? '""' : state.dischargedAt === null ? '' : time(state.dischargedAt),
  });
}

/** Returns PV2-9 or PV2-10, whichever the sender fills. */
function expectedStay({ feed, visit, step: { state } }: MessageDraft): Record<number, string> {
  if (state.expectedDischarge === null) return {};
  if (feed.dialect.expected === 'PV2-9') return { 9: state.expectedDischarge.replaceAll('-', '') };
  const admitted = Date.parse(localDate(state.admittedAt, visit.zone));
  return { 10: String((Date.parse(state.expectedDischarge) - admitted) / DAY) };
}

/** The diagnosis related group is known once the stay is coded: with the discharge of an inpatient, by the principal diagnosis. */
function drgOf({ step: { state } }: MessageDraft, index: number): string {
  const isCoded = index === 0 && state.setting === 'INPATIENT' && state.dischargedAt !== null;
  return isCoded ? (state.diagnoses[0]?.condition.drg ?? '') : '';
}

function clinicalSegments(draft: MessageDraft, registration: Registration): string[] {
  const { feed, step } = draft;
  const { state } = step;
  const reason = step.deletes.includes('reason') ? '""' : components('', state.reason);
  const diagnoses = state.diagnoses.map(({ condition, type }, index) =>
    segment('DG1', {
      1: String(index + 1),
      3: components(condition.code, condition.text, 'I10'),
      6: type,
      8: feed.dialect.version === '2.5.1' ? '' : drgOf(draft, index),
      15: index === 0 ? '1' : '2',
    }),
  );
  const { payer } = state;
  const memberId = payer.code === 'MCRA' ? (registration.medicareId ?? '') : registration.memberId;
  return [
    segment('PV2', { 3: reason, ...expectedStay(draft) }),
    ...diagnoses,
    ...(feed.dialect.version === '2.5.1' && drgOf(draft, 0) ? [segment('DRG', { 1: drgOf(draft, 0) })] : []),
    segment('IN1', {
      1: '1',
      2: components(payer.code, payer.plan),
      3: payer.code,
      4: escapeText(payer.company),
      15: payer.type,
      36: memberId,
    }),
  ];
}

function mergeSegment({ feed, step, facility }: MessageDraft): string[] {
  if (!step.merge) return [];
  const { recordNumber = '', accountNumber = '', visitNumber = '' } = step.merge;
  const type = feed.dialect.version === '2.5.1' ? 'MR' : '';
  const prior = recordNumber && components(recordNumber, '', '', facility, type);
  return [segment('MRG', { 1: prior, 3: accountNumber, 5: visitNumber })];
}

function localSegment(feed: WorldFeed, visit: Visit): string[] {
  if (feed.dialect.zSegment === 'ZPD') return [segment('ZPD', { 1: '1', 3: 'N', 7: components('MYALDER', 'ACTIVE') })];
  if (feed.dialect.zSegment === 'ZVN')
    return [segment('ZVN', { 1: visit.initial.accountNumber, 2: escapeText('R&D \\ local ^ text') })];
  return [];
}

/** The feed that carries a facility's messages. Throws for facilities without one. */
export function feedOf(feeds: readonly WorldFeed[], facility: string): { feed: WorldFeed; identifier: string } {
  for (const feed of feeds) {
    const identifier = Object.entries(feed.facilities).find(([, group]) => group === facility)?.[0];
    if (identifier) return { feed, identifier };
  }
  throw new Error(`No feed sends for ${facility}.`);
}

/**
 * Returns the bytes of a step's message in the facility's dialect: segments end in CR, in the character set that MSH-18 names.
 * `registration` is how the facility registered the person of the step.
 */
export function writeMessage(
  feeds: readonly WorldFeed[],
  visit: Visit,
  delivery: Delivery,
  registration: Registration,
): Buffer {
  const { feed, identifier: facility } = feedOf(feeds, visit.facility);
  const step = visit.steps[delivery.step] as Step;
  const form = { seconds: feed.dialect.sendsSeconds, offset: feed.dialect.sendsOffset };
  const draft: MessageDraft = { feed, visit, step, facility, time: (instant) => hl7Time(instant, feed.timeZone, form) };
  const segments = [
    header(draft, delivery),
    event(draft),
    personSegment(feed, facility, step, registration, draft.time),
    ...mergeSegment(draft),
    ...(WITHOUT_VISIT.has(step.trigger) ? [] : [visitSegment(draft), ...clinicalSegments(draft, registration)]),
    ...localSegment(feed, visit),
  ];
  return Buffer.from(`${segments.join('\r')}\r`, feed.dialect.characterSet === '8859/1' ? 'latin1' : 'utf8');
}
