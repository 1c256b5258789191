/**
 * When a reported death turns out not to be one. A message that says PID-30 N takes nothing back, since old demographics are sent again for
 * weeks; it only puts the death in doubt. But a discharge that reported a death can be canceled (A13) or corrected to a live one, and then the messages that
 * repeated the death in the meantime count as little as the discharge itself.
 */
import { isDeathDisposition, isLiveDisposition } from '#contract/dispositions.ts';
import type { EventCode } from '#contract/event-codes.ts';
import { type Cancellations, isBefore } from './cancels.ts';
import type { Fact } from './fold-input.ts';
import { byTimeWritten } from './folded-demographics.ts';
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

/**
 * Whether PID-30 reported the death of a patient, and the last message with PID-30 no longer does. Senders that report deaths by PV1-36 alone
 * write N into every message, so these deny nothing. `facts`: all of one record number. `canceled`: the content hashes of those that don't count.
 */
export function isDeathDenied(facts: readonly Fact[], canceled: ReadonlySet<string>): boolean {
  if (!facts.some(({ adt }) => adt.patient.deceased === true)) return false;
  const said = facts.filter(
    ({ adt }) =>
      !canceled.has(adt.contentHash) &&
      (adt.patient.deceased !== undefined || isDeathDisposition(adt.visit?.disposition)),
  );
  const last = said.toSorted(byTimeWritten).at(-1);
  return (
    last !== undefined &&
    last.adt.patient.deceased !== true &&
    !isDeathDisposition(last.adt.visit?.disposition) &&
    said.some(({ adt }) => adt.patient.deceased === true)
  );
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
