/**
 * The order of a visit's facts. It follows from their content alone: event time, rank of the trigger, MSH-7, MSH-10, content hash.
 * Also, for cancels: which of two facts the sender wrote first (`precedence`).
 */
import { DAY } from '#contract/durations.ts';
import type { EventCode } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { isUndated } from '#server/intake/hl7/time-fields.ts';
import { arrivalMinutes, eventTime, isBelieved, minuteOf, reportedEnd } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { isCancel, STARTS } from './visit-triggers.ts';

/** A fact with its place in time. `at` is the time as the sender wrote it; the numbers are milliseconds, only for sorting. */
export interface TimelineEntry {
  fact: Fact;
  at: Moment;
  orderedAt: number;
  rank: number;
  /** EVN-2. */
  recorded: number | null;
  /** MSH-7. */
  sent: number | null;
  control: ControlOrder;
  /** When the message arrived, if its EVN-2 or MSH-7 lies in the future: the sender's clock is wrong. */
  receivedAt: number | null;
}

type ControlOrder = [prefix: string, digits: number, number: string];

const UPDATE_RANK = 4;
const CANCEL_RANK = 9;
const RANKS: Record<string, number> = {
  A05: 0,
  A14: 0,
  A04: 1,
  A01: 2,
  A06: 3,
  A07: 3,
  A02: 5,
  A21: 6,
  A22: 7,
  A03: 8,
};
const MANUAL_RANKS: Partial<Record<EventCode, number>> = {
  PRESENTED: 1,
  ADMIT: 2,
  VISIT: 2,
  STARTED_HHA_SERVICES: 2,
  TRANSFER: 5,
  MEDICAL_LEAVE_OF_ABSENCE: 6,
  RESUMED_SERVICES: 7,
  ENDED_SERVICES: 8,
  ENDED_HHA_SERVICES: 8,
  DISCHARGE: 8,
  DECEASED: 8,
};

function rankOf(fact: Fact): number {
  const { trigger } = fact.adt;
  if (fact.manualCode) return MANUAL_RANKS[fact.manualCode] ?? UPDATE_RANK;
  if (isCancel(trigger) || trigger === 'CLOSE') return CANCEL_RANK;
  return RANKS[trigger] ?? UPDATE_RANK;
}

/** Facts up to this rank begin or announce a visit. */
const LAST_START_RANK = 3;
const DISCHARGE_RANK = 8;
const millis = (moment: Moment | null): number | null => (moment ? Date.parse(moment.instant) : null);

/**
 * Places a time without seconds, or without a time of day, within its minute or day. EVN-2 or MSH-7 decide if they lie in the same
 * minute or day; otherwise what begins a visit goes to the start of the day, and everything else to its end.
 */
function orderWithinDay(fact: Fact, at: Moment, rank: number): number {
  const own = Date.parse(at.instant);
  if (at.precision === 'second' || (rank <= LAST_START_RANK && at.precision === 'day')) return own;
  if (!fact.manualCode) {
    for (const written of [fact.adt.recordedAt, fact.adt.sentAt]) {
      if (!written || written.precision === 'day' || written.precision === at.precision) continue;
      const within = at.precision === 'day' ? written.localDate === at.localDate : minuteOf(written) === minuteOf(at);
      if (within) return Date.parse(written.instant);
    }
  }
  return at.precision === 'day' ? own + DAY - 1 : own;
}

/** Returns the place in time, in milliseconds, of a beginning or an end that a fact dates with one of its fields. */
export const placeOf = (fact: Fact, at: Moment, what: 'start' | 'end'): number =>
  orderWithinDay(fact, at, what === 'end' ? DISCHARGE_RANK : LAST_START_RANK);

/** Control ids usually count up: 'A9' comes before 'A10'. */
function controlOrder(controlId: string): ControlOrder {
  let start = controlId.length;
  while (start > 0 && isDigit(controlId[start - 1])) start -= 1;
  const prefix = controlId.slice(0, start);
  while (controlId[start] === '0') start += 1;
  const number = controlId.slice(start);
  return [prefix, number.length, number];
}

