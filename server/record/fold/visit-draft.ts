/** The visit under construction: what the fold carries from fact to fact, and the events that it has emitted so far. */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { Location, Moment, Payer } from '#server/intake/hl7/adt-facts.ts';
import type { Cancellations } from './cancels.ts';
import { isBefore, isCoarse, minuteOf } from './event-time.ts';
import type { FoldFacility } from './fold-input.ts';
import type { FoldedEvent, VisitFlag } from './folded-visit.ts';
import { supersededOutcome } from './outcomes.ts';
import { placeOf, type TimelineEntry } from './timeline.ts';
import { arrivalCode, emptyState, isBeforeAdmission, payerName, type VisitState } from './visit-state.ts';

/** `orderedAt`: milliseconds, only for sorting. */
export type EventDraft = Omit<FoldedEvent, 'key'> & { orderedAt: number };

/** none: nothing has happened. single: an encounter of one event, over at once (an outpatient visit). */
export type Phase = 'none' | 'planned' | 'single' | 'open' | 'on-leave' | 'ended';

export interface AdmissionTime {
  /** Null: a registration without an event. */
  event: EventDraft | null;
  /** PV1-44; null while no message has said it. */
  reported: Moment | null;
  /** The message that reported the event has a time of its own, so that the first PV1-44 doesn't correct it. */
  hasOwnTime: boolean;
}

export interface VisitDraft {
  facility: FoldFacility;
  state: VisitState;
  phase: Phase;
  events: EventDraft[];
  /** The last event that began a stay, and the PV1-44 that came with it. */
  start: EventDraft | null;
  startAdmittedAt: Moment | null;
  /** The PV1-44 of an outpatient registration that became a stay: messages go on repeating it. */
  registeredAt: Moment | null;
  /** The message that reported it. */
  startedBy: TimelineEntry | null;
  /** The days on which an outpatient was registered under the number, in the order of the facts (`series.ts`). */
  contacts: Moment[];
  /** PV1-2 said R, a recurring patient. */
  isRecurring: boolean;
  /** The admission of an outpatient whom an update or a move reported in another class. */
  conversion: EventDraft | null;
  /** What PV1-44 dates (`admission-time.ts`). */
  admission: AdmissionTime;
  /** The events that began the current stay: the arrival in the ED, the admission. */
  arrivals: EventDraft[];
  /** The discharge before the current stay, if the visit number is used again for a patient who came back on a later day. */
  earlierEnd: Moment | null;
  /** The arrivals that began a further stay under the visit number, with the discharge before each (`separate-stays.ts`). */
  furtherStays: { arrival: TimelineEntry; earlierEnd: Moment }[];
  /** The PV1-44 of moves that are the time of the move (`admission-time.ts`). */
  movedAt: Moment[];
  /** The event that ended the stay. */
  end: EventDraft | null;
  /** The ED or observation account ended because the patient was admitted as an inpatient (disposition 09), which is no discharge. */
  isAdmittedHere: boolean;
  /** When the patient was admitted from this visit, but under another number (`admitted-under-another-number.ts`). */
  nextAdmission: Moment | null;
  /** The event with which a job closed an ED visit that had no discharge. */
  autoClose: EventDraft | null;
  death: EventDraft | null;
  /** False if the patient's death is an event of another visit (`death.ts`). */
  reportsDeath: boolean;
  /** The latest message about the patient came from another facility of the feed (`facility-transfer.ts`). */
  isElsewhere: boolean;
  /** When the patient arrived from another facility, if this facility had reported no admission before. */
  transferredInAt: Moment | null;
  flags: Set<VisitFlag>;
  canceledEnds: Cancellations['canceledEnds'];
  /** The content hashes of the facts that say PID-30 Y, and of those that don't count any more (`deaths-taken-back.ts`). */
  deathReports: string[];
  deathsTakenBack: Set<string>;
  /** Fact id → what became of it. */
  outcomes: Map<string, string>;
}

/** The part of the state that a fact may change, as it was before. */
export interface PreviousState {
  setting: Setting;
  location: Location | null;
  admittedAt: Moment | null;
  payer: Payer | undefined;
}

export const newVisitDraft = (
  facility: FoldFacility,
  reportsDeath: boolean,
  canceledEnds: Cancellations['canceledEnds'],
): VisitDraft => ({
  facility,
  state: emptyState(),
  phase: 'none',
  events: [],
  start: null,
  startAdmittedAt: null,
  registeredAt: null,
  startedBy: null,
  contacts: [],
  isRecurring: false,
  conversion: null,
  admission: { event: null, reported: null, hasOwnTime: false },
  arrivals: [],
  earlierEnd: null,
  furtherStays: [],
  movedAt: [],
  end: null,
  isAdmittedHere: false,
  nextAdmission: null,
  autoClose: null,
  death: null,
  reportsDeath,
  isElsewhere: false,
  transferredInAt: null,
  flags: new Set(),
  canceledEnds,
  deathReports: [],
  deathsTakenBack: new Set(),
  outcomes: new Map(),
});

export const isOpenStay = ({ phase }: VisitDraft): boolean => phase === 'open' || phase === 'on-leave';

/** Forgets how the visit ended. */
export function clearEnd({ state }: VisitDraft): void {
  Object.assign(state, { dischargedAt: null, disposition: null, dischargedTo: null, transferredTo: undefined });
}

/** Adds an event with the visit's current state, and returns it. */
export function emitEvent(
  visit: VisitDraft,
  entry: TimelineEntry,
  code: EventCode,
  details: Partial<EventDraft> = {},
): EventDraft {
  const { state } = visit;
  const event: EventDraft = {
    code,
    at: entry.at,
    orderedAt: entry.orderedAt,
    setting: state.setting,
    priorSetting: null,
    pointOfCare: state.location?.pointOfCare ?? null,
    disposition: null,
    dischargedTo: null,
    admitSource: null,
    payer: payerName(state.payers[0]),
    inferred: false,
    isManual: entry.fact.manualCode !== undefined,
    factIds: [],
    ...details,
  };
  addSource(event, entry);
  visit.events.push(event);
  return event;
}

