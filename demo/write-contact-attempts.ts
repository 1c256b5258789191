import type { ContactChannel, ContactOutcome } from '#contract/contact-words.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type DemoDirectory, idOf } from './directory.ts';

interface Attempt {
  /** Hours from the discharge. */
  hours: number;
  channel: ContactChannel;
  outcome: ContactOutcome;
  note: string;
}

const morningAfter: Attempt = { hours: 19, channel: 'CALL', outcome: 'NO_ANSWER', note: '' };
const leftWord: Attempt = {
  hours: 24,
  channel: 'CALL',
  outcome: 'LEFT_MESSAGE',
  note: 'Asked the daughter to call back.',
};
const reached: Attempt = {
  hours: 26,
  channel: 'CALL',
  outcome: 'REACHED',
  note: 'Has all medications. Visit with the clinic is booked.',
};

/** What was tried after discharges, by turns; nothing after many. */
const TURNS: readonly (readonly Attempt[])[] = [[], [morningAfter], [morningAfter, leftWord], [], [reached]];

/** Of ten discharges longer ago, so many were followed by a call that reached the patient the next day. */
const REACHED_OF_TEN = 7;

/** What was done over the year before, which the spotlights count. */
async function writeEarlierAttempts(db: Queryable, directory: DemoDirectory, now: Date): Promise<void> {
  await db.query(sql`
    insert into contact_attempts
      (team_id, roster_patient_id, attempted_at, channel, outcome, note, user_id, display_name, created_at)
    select ${idOf(directory.teams, 'aco-coordination')}, d.listing, d.at, ${reached.channel}, ${reached.outcome}, '', u.id,
      u.first_name || ' ' || u.last_name, d.at
    from (
      select min(r.id) as listing, e.discharged_at + make_interval(hours => ${reached.hours}) as at
      from encounters e join roster_patients r on r.person_id = e.person_id
      where r.group_id = ${idOf(directory.groups, 'lakeshore-aco')} and r.left_at is null and e.setting = 'INPATIENT' and e.status = 'FINISHED'
        and e.discharged_at <= ${new Date(now.getTime() - RECENT)} and e.id % 10 < ${REACHED_OF_TEN}
      group by e.id) d, users u
    where u.id = ${idOf(directory.users, 'rosa.lindgren')}`);
}

/** In milliseconds. */
const RECENT = 14 * 86_400_000;

/** Writes the attempts of Lakeshore ACO's coordinators to reach patients after discharges from a hospital. */
export async function writeContactAttempts(db: Queryable, directory: DemoDirectory, now: Date): Promise<void> {
  await writeEarlierAttempts(db, directory, now);
  const [team, group] = [idOf(directory.teams, 'aco-coordination'), idOf(directory.groups, 'lakeshore-aco')];
  const { rows } = await db.query<{ listingId: string; dischargedAt: string }>(sql`
    select min(r.id) as "listingId", e.discharged_at as "dischargedAt"
    from encounters e join roster_patients r on r.person_id = e.person_id
    where r.group_id = ${group} and r.left_at is null and e.setting = 'INPATIENT' and e.status = 'FINISHED'
      and e.discharged_at > ${new Date(now.getTime() - RECENT)}
    group by e.id order by e.discharged_at desc, e.id limit 60`);
  for (const [turn, { listingId, dischargedAt }] of rows.entries()) {
    for (const { hours, channel, outcome, note } of TURNS[turn % TURNS.length] ?? []) {
      const at = new Date(Date.parse(dischargedAt) + hours * 3_600_000);
      if (at > now) continue;
      await db.query(sql`
        insert into contact_attempts
          (team_id, roster_patient_id, attempted_at, channel, outcome, note, user_id, display_name, created_at)
        select ${team}, ${listingId}, ${at}, ${channel}, ${outcome}, ${note}, id, first_name || ' ' || last_name, ${at}
        from users where id = ${idOf(directory.users, 'rosa.lindgren')}`);
    }
  }
}
