/** The three-day waivers of stays, and what a patient and an encounter say about them. */
import type { Encounter, Patient } from '#contract/patients.ts';
import type { WaiverCondition, WaiverRule, WaiverStatus } from '#contract/waiver-conditions.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Coverage, mayBeMedicare } from '#server/record/rules/medicare.ts';
import type { RuleVisit } from '#server/record/rules/rule-visit.ts';
import { eligibilityOf, needsWaiver } from '#server/record/rules/waiver-eligibility.ts';

import type { ListingRow } from './queries.ts';

/** A status that the waiver of a stay has or had. */
export interface WaiverRow {
  encounterId: string;
  status: WaiverStatus;
  rule: WaiverRule;
  confirmed: WaiverCondition[];
  /** Who set it: users of the actor's groups by name, others by their group. */
  username: string;
  date: string;
}

/** Returns the statuses of these stays' waivers, newest first. The stays must come from a condition of `policy.ts` or from `resolvePatient`. */
export async function waiversOf(tx: ActorTransaction, encounterIds: string[]): Promise<WaiverRow[]> {
  if (encounterIds.length === 0) return [];
  const { rows } = await tx.query<WaiverRow>(sql`
    select w.encounter_id as "encounterId", w.status, w.rule, w.confirmed, w.changed_at as date,
      case when w.group_id = any (${tx.groupIds}::bigint[]) then name_of_user(w.changed_by) else g.name end as username
    from three_day_waivers w join groups g on g.id = w.group_id
    where w.encounter_id = any (${encounterIds}::bigint[])
    order by w.id desc`);
  return rows;
}

export interface WaiverContext {
  /** All of the person's visits that the reader may see. */
  visits: readonly RuleVisit[];
  /** Of the facility. */
  timeZone: string;
  until: Date;
}

/** What a person's lists and death say about whether a waiver matters. */
export interface WaiverCoverage {
  listings: readonly Pick<ListingRow, 'insurance' | 'dateOfBirth'>[];
  hasDied: boolean;
}

export function waiverFields(
  stay: RuleVisit | undefined,
  waiver: WaiverRow | undefined,
  {
    visits,
    timeZone,
    until,
    payers,
    coverage,
  }: WaiverContext & { payers: Coverage['payers']; coverage: WaiverCoverage },
): Pick<Encounter, 'threeDayWaiverStatus' | 'is3dWaiverEncounter'> {
  const mayMatter = () => {
    const { listings, hasDied } = coverage;
    const insurance = listings.flatMap((listing) => listing.insurance);
    const birthDate = listings.find(({ dateOfBirth }) => dateOfBirth)?.dateOfBirth ?? null;
    return !hasDied && mayBeMedicare({ payers, insurance, birthDate }, localDateOf(until.getTime(), timeZone));
  };
  return {
    threeDayWaiverStatus: waiver?.status ?? 'NA',
    is3dWaiverEncounter:
      stay !== undefined && mayMatter() && needsWaiver({ stay, visits, timeZone, now: until.getTime() }),
  };
}

/** Returns whether the stay may have a waiver, under the rule that was chosen last; null if unknown, or if it is no stay at a skilled nursing facility. */
export function isWaiverEligible(
  encounter: Encounter | null,
  waiver: WaiverRow | undefined,
  { visits, until }: Omit<WaiverContext, 'timeZone'>,
): Patient['is3dWaiverEligible'] {
  const stay = visits.find(({ id }) => id === encounter?.id);
  if (stay?.setting !== 'SNF' || !encounter) return null;
  const { timeZone } = encounter.admittingFacility;
  const confirmed = new Set(waiver?.confirmed);
  const rule = waiver?.rule ?? 'MSSP';
  const nameOf = () => '';
  const { answer } = eligibilityOf({ stay, visits, nameOf, timeZone, now: until.getTime(), rule, confirmed });
  return answer === 'unknown' ? null : answer === 'eligible';
}
