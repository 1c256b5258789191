/** The stay that a link is about, as its facility knows it, and whether there is something to ask. */
import type { LinkPurpose } from '#contract/facility-link-words.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { EncounterRow } from '#server/record/encounters/queries.ts';
import type { Demographics } from '#server/record/fold/folded-demographics.ts';
import { ADMITTED_HERE, isOutpatient } from '#server/record/fold/visit-state.ts';

/** A stay with what the facility itself has reported about the patient. */
export interface Stay {
  encounterId: string;
  personId: string;
  state: EncounterRow['state'];
  /** Our job closed the ED visit, because no discharge came. */
  isAutoClosed: boolean;
  groupId: string;
  facilityName: string;
  timeZone: string;
  isPart2: boolean;
  recordNumber: string;
  demographics: Demographics;
}

const STAY = sql`
  e.id as "encounterId", e.person_id as "personId", e.state, g.id as "groupId", g.name as "facilityName", g.time_zone as "timeZone",
  g.is_part2_facility as "isPart2", s.record_number as "recordNumber", s.demographics,
  exists (select from events v
    where v.encounter_id = e.id and v.code = 'CLOSED' and v.state <> 'CANCELLED' and not v.is_manual) as "isAutoClosed"`;
const JOINED = sql`join source_patients s on s.id = e.source_patient_id join groups g on g.id = e.group_id`;

/** The fact by which a stay is found again, whatever merges and moves happen to it. */
export interface About {
  messageId: string;
  contentHash: string;
}

/** Returns a stay, with the fact by which a link names it; null if it has none. */
export async function stayById(tx: Queryable, encounterId: string): Promise<(Stay & { about: About }) | null> {
  const { rows } = await tx.query<Stay & { about: About }>(sql`
    select ${STAY}, json_build_object('messageId', f.message_id::text, 'contentHash', f.adt ->> 'contentHash') as about
    from encounters e ${JOINED} join lateral (
      select message_id, adt from facts where encounter_id = e.id and adt ->> 'trigger' <> 'LINK'
      order by adt ->> 'trigger' in ('A01', 'A04', 'A06', 'MANUAL') desc, id limit 1) f on true
    where e.id = ${encounterId}`);
  return rows[0] ?? null;
}

/** Returns the stay that a fact belongs to now; null if that is none. */
export async function stayAbout(tx: Queryable, { messageId, contentHash }: About): Promise<Stay | null> {
  const { rows } = await tx.query<Stay>(sql`
    select ${STAY} from facts f join encounters e on e.id = f.encounter_id ${JOINED}
    where f.message_id = ${messageId} and f.adt ->> 'contentHash' = ${contentHash}`);
  return rows[0] ?? null;
}

/** Condition on `facility_links l`: whoever made the link could still make it, for a group that lists the patient. For the pipeline role. */
export const IS_STILL_ASKED = sql`exists (
  select from roster_patients p join roster_patients lists on lists.person_id = p.person_id and lists.left_at is null
    join users u on u.id = l.created_by join grants n on n.user_id = u.id and n.team_id = l.team_id and n.group_id = lists.group_id
    join roles r on r.id = n.role_id
  where p.id = l.roster_patient_id and u.disabled_at is null
    and 'canManagePings' = any (r.permissions || n.added) and not 'canManagePings' = any (n.removed))`;

/** Condition on `facility_links l`: its answer is still to come. `now` is when it would. For the pipeline role. */
export const isInUse = (now: Date): Sql =>
  sql`(l.answered_at is null and l.revoked_at is null and l.locked_at is null and l.expires_at > ${now} and ${IS_STILL_ASKED})`;

/** What the user's groups have of a patient. `hasSummary`: the facility's system sent a discharge summary that the user may open. */
export interface AskedFor {
  hasSummary: boolean;
  isListed: boolean;
}

/** Returns why the facility cannot be asked, in words; null if it can. */
export function refusalOf(stay: Stay, purpose: LinkPurpose, { hasSummary, isListed }: AskedFor): string | null {
  const { state, facilityName } = stay;
  if (!isListed) return 'The patient is no longer on your lists.';
  // Not even the facility's own staff get a link: what its page shows would be disclosed by us (42 CFR 2.13).
  if (stay.isPart2) return `${facilityName} is under 42 CFR Part 2, so no link can be created for its stays.`;
  if (state.status === 'CANCELLED') return 'This visit was canceled.';
  if (state.status === 'PLANNED') return "The patient hasn't arrived yet.";
  const isSummary = purpose === 'UPLOAD_SUMMARY';
  if (isOutpatient(state))
    return isSummary
      ? 'An outpatient visit has no discharge summary.'
      : 'An outpatient visit has no discharge to confirm.';
  if (isSummary && hasSummary) return `${facilityName} has already sent a discharge summary.`;
  if (state.deceased && !isSummary) return 'The patient has died.';
  const isKnown = state.disposition !== null || state.dischargedTo !== null || state.transferredTo !== undefined;
  if (!isSummary && state.status === 'FINISHED' && (state.dischargedAt ? isKnown : !isEndUnknown(stay)))
    return `${facilityName} has already reported the discharge.`;
  if (!stay.demographics.birthDate || !stay.demographics.name)
    return `${facilityName} hasn't reported the patient's name and birth date, which the link asks for.`;
  return null;
}

const isEndUnknown = ({ isAutoClosed, state }: Stay): boolean => isAutoClosed && state.disposition !== ADMITTED_HERE;