/** Records a fact as a source of the event. An event that a message confirms is no longer manual. */
export function addSource(event: EventDraft, { fact }: TimelineEntry): void {
  if (!event.factIds.includes(fact.id)) event.factIds.push(fact.id);
  if (fact.manualCode === undefined) event.isManual = false;
}

/** Returns the previous setting if it is known and differs from the current one, else null. */
export const priorSetting = (visit: VisitDraft, previous: PreviousState): Setting | null =>
  previous.setting === 'UNKNOWN' || previous.setting === visit.state.setting ? null : previous.setting;

/** Removes an event that a later message shows to be wrong. */
export function withdrawEvent(visit: VisitDraft, event: EventDraft, { fact }: TimelineEntry): void {
  visit.events.splice(visit.events.indexOf(event), 1);
  for (const id of event.factIds) visit.outcomes.set(id, supersededOutcome(fact.adt.trigger));
}

/** Undoes the automatic close of an ED visit: a later message shows that the patient was still there. */
export function undoAutoClose(visit: VisitDraft, entry: TimelineEntry): void {
  const { autoClose } = visit;
  if (!autoClose) return;
  withdrawEvent(visit, autoClose, entry);
  visit.autoClose = null;
  visit.phase = 'open';
}

/** Whether the start of the stay is only known from an update or a move: an arrival (A01, A06) that follows says better when it was. */
export const isStartProvisional = ({ start, conversion }: VisitDraft): boolean =>
  start !== null && (start.inferred || start === conversion);

/**
 * Emits the admission of an outpatient whom an update or a move reports in another class, and returns it; null if the class begins no stay, or
 * the outpatient visit was over. It is dated by that message, or by a PV1-44 that came with it, and not by that of the registration: nights as
 * an inpatient count from the formal admission (42 CFR 409.30).
 */
export function admitOutpatient(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): EventDraft | null {
  const { state, facility } = visit;
  const code = arrivalCode('A08', state.setting, facility);
  if (code !== 'ADMIT' || visit.start || state.dischargedAt) return null;
  const own = previous.admittedAt && state.admittedAt;
  const isOwn = own && isBefore(previous.admittedAt as Moment, own) && !isBefore(entry.at, own) && !isCoarse(own);
  const when = isOwn ? { at: own, orderedAt: placeOf(entry.fact, own, 'start') } : {};
  visit.start = emitEvent(visit, entry, code, { ...when, admitSource: state.admitSource });
  visit.conversion = visit.start;
  visit.registeredAt = isOwn ? previous.admittedAt : state.admittedAt;
  if (!isOwn) state.admittedAt = visit.start.at;
  visit.startAdmittedAt = entry.fact.adt.visit?.admittedAt ?? null;
  visit.startedBy = entry;
  if (isOwn) visit.admission = { event: visit.start, reported: own, hasOwnTime: false };
  visit.arrivals = [...visit.arrivals, visit.start];
  return visit.start;
}

/**
 * Emits the admission of a patient in the ED or under observation whom an update or a move reports as an inpatient, and returns it; null for
 * any other step. Senders without A06 report it so.
 */
export function admitFromEmergency(
  visit: VisitDraft,
  entry: TimelineEntry,
  previous: PreviousState,
): EventDraft | null {
  const { state } = visit;
  if (state.setting !== 'INPATIENT' || !isBeforeAdmission(previous.setting) || entry.fact.manualCode) return null;
  visit.start = emitEvent(visit, entry, 'ADMIT', {
    priorSetting: previous.setting,
    admitSource: state.admitSource,
  });
  visit.startAdmittedAt = entry.fact.adt.visit?.admittedAt ?? null;
  visit.startedBy = entry;
  visit.arrivals = [...visit.arrivals, visit.start];
  return visit.start;
}

/**
 * Emits the start of a stay that no message reported, if setting and PV1-44 are known, and returns it; null otherwise. Whether anyone
 * is notified of it is decided when pings are sent.
 */
export function inferStart(visit: VisitDraft, entry: TimelineEntry): EventDraft | null {
  const { state, facility } = visit;
  if (visit.start || visit.phase !== 'open' || !state.admittedAt) return null;
  const code = arrivalCode('A08', state.setting, facility);
  if (code === null || code === 'VISIT') return null;
  visit.start = emitEvent(visit, entry, code, {
    at: state.admittedAt,
    orderedAt: Date.parse(state.admittedAt.instant),
    admitSource: state.admitSource,
    inferred: true,
  });
  visit.startAdmittedAt = state.admittedAt;
  visit.startedBy = entry;
  visit.admission = { event: visit.start, reported: state.admittedAt, hasOwnTime: false };
  visit.arrivals = [visit.start];
  return visit.start;
}

/** Returns the events in the order in which they happened, with their keys. */
export function finishEvents(drafts: readonly EventDraft[]): FoldedEvent[] {
  const ordinals = new Map<string, number>();
  const inOrder = drafts.toSorted((a, b) => a.orderedAt - b.orderedAt);
  return inOrder.map(({ orderedAt: _, ...event }) => {
    const when = event.at.precision === 'day' ? event.at.localDate : minuteOf(event.at);
    const base = `${event.code}@${when}`;
    const ordinal = (ordinals.get(base) ?? 0) + 1;
    ordinals.set(base, ordinal);
    return { key: `${base}#${ordinal}`, ...event };
  });
}
