/**
 * Payor Change: the first payer of a stay is another one. Eligibility checks write back and forth between two payers within minutes. That is one change, or
 * none: otherwise each of them would open the card of the stay again (docs/decisions/0133).
 */
import { HOUR } from '#contract/durations.ts';
import type { Payer } from '#server/intake/hl7/adt-facts.ts';
import { created, noNewEvent } from './outcomes.ts';
import type { TimelineEntry } from './timeline.ts';
import { addSource, emitEvent, isOpenStay, type VisitDraft, withdrawEvent } from './visit-draft.ts';
import { isOtherPayer } from './visit-state.ts';

/** *Ours*: who pays is seldom settled and settled again within the hour. */
const LONGEST_FLIP = HOUR;

/** Compares the first payer with that before the fact. Returns the fact's outcome; null if the payer is the same, or makes no event. */
export function notePayer(visit: VisitDraft, entry: TimelineEntry, before: Payer | undefined): string | null {
  const payer = visit.state.payers[0];
  if (!before || !payer || !isOpenStay(visit) || !isOtherPayer(before, payer)) return null;
  const last = visit.payerChange;
  const isFlip = last !== null && entry.orderedAt - last.event.orderedAt <= LONGEST_FLIP;
  if (isFlip && visit.events.includes(last.event) && !isOtherPayer(last.from, payer)) {
    withdrawEvent(visit, last.event, entry);
    return noNewEvent('the payer is the one before again');
  }
  if (isFlip && !visit.events.includes(last.event) && !isOtherPayer(last.to, payer)) {
    visit.events.push(last.event);
    for (const id of last.event.factIds) visit.outcomes.set(id, created('PAYOR_CHANGE'));
    addSource(last.event, entry);
    return noNewEvent('repeats a change of the payer');
  }
  const event = emitEvent(visit, entry, 'PAYOR_CHANGE');
  visit.payerChange = { event, from: before, to: payer };
  return created('PAYOR_CHANGE');
}
