/**
 * The change log: keys of what changed, followed by readers without gaps and without waiting for slow transactions.
 *
 * A reader keeps the snapshot S of its last look and takes the rows whose transaction was not visible in S: those from
 * `pg_snapshot_xmax(S)` on, and those that were in progress then (`pg_snapshot_xip(S)`). Each commit arrives exactly once,
 * however long another transaction runs. NOTIFY only wakes readers.
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { noteWritten } from './written.ts';

export const CHANGES_CHANNEL = 'tidings_changes';

/**
 * 'person': a row that lists show of the person may have changed (triggers write it, see the migration). 'group': 'reload' and 'bulk' of a
 * roster, 'facility' of what a group is called or is. 'epoch' is in no log: the database is another one than at the last look, restored or
 * replaced, and nothing that was read before holds.
 */
export interface Change {
  kind: 'ping' | 'group' | 'roster' | 'session' | 'person' | 'epoch';
  change: string;
  groupId: string | null;
  subjectId: string | null;
}

export async function logChanges(tx: Queryable, changes: Change[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  const { rows } = await tx.query<{ xid: string }>(
    `with logged as (
       insert into change_log (kind, change, group_id, subject_id, changed_at)
       select c.*, $5::timestamptz from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as c
     )
     select pg_notify('${CHANGES_CHANNEL}', ''), pg_current_xact_id()::text as xid`,
    [
      changes.map((c) => c.kind),
      changes.map((c) => c.change),
      changes.map((c) => c.groupId),
      changes.map((c) => c.subjectId),
      now.toISOString(),
    ],
  );
  noteWritten(rows[0]?.xid);
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

/** What tells one database from another, also from itself before it was restored from a dump. */
const IDENTITY = `(select system_identifier from pg_control_system()) || '/' || 'tidings.change_log'::regclass::oid`;

export const KINDS_OF_PAGES: readonly Change['kind'][] = ['ping', 'group', 'roster', 'session', 'person'];
export const KINDS_OF_ROWS: readonly Change['kind'][] = ['person', 'group'];

/** Follows the log from the moment of its creation. */
export class ChangeReader {
  readonly #database: Queryable;
  readonly #kinds: readonly string[];
  #snapshot: Snapshot;
  #identity: string;

  private constructor(database: Queryable, kinds: readonly string[], at: { snapshot: string; identity: string }) {
    this.#database = database;
    this.#kinds = kinds;
    this.#snapshot = new Snapshot(at.snapshot);
    this.#identity = at.identity;
  }

  static async start(database: Queryable, kinds = KINDS_OF_PAGES): Promise<ChangeReader> {
    const { rows } = await database.query<{ snapshot: string; identity: string }>(
      `select pg_current_snapshot()::text as snapshot, ${IDENTITY} as identity`,
    );
    return new ChangeReader(database, kinds, rows[0] as { snapshot: string; identity: string });
  }

  /** All that was committed in it has been read. */
  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** What was committed since the last call. */
  async read(): Promise<Change[]> {
    // One statement, so that rows and the next snapshot belong together.
    const { rows } = await this.#database.query<{ snapshot: string; identity: string; changes: Change[] | null }>(
      `select pg_current_snapshot()::text as snapshot, ${IDENTITY} as identity,
         (select json_agg(c order by c.id) filter (where c.kind = any ($2)) from (${READ_CHANGES}) c) as changes`,
      [this.#snapshot.text, this.#kinds],
    );
    const row = rows[0] as { snapshot: string; identity: string; changes: Change[] | null };
    const next = new Snapshot(row.snapshot);
    const isReplaced = row.identity !== this.#identity || next.xmax < this.#snapshot.xmax;
    this.#snapshot = next;
    this.#identity = row.identity;
    if (isReplaced) return [{ kind: 'epoch', change: 'reload', groupId: null, subjectId: null }];
    return (row.changes ?? []).map((c) => ({
      ...c,
      groupId: c.groupId === null ? null : String(c.groupId),
      subjectId: c.subjectId === null ? null : String(c.subjectId),
    }));
  }
}

/** Which transactions had ended at a moment, as `pg_current_snapshot()` writes it: xmin:xmax:those in progress. */
export class Snapshot {
  readonly text: string;
  readonly xmax: bigint;
  readonly #inProgress: ReadonlySet<string>;

  constructor(text: string) {
    const [, xmax = '0', inProgress = ''] = text.split(':');
    this.text = text;
    this.xmax = BigInt(xmax);
    this.#inProgress = new Set(inProgress.split(','));
  }

  /** Whether a transaction, of which one knows that it was committed, is part of it. */
  includes(xid: string): boolean {
    return BigInt(xid) < this.xmax && !this.#inProgress.has(xid);
  }
}
