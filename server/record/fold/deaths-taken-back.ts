/**
 * When a reported death turns out not to be one. A message that says PID-30 N takes nothing back, since old demographics are sent again for
 * weeks. But a discharge that reported a death can be canceled (A13) or corrected to a live one, and then the messages that
 * repeated the death in the meantime count as little as the discharge itself.
 */
import { isDeathDisposition, isLiveDisposition } from '#contract/dispositions.ts';
import type { EventCode } from '#contract/event-codes.ts';
import { type Cancellations, isBefore } from './cancels.ts';
import type { TimelineEntry } from './timeline.ts';
import { addSource, type EventDraft, type VisitDraft } from './visit-draft.ts';

/** Returns the entries between a discharge that reported a death and its cancel that only repeat the death. */
export function repeatsOfCanceledDeath(
  timeline: readonly TimelineEntry[],
  { targets, canceledBy }: Cancellations,
): ReadonlySet<TimelineEntry> {
  const repeats = new Set<TimelineEntry>();
  for (const [cancel, canceled] of targets)
    for (const target of canceled) {
      if (!canceledBy.has(target) || !reportsDeath(target)) continue;
      for (const entry of timeline) {
        if (entry.fact.adt.patient.deceased && isBefore(target, entry) && isBefore(entry, cancel)) repeats.add(entry);
      }
    }
  return repeats;
}

const reportsDeath = ({ fact: { adt } }: TimelineEntry): boolean =>
  adt.patient.deceased === true || isDeathDisposition(adt.visit?.disposition);

/**
 * Makes the death that ended the stay a discharge again if a correction gives a live disposition, and either says PID-30 N or no message of
 * the visit said Y.
 */
export function takeBackDeath(visit: VisitDraft, end: EventDraft, entry: TimelineEntry, code: EventCode): void {
  const { disposition } = entry.fact.adt.visit ?? {};
  const { deceased } = entry.fact.adt.patient;
  // A word that isn't known may mean a morgue.
  if (!isLiveDisposition(disposition) || deceased === true) return;
  if (!visit.state.deceased || (visit.death !== null && visit.death !== end)) return;
  if (deceased !== false && visit.deathReports.length > 0) return;
  for (const content of visit.deathReports.splice(0)) visit.deathsTakenBack.add(content);
  Object.assign(visit.state, { deceased: false, deceasedAt: null });
  Object.assign(end, { code });
  visit.death = null;
  addSource(end, entry);
}
