/** What a team knew and did about a discharge (docs/decisions/0068). Only the team's own work, and the statuses that it shares with other teams of a group. */
import type { ClockOutcome, DischargeEvidence } from '#contract/evidence.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { loadHistory } from '#server/record/pings/queries.ts';
import { clocksOf } from '#server/record/rules/discharge-clocks.ts';
import { isOwed } from '#server/record/rules/follow-up.ts';
import { hasHappened } from '#server/record/rules/rule-visit.ts';
import {
  type AskedPing,
  type ExplainedPing,
  loadExplanation,
  withAdministration,
} from '#server/work/explain/explain.ts';
import { contactedStatusOf, windowsOf } from '#server/work/follow-ups/follow-ups.ts';
import { reasonPingOf } from '#server/work/patients/ping-reason.ts';
import { attemptsSince, dateOfDeath } from './queries.ts';

/** Returns the evidence about a discharge. Errors: NOT_FOUND if the ping is about anything else, or about another person's visit by now. */
export async function dischargeEvidence(
  db: Database,
  actor: Actor,
  asked: AskedPing,
  now: Date,
): Promise<DischargeEvidence> {
  const { made, work } = await asActor(
    db,
    actor,
    'canViewPings',
    async (tx) => {
      const explained = await loadExplanation(tx, asked, now);
      return { made: explained, work: await workOf(tx, explained) };
    },
    { readOnly: true },
  );
  return { ...(await withAdministration(db, actor, made)), ...work };
}

/** Someone was reached, or no contact is asked for. */
const CONTACTED = new Set<ClockOutcome>(['MET', 'LATE', 'NOT_STARTED']);

async function workOf(
  tx: ActorTransaction,
  { row, visit, loaded }: ExplainedPing,
): Promise<Pick<DischargeEvidence, 'clocks' | 'isOwed' | 'contactedStatus' | 'windows' | 'statuses' | 'attempts'>> {
  if (row.code !== 'DISCHARGE' || visit === null) throw new ApiError('NOT_FOUND');
  const { personId, timeZone, counted: visits, followUp } = loaded;
  const [windows, statuses, attempts] = await Promise.all([
    windowsOf(tx, row, loaded),
    loadHistory(tx, personId, row.eventId),
    attemptsSince(tx, personId, row.eventAt),
  ]);
  const context = { ...followUp, visits, timeZone };
  const discharge = reasonPingOf(row, loaded.facilities, loaded.visits);
  const clocks = clocksOf(discharge, context);
  const isContacted = clocks.some(({ rule, outcome }) => rule === 'TCM_CONTACT' && CONTACTED.has(outcome));
  const isEndedByDeath = clocks.some(({ because }) => because === 'DIED');
  const died = isEndedByDeath
    ? await dateOfDeath(
        tx,
        visits.filter(hasHappened).map(({ id }) => id),
      )
    : null;
  return {
    isOwed: isOwed(discharge, visits),
    contactedStatus: isContacted ? null : contactedStatusOf(row),
    clocks: clocks.map((clock) => (clock.because === 'DIED' ? { ...clock, date: died } : clock)),
    windows,
    statuses: statuses.toReversed(),
    attempts,
  };
}
