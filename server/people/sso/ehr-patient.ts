import { type Actor, loadActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { mayReadEncounter } from '#server/people/access/policy.ts';
import { setDefaultTeam } from '#server/people/accounts/profile/current-user-queries.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** A patient as the EHR identifies them. */
export interface EhrPatient {
  recordNumbers: string[];
  /** YYYY-MM-DD, or only a year or month if that is all the EHR has. */
  birthDate: string | null;
}

/**
 * Returns the patient's id for the user; null if none of the user's teams knows the patient, or more than one patient matches. The birth date
 * has to match too, because two registries may use the same number. If only a team other than the default one knows the patient, that team
 * becomes the default, so that the page opens in it.
 */
export async function findEhrPatient(
  db: Database,
  userId: string,
  { recordNumbers, birthDate }: EhrPatient,
): Promise<string | null> {
  if (recordNumbers.length === 0 || birthDate === null || !/^\d{4}-\d\d-\d\d$/.test(birthDate)) return null;
  for (const [index, teamId] of (await teamsOf(db, userId)).entries()) {
    const actor = await loadActor(db, userId, teamId);
    const found = actor?.can('canViewPatients') ? await findInTeam(db, actor, recordNumbers, birthDate) : null;
    if (found === null) continue;
    if (index > 0) await setDefaultTeam(db, userId, teamId);
    return found;
  }
  return null;
}

/** Returns the ids of the user's teams in the order in which `currentUser` picks the default one. */
async function teamsOf(db: Database, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select t.id from teams t join users u on u.id = ${userId}
    where exists (select from grants n where n.team_id = t.id and n.user_id = u.id)
    order by t.id is distinct from u.default_team_id, t.name, t.id`);
  return rows.map(({ id }) => id);
}

function findInTeam(db: Database, actor: Actor, recordNumbers: string[], birthDate: string): Promise<string | null> {
  return asActor(db, actor, 'canViewPatients', async (tx) => {
    const { rows } = await tx.query<{ id: string }>(sql`
      with people as (
        select distinct r.person_id
        from roster_patients r
        where r.group_id = any (${tx.groupIds}::bigint[]) and r.date_of_birth = ${birthDate}::date
          and (
            r.member_id = any (${recordNumbers}::text[])
            or exists (
              select from source_patients s
              where s.person_id = r.person_id and s.group_id = any (${tx.groupIds}::bigint[])
                and s.record_number = any (${recordNumbers}::text[]))))
      select p.person_id, concat(
          (select min(r.id) from roster_patients r where r.person_id = p.person_id and r.group_id = any (${tx.groupIds}::bigint[])),
          '_',
          coalesce((
            select e.id from encounters e where e.person_id = p.person_id and ${mayReadEncounter(tx.groupIds)}
            order by e.admitted_at desc nulls last, e.id desc limit 1), 0)) as id
      from people p limit 2`);
    return rows.length === 1 && rows[0] !== undefined ? rows[0].id : null;
  });
}
