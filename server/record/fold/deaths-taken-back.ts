/**
 * When a reported death turns out not to be one. A message that says PID-30 N takes nothing back, since old demographics are sent again for
 * weeks; it only puts the death in doubt. But a discharge that reported a death can be canceled (A13) or corrected to a live one, or its
 * disposition deleted, and then the messages that
 * repeated the death in the meantime count as little as the discharge itself.
 */
import { isDeathDisposition, isLiveDisposition } from '#contract/dispositions.ts';
import { DAY } from '#contract/durations.ts';
import type { EventCode } from '#contract/event-codes.ts';
import type { Cancellations } from './cancels.ts';
import { eventTime } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { byTimeWritten } from './folded-demographics.ts';
import type { FoldedEvent } from './folded-visit.ts';
import { isWrittenBefore, type TimelineEntry } from './timeline.ts';
import { addSource, type EventDraft, type VisitDraft } from './visit-draft.ts';
import { isOutpatient } from './visit-state.ts';
import { isSnapshot } from './visit-triggers.ts';

/** Returns the entries between a discharge that reported a death and its cancel that only repeat the death. */
export function repeatsOfCanceledDeath(
  timeline: readonly TimelineEntry[],
  { targets, canceledBy }: Cancellations,
): ReadonlySet<TimelineEntry> {
  const repeats = new Set<TimelineEntry>();
  for (const [cancel, canceled] of targets)
    for (const target of canceled) {
      if (!canceledBy.has(target) || !saysDead(target.fact)) continue;
      for (const entry of timeline) {
        if (entry.fact.adt.patient.deceased && isWrittenBefore(target, entry) && isWrittenBefore(entry, cancel))
          repeats.add(entry);
      }
    }
  return repeats;
}

/** Why a death is in doubt: its sender later said that the patient lives (PID-30 N), or took its word back (PID-30 ""). */
export type DeathDoubt = 'LIVING' | 'WITHDRAWN';

/**
 * Returns what puts a death in doubt, or null. `death`: its event. `facts`: all of one record number. `canceled`: the content hashes of those
 * that don't count.
 */
export const doubtAbout = (
  death: DeathEvent,
  facts: readonly Fact[],
  canceled: ReadonlySet<string>,
): DeathDoubt | null => deniedBy(facts, canceled) ?? (isShownAlive(death, facts, canceled) ? 'LIVING' : null);

/**
 * Returns the doubt if PID-30 reported the death of a patient, and the last message with PID-30 no longer does. Senders that report deaths by
 * PV1-36 alone write N into every message, so these deny nothing.
 */
export function deniedBy(facts: readonly Fact[], canceled: ReadonlySet<string>): DeathDoubt | null {
  const said = facts.filter(
    (fact) => !canceled.has(fact.adt.contentHash) && (fact.adt.patient.deceased !== undefined || saysDead(fact)),
  );
  const last = said.toSorted(byTimeWritten).at(-1);
  if (last === undefined || saysDead(last) || !said.some(({ adt }) => adt.patient.deceased === true)) return null;
  return last.adt.patient.deceased === null ? 'WITHDRAWN' : 'LIVING';
}

type DeathEvent = Pick<FoldedEvent, 'at' | 'reportedByLink'>;

/** Where the patient was. */
const PRESENCE = new Set('A01 A02 A04 A06 A07 A21 A22'.split(' '));
/** The body of someone who died is moved within hours, and the move may be reported by an A02 as well (ours). */
const LATER = 12 * 3_600_000;

/**
 * Whether a message that was written after the last report of the death says PID-30 N and where the patient was, half a day after the death or
 * later. If only an answer by link reported the death, any message of a stay without an end says so.
 */
function isShownAlive(death: DeathEvent, facts: readonly Fact[], canceled: ReadonlySet<string>): boolean {
  const from = Date.parse(death.at.instant) + (death.at.precision === 'day' ? DAY : LATER);
  const counted = facts.filter(({ adt }) => !canceled.has(adt.contentHash));
  const lastReport = counted.filter(saysDead).sort(byTimeWritten).at(-1);
  return counted.some((fact) => {
    if (fact.adt.patient.deceased !== false || (lastReport && byTimeWritten(lastReport, fact) > 0)) return false;
    const isThere = PRESENCE.has(fact.adt.trigger) || (death.reportedByLink !== undefined && isInBed(fact));
    const at = isThere ? eventTime(fact) : null;
    return at !== null && Date.parse(at.instant) >= from;
  });
}

function isInBed({ adt: { trigger, visit } }: Fact): boolean {
  if (!isSnapshot(trigger) || !visit?.setting || visit.dischargedAt || visit.disposition) return false;
  return !isOutpatient({ setting: visit.setting });
}

const saysDead = ({ adt }: Fact): boolean =>
  adt.patient.deceased === true || isDeathDisposition(adt.visit?.disposition);

/**
 * Makes the death that ended the stay a discharge again if a correction gives a live disposition or deletes that of the death, and either takes
 * PID-30 back or no message of the visit said Y.
 */
export function takeBackDeath(visit: VisitDraft, end: EventDraft, entry: TimelineEntry, code: EventCode): void {
  const { disposition } = entry.fact.adt.visit ?? {};
  const { deceased } = entry.fact.adt.patient;
  const isDeleted = disposition === null && isDeathDisposition(end.disposition);
  // A word that isn't known may mean a morgue.
  if (!(isDeleted || isLiveDisposition(disposition)) || deceased === true) return;
  if (!visit.state.deceased || (visit.death !== null && visit.death !== end)) return;
  if (deceased === undefined && visit.deathReports.length > 0) return;
  for (const content of visit.deathReports.splice(0)) visit.deathsTakenBack.add(content);
  Object.assign(visit.state, { deceased: false, deceasedAt: null });
  Object.assign(end, { code });
  visit.death = null;
  addSource(end, entry);
}
