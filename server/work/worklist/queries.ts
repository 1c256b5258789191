import type { ManagementStatus } from '#contract/management-status.ts';
import { type Colleague, type WorkChange, type workChange } from '#contract/worklist.ts';
import { MOST_COLLEAGUES } from '#contract/worklist-words.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadPing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Arrangement, KeptWork } from './arrangement.ts';

/** Returns users of the team who may see its pings, by name. `query`: the beginning of a word of the name. */
export async function colleagues(tx: ActorTransaction, query: string): Promise<Colleague[]> {
  const { rows } = await tx.query<Colleague>(sql`
    select id, name from team_colleagues()
    where starts_with(lower(name), ${query}) or position(' ' || ${query} in lower(name)) > 0
    order by lower(name), id limit ${MOST_COLLEAGUES}`);
  return rows;
}

/** Returns the user's name if a stay can be given to them. */
export async function colleagueName(tx: ActorTransaction, userId: string): Promise<string | null> {
  const { rows } = await tx.query<Colleague>(sql`select id, name from team_colleagues() where id = ${userId}`);
  return rows[0]?.name ?? null;
}

/** A ping of a stay, one per event. */
export interface StayPing {
  eventId: string;
  status: ManagementStatus;
  statusId: string | null;
}

/** Returns the pings of a stay that the transaction's groups have for the person, each event once, and locks them against changes of their status. */
export async function lockStayPings(
  tx: ActorTransaction,
  { personId, encounterId }: { personId: string; encounterId: string },
): Promise<StayPing[]> {
  const { rows } = await tx.query<StayPing & { id: string }>(sql`
    select p.id, p.event_id as "eventId", p.management_status as status, p.status_id as "statusId"
    from pings p join roster_patients r on r.id = p.roster_patient_id
    where p.encounter_id = ${encounterId} and p.group_id = any (${tx.groupIds}::bigint[])
      and r.person_id = ${personId} and ${mayReadPing}
    order by p.id for share of p`);
  const newest = new Map<string, StayPing>();
  for (const row of rows) {
    const known = newest.get(row.eventId);
    if (!known || BigInt(row.statusId ?? 0) > BigInt(known.statusId ?? 0)) newest.set(row.eventId, row);
  }
  return [...newest.values()];
}

export interface WorkRow extends KeptWork {
  id: string;
  encounterId: string;
  /** Who made the last change, and when; null before the first. */
  last: { name: string; date: string } | null;
}

/**
 * Returns what the team has arranged about a visit, and locks it. Creates the row if there is none. Who made the last change is read by another
 * statement: one that waits for a lock sees what it was waiting for, but not the rows that were added with it.
 */
export async function lockWork(tx: ActorTransaction, encounterId: string): Promise<WorkRow> {
  await tx.query(sql`
    insert into stay_work (team_id, encounter_id) values (${tx.actor.teamId}, ${encounterId}) on conflict do nothing`);
  const { rows } = await tx.query<Omit<WorkRow, 'last'>>(sql`
    select id, encounter_id as "encounterId", owner, wait, change_id as "changeId" from stay_work
    where team_id = ${tx.actor.teamId} and encounter_id = ${encounterId} for update`);
  const [row] = rows;
  if (!row) throw new Error('What is arranged about a visit could not be kept');
  const { rows: changes } = await tx.query<{ name: string; date: string }>(sql`
    select display_name as name, changed_at as date from stay_work_changes where id = ${row.changeId}`);
  return { ...row, last: changes[0] ?? null };
}

/** Returns what the team has arranged about these visits, by visit. */
export async function workOfVisits(tx: ActorTransaction, encounterIds: string[]): Promise<Map<string, KeptWork>> {
  if (encounterIds.length === 0) return new Map();
  const { rows } = await tx.query<WorkRow>(sql`
    select w.encounter_id as "encounterId", w.owner, w.wait, w.change_id as "changeId"
    from stay_work w where w.team_id = ${tx.actor.teamId} and w.encounter_id = any (${encounterIds}::bigint[])`);
  return new Map(rows.map((row) => [row.encounterId, row]));
}

/** A change of what was arranged about a stay, to write. */
export interface WorkChangeOf {
  workId: string;
  kind: WorkChange['kind'];
  before: Arrangement;
  after: Arrangement;
}

/** Writes changes to the history, and sets what is arranged. Returns the ids of the changes, in the same order. */
export async function writeWork(tx: ActorTransaction, changes: readonly WorkChangeOf[], now: Date): Promise<string[]> {
  const { userId, displayName } = tx.actor;
  const { rows } = await tx.query<{ id: string; workId: string }>(sql`
    with change as (
      select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        as c ("workId" bigint, kind text, before jsonb, after jsonb)),
    written as (
      insert into stay_work_changes (stay_work_id, kind, before, after, user_id, display_name, changed_at)
      select "workId", kind, before, after, ${userId}, ${displayName}, ${now} from change
      returning id, stay_work_id, after),
    updated as (
      update stay_work w set owner_id = (c.after #>> '{owner,id}')::bigint, owner = nullif(c.after -> 'owner', 'null'),
        wait = nullif(c.after -> 'wait', 'null'), change_id = c.id
      from written c where w.id = c.stay_work_id)
    select id, stay_work_id as "workId" from written`);
  const idOf = new Map(rows.map(({ id, workId }) => [workId, id]));
  return changes.map(({ workId }) => idOf.get(workId) ?? '');
}

interface ChangeRow {
  id: string;
  kind: WorkChange['kind'];
  before: Arrangement;
  after: Arrangement;
  by: string;
  date: string;
}

const MOST_CHANGES = 100;

/** Returns the history of a visit, newest first. */
export async function changesOfVisit(tx: ActorTransaction, encounterId: string): Promise<WorkChange[]> {
  const { rows } = await tx.query<ChangeRow>(sql`
    select c.id, c.kind, c.before, c.after, c.display_name as by, c.changed_at as date
    from stay_work w join stay_work_changes c on c.stay_work_id = w.id
    where w.team_id = ${tx.actor.teamId} and w.encounter_id = ${encounterId}
    order by c.id desc limit ${MOST_CHANGES}`);
  return rows.map(shownChange);
}

/** Returns a change as pages show it. */
export const shownChange = ({ id, kind, before, after, by, date }: ChangeRow): WorkChange => ({
  id,
  kind,
  before: shownArrangement(before),
  after: shownArrangement(after),
  by,
  date,
});

const shownArrangement = ({ owner, wait }: Arrangement): (typeof workChange)['_output']['before'] => ({
  owner: owner?.name ?? null,
  waiting: wait && { until: wait.until },
});
