/**
 * The change log holds keys of what changed. A reader misses no commit, sees none twice, and never waits for a slow transaction:
 *
 * - Each row holds the id of the transaction that wrote it. A reader remembers the snapshot S of its last read, and reads the rows
 *   of exactly those transactions that S did not include: ids from `pg_snapshot_xmax(S)` on, and those in progress at the time
 *   (`pg_snapshot_xip(S)`).
 * - One statement returns these rows and the next snapshot, so no commit can fall in between.
 * - A transaction that is still open is invisible to this read, and is listed as in progress in the new snapshot, so that a later
 *   read returns it.
 *
 * A position in a sequence would not do: a transaction can commit after others with higher ids. NOTIFY only wakes readers, and
 * may be lost. Nor would a hot standby: its snapshots list no transaction in progress, and a reader there would skip what commits after a later
 * transaction. So the log is followed at the primary, also by those who read rows from a replica (`replica.ts`).
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { forPurpose } from '#server/platform/database/settings.ts';
import { noteWritten } from './written.ts';

export const CHANGES_CHANNEL = 'tidings_changes';

/**
 * 'person': data that lists show of the person may have changed; written by triggers (docs/decisions/0019). Its `groupId` is the facility
 * of the visit or listing if that is under 42 CFR Part 2, the recipient of a consent that changed, and otherwise null. 'group': 'reload' and
 * 'bulk' for rosters, 'facility' for a change of the group itself. 'review': matches of a group were opened or closed.
 * 'feed': some feed fell silent, was heard again, paused, resumed or removed; without keys.
 * 'work': of a row of `stay_work`, with each group of its team that has pings of the visit. 'viewers': who has a person open, with each group of
 * the team that lists the person. 'held': the held patients of a group. 'disclosure', of a
 * person or a group: a consent or a facility's 42 CFR
 * Part 2 flag has changed, and lists must not answer from what was read before. 'epoch' is never stored: a reader returns it if the database was
 * restored or replaced since its last read, so that nothing read before is valid. 'replica' is stored and never read: a standby that shows it
 * follows this primary.
 */
export interface Change {
  kind: 'ping' | 'group' | 'roster' | 'review' | 'session' | 'person' | 'work' | 'feed' | 'viewers' | 'held' | 'epoch';
  change: string;
  groupId: string | null;
  subjectId: string | null;
}

/** Writes changes to the log and wakes readers. Readers see them when the transaction commits. */
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

/** Readers are at most seconds behind, and a new reader starts with the present. */
const KEPT_DAYS = 7;

/** Deletes rows that every reader has long read. A daily job. */
export async function trimChanges(database: Queryable, now: Date): Promise<void> {
  const until = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await database.query('delete from change_log where changed_at < $1', [until.toISOString()]);
}

/** Two index scans, which a test checks. */
export const READ_CHANGES = `
select id, kind, change, group_id as "groupId", subject_id as "subjectId" from change_log
where xid >= pg_snapshot_xmax($1::pg_snapshot)
union all
select id, kind, change, group_id, subject_id from change_log
where xid = any (array(select pg_snapshot_xip($1::pg_snapshot)))
order by id`;

/** Identifies the database; differs after it was restored from a dump. */
const IDENTITY = `(select system_identifier from pg_control_system()) || '/' || 'tidings.change_log'::regclass::oid`;

/** The kinds that open pages follow. */
export const KINDS_OF_PAGES: readonly Change['kind'][] = [
  'ping',
  'group',
  'roster',
  'review',
  'session',
  'person',
  'work',
  'feed',
  'viewers',
  'held',
];
/** The kinds that the search threads' rows follow. */
export const KINDS_OF_ROWS: readonly Change['kind'][] = ['person', 'group'];

/** How far a reader has read. */
export interface ReaderPosition {
  snapshot: string;
  identity: string;
}

/** Reads the log from the moment the reader is created. */
export class ChangeReader {
  readonly #database: Queryable;
  readonly #kinds: readonly string[];
  #snapshot: Snapshot;
  #identity: string;

  private constructor(database: Queryable, kinds: readonly string[], at: ReaderPosition) {
    this.#database = database;
    this.#kinds = kinds;
    this.#snapshot = new Snapshot(at.snapshot);
    this.#identity = at.identity;
  }

  static async start(database: Queryable, kinds = KINDS_OF_PAGES): Promise<ChangeReader> {
    const { rows } = await database.query<ReaderPosition>(
      `select pg_current_snapshot()::text as snapshot, ${IDENTITY} as identity`,
    );
    return new ChangeReader(database, kinds, rows[0] as ReaderPosition);
  }

  /** Reads on from where another reader stopped, which may be a week ago (`KEPT_DAYS`). */
  static resume(database: Queryable, kinds: readonly Change['kind'][], at: ReaderPosition): ChangeReader {
    return new ChangeReader(database, kinds, at);
  }

  /** Where this reader stopped, for `resume`. */
  get position(): ReaderPosition {
    return { snapshot: this.#snapshot.text, identity: this.#identity };
  }

  /** The snapshot of the last read: every commit that it includes has been read. */
  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Returns the changes committed since the last call. */
  async read(): Promise<Change[]> {
    // One statement, so that the rows and the next snapshot belong together.
    const { rows } = await forPurpose('changes', () =>
      this.#database.query<ReaderPosition & { changes: Change[] | null }>(
        `select pg_current_snapshot()::text as snapshot, ${IDENTITY} as identity,
           (select json_agg(c order by c.id) filter (where c.kind = any ($2)) from (${READ_CHANGES}) c) as changes`,
        [this.#snapshot.text, this.#kinds],
      ),
    );
    const row = rows[0] as ReaderPosition & { changes: Change[] | null };
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

/** The transactions that had ended at a moment, as `pg_current_snapshot()` returns it: xmin:xmax:ids in progress. */
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

  /** Whether the snapshot includes a transaction that is known to have committed. */
  includes(xid: string): boolean {
    return BigInt(xid) < this.xmax && !this.#inProgress.has(xid);
  }
}
