import { MOST_TAGS_OF_TEAM, type PatientTags, type Tag } from '#contract/tags.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Returns the tags of the actor's team, by name. */
export async function tagsOfTeam(tx: ActorTransaction): Promise<Tag[]> {
  const { rows } = await tx.query<Tag>(sql`
    select id, name from tags where team_id = ${tx.actor.teamId} order by lower(name), id limit ${MOST_TAGS_OF_TEAM}`);
  return rows;
}

/** Returns the team's tag with this name, whatever its case. */
export async function tagNamed(tx: ActorTransaction, name: string): Promise<Tag | undefined> {
  const { rows } = await tx.query<Tag>(sql`
    select id, name from tags where team_id = ${tx.actor.teamId} and lower(name) = lower(${name})`);
  return rows[0];
}

/** Adds a tag. Returns undefined if the team has one with this name, also if that was added at the same time. */
export async function addTag(tx: ActorTransaction, name: string, now: Date): Promise<Tag | undefined> {
  const { rows } = await tx.query<Tag>(sql`
    insert into tags (team_id, name, created_at, created_by) values (${tx.actor.teamId}, ${name}, ${now}, ${tx.actor.userId})
    on conflict do nothing returning id, name`);
  return rows[0];
}

export async function countTags(tx: ActorTransaction): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from tags where team_id = ${tx.actor.teamId}`,
  );
  return rows[0]?.count ?? 0;
}

/** Returns a patient's tags on the listings of the transaction's groups: the team's own, and those of rosters that list the person now. */
export async function tagsOfPerson(tx: ActorTransaction, personId: string): Promise<PatientTags> {
  const { rows: tags } = await tx.query<Tag>(sql`
    select distinct on (lower(t.name), t.id) t.id, t.name
    from roster_patients r join patient_tags p on p.roster_patient_id = r.id join tags t on t.id = p.tag_id
    where r.person_id = ${personId} and ${mayReadListing(tx.groupIds)} and t.team_id = ${tx.actor.teamId}
    order by lower(t.name), t.id`);
  const { rows: listed } = await tx.query<{ name: string }>(sql`
    select distinct name collate "C" as name from (
      select r.*, bool_or(r.left_at is null) over () as is_listed from roster_patients r
      where r.person_id = ${personId} and ${mayReadListing(tx.groupIds)}) r
    cross join unnest(r.tags) as name
    where r.left_at is null or not r.is_listed
    order by 1`);
  return { tags, rosterTags: listed.map(({ name }) => name) };
}

/** Returns the person's listings in the transaction's groups: those that list the person now first, then by age, oldest first. */
export async function listingIdsOf(tx: ActorTransaction, personId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select r.id from roster_patients r
    where r.person_id = ${personId} and ${mayReadListing(tx.groupIds)}
    order by r.left_at is not null, r.id`);
  return rows.map(({ id }) => id);
}

/** Returns how many of these tags are the team's. */
export async function countOwnTags(tx: ActorTransaction, tagIds: string[]): Promise<number> {
  const { rowCount } = await tx.query(
    sql`select from tags where id = any (${tagIds}::bigint[]) and team_id = ${tx.actor.teamId}`,
  );
  return rowCount;
}

/** Sets tags on a listing, if no one else just has. */
export async function setTags(tx: ActorTransaction, listingId: string, tagIds: string[], now: Date): Promise<void> {
  await tx.query(sql`
    insert into patient_tags (roster_patient_id, tag_id, set_at, set_by)
    select ${listingId}, tag_id, ${now}, ${tx.actor.userId} from unnest(${tagIds}::bigint[]) as tag_id
    on conflict do nothing`);
}

export async function removeTags(tx: ActorTransaction, listingIds: string[], tagIds: string[]): Promise<void> {
  await tx.query(sql`
    delete from patient_tags
    where roster_patient_id = any (${listingIds}::bigint[]) and tag_id = any (${tagIds}::bigint[])`);
}
