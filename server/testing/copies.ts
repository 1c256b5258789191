/** What is kept in line by code, and by no constraint. */
import type { Database, Queryable, Row } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { syncPings } from '#server/record/pings/notify.ts';

/** Returns the columns in which some row refers to something else than the row from which it copied the reference: a foreign key says only that it exists. */
export async function wrongCopies(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(sql`
    select 'pings.group_id' as name where exists (
      select from pings p join roster_patients r on r.id = p.roster_patient_id where p.group_id <> r.group_id)
    union all select 'pings.encounter_id' where exists (
      select from pings p join events e on e.id = p.event_id where p.encounter_id <> e.encounter_id)
    union all select 'encounters.group_id' where exists (
      select from encounters e join source_patients s on s.id = e.source_patient_id where e.group_id <> s.group_id)
    union all select 'facts.shared_feed_id' where exists (
      select from facts f join messages m on m.id = f.message_id where f.shared_feed_id <> m.feed_id)
    union all select 'shared_stays' where exists (
      select from shared_stays t
      where not exists (select from feed_facilities f where f.feed_id = t.feed_id and f.group_id = t.group_id))`);
  return rows.map(({ name }) => name);
}

/** Brings the pings of all visits in line, which changes only what a batch left out wrongly. Returns all pings as they were and as they are. */
export async function pingsBeforeAndAfterSync(database: Database, now: Date): Promise<[before: Row[], after: Row[]]> {
  return database.transaction(async (tx) => {
    const pings = async () =>
      (await tx.query('select id, event_at, state, encounter_id, is_current, management_status from pings order by id'))
        .rows;
    const { rows } = await tx.query<{ id: string }>('select id from encounters');
    const before = await pings();
    const encounterIds = rows.map(({ id }) => id);
    await syncPings(tx, encounterIds, now);
    return [before, await pings()];
  });
}
