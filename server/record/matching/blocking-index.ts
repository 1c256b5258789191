/** The index of blocking keys (`blocking_keys`), which finds subjects that may be the same person. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { idsOf, kindsOf } from './queries.ts';
import { type Subject, subjectKey } from './subjects.ts';

const LOCK_SPACE = 7_463_202;
const LOCKS = 256;

function bucketOf(key: string): number {
  let hash = 0;
  for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
  return (hash >>> 0) % LOCKS;
}

/**
 * Locks the keys until the transaction ends, so that two messages about the same new person, at the same moment, do not create
 * two persons. Takes at most LOCKS locks, always in the same order.
 */
export async function lockKeys(db: Queryable, keys: Iterable<string>): Promise<void> {
  const buckets = [...new Set([...keys].map(bucketOf))].sort((a, b) => a - b);
  await db.query(
    sql`select count(pg_advisory_xact_lock(${LOCK_SPACE}, bucket)) from unnest(${buckets}::int[]) as b (bucket)`,
  );
}

/** Returns the keys stored for the subjects, by `subjectKey`. */
export async function loadKeys(db: Queryable, subjects: readonly Subject[]): Promise<Map<string, string[]>> {
  const { rows } = await db.query<Subject & { keys: string[] }>(sql`
    select k.subject as kind, k.subject_id as id, array_agg(k.key) as keys
    from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[]) as s (kind, id)
      join blocking_keys k on k.subject = s.kind and k.subject_id = s.id
    group by k.subject, k.subject_id`);
  return new Map(rows.map((row) => [subjectKey(row), row.keys]));
}

/** Replaces the subjects' stored keys; writes only the differences. */
export async function replaceKeys(
  db: Queryable,
  subjects: readonly Subject[],
  before: ReadonlyMap<string, string[]>,
  after: ReadonlyMap<string, string[]>,
): Promise<void> {
  for (const [kind, ofKind] of Map.groupBy(subjects, (subject) => subject.kind)) {
    const removed: KeyRow[] = [];
    const added: KeyRow[] = [];
    for (const { id } of ofKind) {
      const old = new Set(before.get(subjectKey({ kind, id })));
      const keys = new Set(after.get(subjectKey({ kind, id })));
      for (const key of old) if (!keys.has(key)) removed.push({ key, id });
      for (const key of keys) if (!old.has(key)) added.push({ key, id });
    }
    if (removed.length > 0) {
      await db.query(sql`delete from blocking_keys b using ${table(removed)}
        where b.key = k.key and b.subject = ${kind} and b.subject_id = k.id`);
    }
    // In the order of the index, whose pages neighbors share.
    if (added.length > 0) {
      await db.query(sql`insert into blocking_keys (key, subject, subject_id)
        select key, ${kind}, id from ${table(added)} order by key collate "C"`);
    }
  }
}

interface KeyRow {
  key: string;
  id: string;
}

const table = (rows: readonly KeyRow[]): Sql =>
  sql`unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ id }) => id)}::bigint[]) as k (key, id)`;

/** A key shared by more subjects than this does not tell people apart, and comparing them all would take seconds. */
export const MOST_HITS = 2000;

/** Returns the subjects that have each key. A key with more than MOST_HITS subjects is left out. */
export async function findByKeys(db: Queryable, keys: readonly string[]): Promise<Map<string, Subject[]>> {
  const { rows } = await db.query<{ key: string; kinds: Subject['kind'][]; ids: string[] }>(sql`
    select k.key, hit.kinds, hit.ids::text[] as ids
    from unnest(${keys}::text[]) as k (key)
      cross join lateral (
        select array_agg(subject) as kinds, array_agg(subject_id) as ids
        from (select subject, subject_id from blocking_keys b where b.key = k.key limit ${MOST_HITS + 1}) as first) as hit
    where cardinality(hit.ids) <= ${MOST_HITS}`);
  return new Map(
    rows.map(({ key, kinds, ids }) => [key, ids.map((id, i) => ({ kind: kinds[i] as Subject['kind'], id }))]),
  );
}
