/**
 * The change log: keys of what changed, followed by readers without gaps and without waiting for slow transactions.
 *
 * A reader keeps the snapshot S of its last look and takes the rows whose transaction was not visible in S: those from
 * `pg_snapshot_xmax(S)` on, and those that were in progress then (`pg_snapshot_xip(S)`). Each commit arrives exactly once,
 * however long another transaction runs. NOTIFY only wakes readers.
 */
import type { Queryable } from './pool.ts';

export const CHANGES_CHANNEL = 'tidings_changes';

export interface Change {
  kind: 'ping' | 'group' | 'roster' | 'session';
  change: string;
  groupId: string | null;
  subjectId: string | null;
}

export async function logChanges(tx: Queryable, changes: Change[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(
    `with logged as (
       insert into change_log (kind, change, group_id, subject_id, changed_at)
       select c.*, $5::timestamptz from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as c
     )
     select pg_notify('${CHANGES_CHANNEL}', '')`,
    [
      changes.map((c) => c.kind),
      changes.map((c) => c.change),
      changes.map((c) => c.groupId),
      changes.map((c) => c.subjectId),
      now.toISOString(),
    ],
  );
}

/** Readers are seconds behind at most, and one that starts has no past. */
const KEPT_DAYS = 7;

/** Takes what no reader can still be after out of the log. A daily job. */
export async function trimChanges(database: Queryable, now: Date): Promise<void> {
  const until = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await database.query('delete from change_log where changed_at < $1', [until.toISOString()]);
}

/** Two index scans; a plan test keeps it so. */
export const READ_CHANGES = `
select id, kind, change, group_id as "groupId", subject_id as "subjectId" from change_log
where xid >= pg_snapshot_xmax($1::pg_snapshot)
union all
select id, kind, change, group_id, subject_id from change_log
where xid = any (array(select pg_snapshot_xip($1::pg_snapshot)))
order by id`;

/** Follows the log from the moment of its creation. */
export class ChangeReader {
  readonly #database: Queryable;
  #snapshot: string;

  private constructor(database: Queryable, snapshot: string) {
    this.#database = database;
    this.#snapshot = snapshot;
  }

  static async start(database: Queryable): Promise<ChangeReader> {
    const { rows } = await database.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot');
    return new ChangeReader(database, (rows[0] as { snapshot: string }).snapshot);
  }

  /** What was committed since the last call. */
  async read(): Promise<Change[]> {
    // One statement, so that rows and the next snapshot belong together.
    const { rows } = await this.#database.query<{ snapshot: string; changes: Change[] | null }>(
      `select pg_current_snapshot()::text as snapshot, (select json_agg(c order by c.id) from (${READ_CHANGES}) c) as changes`,
      [this.#snapshot],
    );
    const row = rows[0] as { snapshot: string; changes: Change[] | null };
    this.#snapshot = row.snapshot;
    return (row.changes ?? []).map((c) => ({
      ...c,
      groupId: c.groupId === null ? null : String(c.groupId),
      subjectId: c.subjectId === null ? null : String(c.subjectId),
    }));
  }
}
