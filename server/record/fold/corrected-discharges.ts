/**
 * Discharges that correct another one to an earlier time. PV1-45 dates an A03, so the correction would be applied first, and undone by what it
 * corrects. Like an update, it is placed by when it was written.
 */
import { isWrittenBefore, type TimelineEntry } from './timeline.ts';
import { ADMITTED_HERE } from './visit-state.ts';
import { STARTS } from './visit-triggers.ts';

/**
 * Returns the entries with each A03 that was written after a later A03 of the same stay behind that, and behind what happened up to when it was written:
 * but before a new arrival, which ends what it is about. `entries`: in order of time, without those that a cancel retracted.
 */
export function withCorrectionsLast(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const discharges = entries.filter(isDischarge);
  if (discharges.length < 2) return entries;
  const order = [...entries];
  for (const entry of discharges.toSorted((a, b) => writtenAt(a) - writtenAt(b))) {
    const place = order.indexOf(entry);
    const stay = order.slice(place + 1, endOfStay(order, place + 1));
    const corrected = stay.findLastIndex((other) => isDischarge(other) && corrects(entry, other));
    if (corrected < 0) continue;
    const next = stay.findIndex(({ orderedAt }, index) => index > corrected && orderedAt > writtenAt(entry));
    order.splice(place, next < 0 ? stay.length + 1 : next + 1, ...stay.slice(0, next < 0 ? undefined : next), entry);
  }
  return order;
}

const isDischarge = ({ fact: { adt, elsewhere } }: TimelineEntry): boolean =>
  adt.trigger === 'A03' && !elsewhere && adt.visit?.disposition !== ADMITTED_HERE;

/** When the sender wrote the message, in milliseconds. */
const writtenAt = ({ recorded, sent, orderedAt }: TimelineEntry): number => recorded ?? sent ?? orderedAt;

/** The index of the first arrival from a place on, or the length. */
function endOfStay(order: readonly TimelineEntry[], from: number): number {
  const index = order.findIndex(({ fact }, place) => place >= from && STARTS.has(fact.adt.trigger));
  return index < 0 ? order.length : index;
}

/** The account of the ED may be discharged long after the inpatient: it is another class, and corrects nothing. */
function corrects(entry: TimelineEntry, other: TimelineEntry): boolean {
  const [own, known] = [entry, other].map(({ fact }) => fact.adt.visit?.setting);
  return (own === undefined || known === undefined || own === known) && isWrittenBefore(other, entry);
}
