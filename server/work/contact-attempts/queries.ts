import type { ContactAttempt, NewContactAttempt } from '#contract/contact-attempts.ts';
import { type ContactChannel, type ContactOutcome, MOST_ATTEMPTS_OF_PATIENT } from '#contract/contact-words.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Attempt } from '#server/record/rules/follow-up.ts';

/** Returns the team's attempts to reach a person, newest first. */
export async function attemptsOf(tx: ActorTransaction, personId: string): Promise<ContactAttempt[]> {
  const { rows } = await tx.query<ContactAttempt>(sql`
    select a.id, a.attempted_at as "attemptedAt", a.channel, a.outcome, a.note, a.display_name as by,
      a.user_id = ${tx.actor.userId} as "isOwn"
    from roster_patients r join contact_attempts a on a.roster_patient_id = r.id
    where r.person_id = ${personId} and ${mayReadListing(tx.groupIds)}
      and a.team_id = ${tx.actor.teamId} and a.removed_at is null
    order by a.attempted_at desc, a.id desc limit ${MOST_ATTEMPTS_OF_PATIENT}`);
  return rows;
}

/** When a team tried to reach a person, and with what outcome. */
export interface AttemptRow {
  personId: string;
  at: string;
  channel: ContactChannel;
  outcome: ContactOutcome;
}

/** Returns attempts as the rules see them, their days in this time zone. */
export function attemptsIn(timeZone: string, rows: readonly AttemptRow[]): Attempt[] {
  return rows.map(({ at, channel, outcome }) => {
    const time = Date.parse(at);
    return { at: time, day: localDateOf(time, timeZone), channel, outcome };
  });
}

/** Returns the team's attempts to reach any of these people. */
export async function attemptsOfPersons(tx: ActorTransaction, personIds: string[]): Promise<AttemptRow[]> {
  const { rows } = await tx.query<AttemptRow>(sql`
    select r.person_id as "personId", a.attempted_at as at, a.channel, a.outcome
    from roster_patients r join contact_attempts a on a.roster_patient_id = r.id
    where r.person_id = any (${personIds}::bigint[]) and ${mayReadListing(tx.groupIds)}
      and a.team_id = ${tx.actor.teamId} and a.removed_at is null`);
  return rows;
}

/** Adds an attempt to a listing of the patient, if the same was not just added. */
export async function addAttempt(
  tx: ActorTransaction,
  listingId: string,
  { attemptedAt, channel, outcome, note }: NewContactAttempt,
  now: Date,
): Promise<void> {
  const { teamId, userId, displayName } = tx.actor;
  await tx.query(sql`
    insert into contact_attempts
      (team_id, roster_patient_id, attempted_at, channel, outcome, note, user_id, display_name, created_at)
    values (${teamId}, ${listingId}, ${attemptedAt}, ${channel}, ${outcome}, ${note}, ${userId}, ${displayName}, ${now})
    on conflict do nothing`);
}

/** Marks an attempt to reach the person as removed. Returns false unless it is the actor's own, and not yet removed. */
export async function removeAttempt(
  tx: ActorTransaction,
  personId: string,
  attemptId: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update contact_attempts a set removed_at = ${now} from roster_patients r
    where a.id = ${attemptId} and a.user_id = ${tx.actor.userId} and a.team_id = ${tx.actor.teamId}
      and a.removed_at is null and r.id = a.roster_patient_id and r.person_id = ${personId} and ${mayReadListing(tx.groupIds)}`);
  return rowCount > 0;
}
