/** Whether an event contradicts the person's death. */
import { isDeathDisposition, isLiveDisposition } from '#contract/dispositions.ts';
import type { EventCode } from '#contract/event-codes.ts';
import { isToCommunity } from './care-after.ts';
import { hasHappened, isDeathInDoubt, type RuleVisit, startOf } from './rule-visit.ts';

/** Events that only a living patient has. The others, such as PAYOR_CHANGE, also happen to the stay in which the patient died. */
const OF_THE_LIVING = new Set<EventCode>([
  'ADMIT',
  'PRESENTED',
  'VISIT',
  'TRANSFER',
  'MEDICAL_LEAVE_OF_ABSENCE',
  'RESUMED_SERVICES',
  'STARTED_HHA_SERVICES',
]);

/**
 * `event.at` and `diedAt` in milliseconds. `visit`: the event's, if the reader may see it. A visit that ended in death contradicts none:
 * someone may arrive after the time of death, or be moved.
 */
export function contradictsDeath(
  event: { code: EventCode; at: number },
  diedAt: number,
  visit: RuleVisit | undefined,
): boolean {
  if (event.code === 'DECEASED' || event.at <= diedAt || isDeathDisposition(visit?.disposition)) return false;
  const begun = visit ? startOf(visit) : null;
  return OF_THE_LIVING.has(event.code) || (begun !== null && begun > diedAt) || isLiveDischarge(event.code, visit);
}

/**
 * Whether the death is no fact to act on: its senders put it in doubt, or a stay that the reader may see began or ended alive after it. People
 * have to ask; until then clocks and outreach stay stopped. `diedAt` in milliseconds; null if no time is known.
 */
export const isDeathDoubtful = (visits: readonly RuleVisit[], diedAt: number | null): boolean =>
  isDeathInDoubt(visits) || (diedAt !== null && visits.some((visit) => hasHappened(visit) && outlives(visit, diedAt)));

/** Registrations of outpatients are also of samples that come in later. */
function outlives(visit: RuleVisit, diedAt: number): boolean {
  const from = startOf(visit);
  const { dischargedAt: to, setting } = visit;
  if (setting === 'OUTPATIENT') return false;
  return (
    (from !== null && contradictsDeath({ code: 'ADMIT', at: from }, diedAt, visit)) ||
    (to !== null && contradictsDeath({ code: 'DISCHARGE', at: to }, diedAt, visit))
  );
}

/**
 * Whether the patient left the stay alive: any live disposition of the stay that reported the death. Other facilities also end stays of
 * those who died elsewhere, such as the SNF that had sent the patient to the hospital, but send only the living home.
 */
function isLiveDischarge(code: EventCode, visit: RuleVisit | undefined): boolean {
  if (code !== 'DISCHARGE' || !visit || !isLiveDisposition(visit.disposition)) return false;
  return visit.diedAt !== null || isToCommunity(visit.disposition);
}