const isDigit = (character = ''): boolean => character >= '0' && character <= '9';

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byControl = (a: ControlOrder, b: ControlOrder): number => byText(a[0], b[0]) || a[1] - b[1] || byText(a[2], b[2]);

/** Returns one fact per content: of a message that was sent twice, the copy with the smaller id. */
export function withoutRepeats(facts: readonly Fact[]): Fact[] {
  const byHash = new Map<string, Fact>();
  for (const fact of facts) {
    const key = `${fact.adt.contentHash}/${fact.manualCode ?? ''}`;
    const known = byHash.get(key);
    if (!known || byId(fact.id, known.id) < 0) byHash.set(key, fact);
  }
  return [...byHash.values()];
}

/** Ids are numbers in strings: '9' comes before '10'. */
export const byId = (a: string, b: string): number => a.length - b.length || byText(a, b);

/** Returns the facts of one visit in the order in which they happened, leaving out those without any readable time. */
export function timelineOf(facts: readonly Fact[]): TimelineEntry[] {
  const arrivals = arrivalMinutes(facts);
  const entries = facts.flatMap((fact) => {
    const at = eventTime(fact, arrivals);
    return at ? [timelineEntry(fact, at)] : [];
  });
  return correctReceiptTimes(entries).sort(compareEntries);
}

const isStart = ({ fact }: TimelineEntry): boolean => STARTS.has(fact.adt.trigger);

/**
 * Corrects times that were taken from the receipt because the sender's own lie in the future, or can't be read. Those entries keep the order
 * that their sender gave them; and since an arrival may have been received late, it is dated no later than the discharges written after it,
 * and without any time of its own no later than whatever follows an arrival.
 */
function correctReceiptTimes(entries: readonly TimelineEntry[]): TimelineEntry[] {
  if (entries.every(({ fact }) => fact.adt.disbelieved === undefined)) return [...entries];
  // In an order of their own: of two entries at the same place, an arrival takes the time of the first.
  const inOrder = entries.toSorted(compareEntries);
  const corrected = new Map(inOrder.map((entry) => [entry, entry]));
  let next: TimelineEntry | undefined;
  for (const entry of inOrder.filter(isDatedByReceipt).sort(byStatedTime).reverse()) {
    const moved = next === undefined ? entry : noLaterThan(entry, next);
    corrected.set(entry, moved);
    next = moved;
  }
  const discharges = [...corrected.values()].filter(({ fact }) => fact.adt.trigger === 'A03');
  const placed = [...corrected.values()].map((entry) =>
    isStart(entry) && entry.fact.adt.disbelieved !== undefined
      ? discharges.filter((discharge) => isWrittenAfter(discharge, entry)).reduce(noLaterThan, entry)
      : entry,
  );
  return beforeWhatFollows(placed);
}

/** Places arrivals without any readable time, the last kind first: an ED arrival comes before an admission. */
function beforeWhatFollows(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const placed = entries.filter((entry) => !isUndatedStart(entry));
  for (const entry of entries.filter(isUndatedStart).sort((a, b) => b.rank - a.rank || compareEntries(a, b))) {
    placed.push(placed.filter((other) => followsArrival(other) && other.rank > entry.rank).reduce(noLaterThan, entry));
  }
  return placed;
}

const isUndatedStart = (entry: TimelineEntry): boolean =>
  isStart(entry) && entry.fact.adt.disbelieved !== undefined && isUndated(entry.fact.adt);

/** Plain updates may concern a visit that is only planned. */
const followsArrival = ({ fact, rank }: TimelineEntry): boolean =>
  (rank !== UPDATE_RANK && rank !== CANCEL_RANK) || reportedEnd(fact) !== null;

const isWrittenAfter = (end: TimelineEntry, start: TimelineEntry): boolean =>
  [null, 'tied'].includes(precedence(end, start));
