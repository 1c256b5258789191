/**
 * The order of a visit's facts, taken from content alone: event time, rank of the trigger, MSH-7, MSH-10, content hash
 * (domain rules 9.6). And, for cancels, which of two facts the sender wrote down first.
 */
import type { EventCode } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { arrivalMinutes, eventTime, isBelieved, minuteOf } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { isCancel } from './visit-triggers.ts';

/** A fact with its place in time. `at` is as the sender wrote it; the numbers are milliseconds and only order. */
export interface Dated {
  fact: Fact;
  at: Moment;
  orderedAt: number;
  rank: number;
  /** EVN-2 and MSH-7. */
  recorded: number | null;
  sent: number | null;
  control: ControlOrder;
  /** When it came, where its EVN-2 or MSH-7 lies in the future: the clock that wrote them is wrong. */
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

const BEGINS_RANK = 3;
const DAY = 86_400_000;
const millis = (moment: Moment | null): number | null => (moment ? Date.parse(moment.instant) : null);

/**
 * Where in its day or minute a coarse time belongs: where EVN-2 or MSH-7 lie in the same day or minute they say it; else
 * what begins a visit goes to the start of its day and everything else to the end.
 */
function orderOf(fact: Fact, at: Moment, rank: number): number {
  const own = Date.parse(at.instant);
  const begins = rank <= BEGINS_RANK;
  if (at.precision === 'second' || (begins && at.precision === 'day')) return own;
  if (!fact.manualCode) {
    for (const written of [fact.adt.recordedAt, fact.adt.sentAt]) {
      if (!written || written.precision === 'day' || written.precision === at.precision) continue;
      const within = at.precision === 'day' ? written.localDate === at.localDate : minuteOf(written) === minuteOf(at);
      if (within) return Date.parse(written.instant);
    }
  }
  return at.precision === 'day' ? own + DAY - 1 : own;
}

/** Control ids mostly count upwards: 'A9' comes before 'A10'. */
function controlOrder(controlId: string): ControlOrder {
  const [, prefix = '', number = ''] = /^(.*?)0*(\d*)$/s.exec(controlId) ?? [];
  return [prefix, number.length, number];
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byControl = (a: ControlOrder, b: ControlOrder): number => byText(a[0], b[0]) || a[1] - b[1] || byText(a[2], b[2]);

/** One of each content: a message that came twice is one fact. The one with the smaller id stands for all. */
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

/** Facts of one visit in the order in which they happened. Those without any readable time are left out. */
export function timelineOf(facts: readonly Fact[]): Dated[] {
  const arrivals = arrivalMinutes(facts);
  const dated = facts.flatMap((fact) => {
    const at = eventTime(fact, arrivals);
    return at ? [dateFact(fact, at)] : [];
  });
  return withinReason(dated).sort(compareDated);
}

const STARTS = new Set(['A01', 'A04', 'A06']);
const isStart = ({ fact }: Dated): boolean => STARTS.has(fact.adt.trigger);

/**
 * What is dated by its receipt keeps the order that its sender gave it. And where the time of an arrival was not believed, what is
 * taken instead may be late: it is no later than the discharges that were written after it.
 */
function withinReason(dated: readonly Dated[]): Dated[] {
  if (dated.every(({ fact }) => fact.adt.disbelieved === undefined)) return [...dated];
  const inTime = new Map(dated.map((d) => [d, d]));
  let next: Dated | undefined;
  for (const d of dated.filter(isDatedByReceipt).sort(byClaim).reverse()) {
    const moved = next === undefined ? d : noLaterThan(d, next);
    inTime.set(d, moved);
    next = moved;
  }
  const ends = [...inTime.values()].filter(({ fact }) => fact.adt.trigger === 'A03');
  return [...inTime.values()].map((d) =>
    isStart(d) && d.fact.adt.disbelieved !== undefined
      ? ends.filter((end) => isWrittenAfter(end, d)).reduce(noLaterThan, d)
      : d,
  );
}

const isWrittenAfter = (end: Dated, start: Dated): boolean => [null, 'tied'].includes(precedence(end, start));
const noLaterThan = (d: Dated, other: Dated): Dated =>
  d.orderedAt <= other.orderedAt ? d : { ...d, at: other.at, orderedAt: other.orderedAt };

const isDatedByReceipt = ({ fact, at }: Dated): boolean => at === fact.adt.disbelieved?.receivedAt;
const byClaim = (a: Dated, b: Dated): number =>
  (a.recorded ?? a.sent ?? 0) - (b.recorded ?? b.sent ?? 0) || (a.sent ?? 0) - (b.sent ?? 0) || compareDated(a, b);

export function dateFact(fact: Fact, at: Moment): Dated {
  const rank = rankOf(fact);
  return {
    fact,
    at,
    rank,
    orderedAt: orderOf(fact, at, rank),
    recorded: millis(fact.adt.recordedAt),
    sent: millis(fact.adt.sentAt),
    control: controlOrder(fact.adt.controlId),
    receivedAt: isBelieved(fact, 'recorded') && isBelieved(fact, 'sent') ? null : millis(receiptOf(fact)),
  };
}

const receiptOf = ({ adt }: Fact): Moment | null => adt.disbelieved?.receivedAt ?? null;

export function compareDated(a: Dated, b: Dated): number {
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
 * 'time': by EVN-2 or MSH-7; 'control': only by MSH-10, for messages of one second; 'disputed': sent before, but recorded after;
 * 'tied': nothing tells; null: after.
 */
export type Precedence = 'time' | 'control' | 'disputed' | 'tied' | null;

/**
 * Did the sender write `a` down before `b`? A message that is sent again keeps its EVN-2, and a sender whose EVN-2 stands
 * still has its MSH-7: either one earlier is enough. Where `b` is the one that is sent late, EVN-2 speaks against it.
 */
export function precedence(a: Dated, b: Dated): Precedence {
  const [x, y] = comparable(a, b);
  const recorded = x.recorded !== null && y.recorded !== null ? x.recorded - y.recorded : 0;
  const sent = x.sent !== null && y.sent !== null ? x.sent - y.sent : 0;
  if (recorded > 0 && sent < 0) return 'disputed';
  if (recorded < 0 || sent < 0) return 'time';
  if (recorded > 0 || sent > 0) return null;
  const order = byControl(a.control, b.control);
  return order < 0 ? 'control' : 'tied';
}

/** Of two clocks of which only one is known to be wrong, that one counts for nothing. */
function comparable(a: Dated, b: Dated): [Dated, Dated] {
  if ((a.receivedAt === null) === (b.receivedAt === null)) return [a, b];
  const byReceipt = (d: Dated): Dated =>
    d.receivedAt === null ? d : { ...d, recorded: d.receivedAt, sent: d.receivedAt };
  return [byReceipt(a), byReceipt(b)];
}
