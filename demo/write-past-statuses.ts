import type { Database } from '#server/platform/database/pool.ts';
import { type DemoDirectory, idOf } from './directory.ts';
import { pastStatuses } from './world/past-statuses.ts';
import type { World } from './world/world.ts';

/**
 * Writes all past status changes in one statement: several thousand single changes would make the first start slow. A ping is found by
 * group, facility, visit number, event code and minute. `sent` is materialized because the tables were just filled and have no statistics
 * yet, so PostgreSQL would otherwise look up each ping by itself.
 */
const WRITE = `
with done as (
  select d.*, row_number() over () as ord
  from jsonb_to_recordset($1::jsonb) as d (group_id bigint, visit_number text, facility_id bigint, code text, minute text, user_id bigint,
    status text, resolutions text[], comment text, changed_at timestamptz)
), sent as materialized (
  select p.id, p.event_id, p.group_id, en.group_id as facility_id, e.code,
    coalesce(en.visit_number, en.state #>> '{accountNumbers,0}') as visit_number,
    to_char(e.event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as minute, e.event_day::text as day
  from pings p join events e on e.id = p.event_id join encounters en on en.id = e.encounter_id
), found as (
  select d.ord, min(s.id) as ping_id, min(s.event_id) as event_id
  from done d join sent s using (group_id, facility_id, visit_number, code)
  where d.minute in (s.minute, s.day)
  group by d.ord
), status as (
  insert into management_statuses (event_id, group_ids, ping_ids, status, resolutions, other_text, user_id, username, display_name, changed_at)
  select f.event_id, array[d.group_id], array[f.ping_id], d.status, d.resolutions, d.comment, d.user_id, u.username, u.first_name || ' ' || u.last_name, d.changed_at
  from found f join done d using (ord) join users u on u.id = d.user_id
  order by d.changed_at
  returning id, ping_ids[1] as ping_id, status, changed_at
)
update pings p set management_status = s.status, status_id = s.id, status_at = s.changed_at
from status s where p.id = s.ping_id`;

/** Writes what the demo's coordinators did with the pings of the past. */
export async function writePastStatuses(db: Database, world: World, directory: DemoDirectory): Promise<void> {
  const numbers = new Map(world.truth.visits.map((visit) => [visit.visit, visit.visitNumber]));
  const facilities = new Map(world.truth.visits.map((visit) => [visit.visit, visit.facility]));
  const rows = pastStatuses(world).map(({ ping, user, status, resolution, comment, hoursLater }) => ({
    group_id: idOf(directory.groups, ping.group),
    facility_id: idOf(directory.groups, facilities.get(ping.visit) ?? ''),
    visit_number: numbers.get(ping.visit) ?? ping.visit,
    code: ping.code,
    minute: ping.at.slice(0, 16),
    user_id: idOf(directory.users, user),
    status,
    resolutions: resolution ? [resolution] : [],
    comment,
    changed_at: new Date(Date.parse(ping.at) + hoursLater * 3_600_000).toISOString(),
  }));
  await db.query(WRITE, [JSON.stringify(rows)]);
}