const noLaterThan = (entry: TimelineEntry, other: TimelineEntry): TimelineEntry =>
  entry.orderedAt <= other.orderedAt ? entry : { ...entry, at: other.at, orderedAt: other.orderedAt };

const isDatedByReceipt = ({ fact, at }: TimelineEntry): boolean => at === fact.adt.disbelieved?.receivedAt;
/** By the times that the sender stated, even if they aren't credible. */
const byStatedTime = (a: TimelineEntry, b: TimelineEntry): number =>
  (a.recorded ?? a.sent ?? 0) - (b.recorded ?? b.sent ?? 0) || (a.sent ?? 0) - (b.sent ?? 0) || compareEntries(a, b);

/** Returns a fact with what its place in the order depends on. */
export function timelineEntry(fact: Fact, at: Moment): TimelineEntry {
  const rank = rankOf(fact);
  return {
    fact,
    at,
    rank,
    orderedAt: orderWithinDay(fact, at, rank),
    recorded: millis(fact.adt.recordedAt),
    sent: millis(fact.adt.sentAt),
    control: controlOrder(fact.adt.controlId),
    receivedAt: isBelieved(fact, 'recorded') && isBelieved(fact, 'sent') ? null : millis(receiptOf(fact)),
  };
}

const receiptOf = ({ adt }: Fact): Moment | null => adt.disbelieved?.receivedAt ?? null;

/** Orders entries by event time, then by what the messages say, never by their arrival. */
export function compareEntries(a: TimelineEntry, b: TimelineEntry): number {
  return (
    a.orderedAt - b.orderedAt ||
    a.rank - b.rank ||
    (a.sent ?? 0) - (b.sent ?? 0) ||
    byControl(a.control, b.control) ||
    byText(a.fact.adt.contentHash, b.fact.adt.contentHash) ||
    byText(a.fact.manualCode ?? '', b.fact.manualCode ?? '')
  );
}

/**
 * 'time': earlier by EVN-2 or MSH-7. 'control': earlier only by MSH-10, for messages of the same second. 'disputed': sent earlier but
 * recorded later. 'tied': nothing decides. null: later.
 */
export type Precedence = 'time' | 'control' | 'disputed' | 'tied' | null;

/**
 * Returns whether the sender wrote `a` before `b`. An earlier EVN-2 or an earlier MSH-7 is enough: a message that is sent again keeps
 * its EVN-2, and a sender whose EVN-2 doesn't advance still has its MSH-7. If `b` was sent late, its EVN-2 contradicts its MSH-7.
 */
export function precedence(a: TimelineEntry, b: TimelineEntry): Precedence {
  const [x, y] = onComparableClocks(a, b);
  const recorded = x.recorded !== null && y.recorded !== null ? x.recorded - y.recorded : 0;
  const sent = x.sent !== null && y.sent !== null ? x.sent - y.sent : 0;
  if (recorded > 0 && sent < 0) return 'disputed';
  if (recorded < 0 || sent < 0) return 'time';
  if (recorded > 0 || sent > 0) return null;
  const order = byControl(a.control, b.control);
  return order < 0 ? 'control' : 'tied';
}

/** Whether the sender certainly wrote an entry before another, such as a cancel. */
export const isWrittenBefore = (a: TimelineEntry, b: TimelineEntry): boolean => {
  const order = precedence(a, b);
  return order === 'time' || order === 'control';
};

/** If only one of two clocks is known to be wrong, its times are replaced by the time of receipt. */
function onComparableClocks(a: TimelineEntry, b: TimelineEntry): [TimelineEntry, TimelineEntry] {
  if ((a.receivedAt === null) === (b.receivedAt === null)) return [a, b];
  const byReceipt = (entry: TimelineEntry): TimelineEntry =>
    entry.receivedAt === null ? entry : { ...entry, recorded: entry.receivedAt, sent: entry.receivedAt };
  return [byReceipt(a), byReceipt(b)];
}
