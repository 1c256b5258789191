/** The index of blocking keys (`blocking_keys`), which finds subjects that may be the same person. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { blockingKeys } from '#server/record/scoring/blocking.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import { packed, SKETCH_BYTES, type Sketch, sketchOf, unpacked } from '#server/record/scoring/sketch.ts';
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

/** What the index has of a subject: its keys, and a sketch of it beside those keys by which strangers are found. */
export interface Entry {
  keys: readonly string[];
  sketch: Buffer;
}

/** Returns the entry of a record. */
export const entryOf = (demographics: NormalizedDemographics): Entry => ({
  keys: blockingKeys(demographics),
  sketch: packed(sketchOf(demographics)),
});

/** Returns the keys stored for the subjects, by `subjectKey`, each with the sketch beside it. */
export async function loadKeys(
  db: Queryable,
  subjects: readonly Subject[],
): Promise<Map<string, Map<string, Buffer | null>>> {
  const { rows } = await db.query<Subject & { keys: string[]; sketches: (Buffer | null)[] }>(sql`
    select k.subject as kind, k.subject_id as id, array_agg(k.key) as keys, array_agg(k.sketch) as sketches
    from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[]) as s (kind, id)
      join blocking_keys k on k.subject = s.kind and k.subject_id = s.id
    group by k.subject, k.subject_id`);
  return new Map(
    rows.map(({ keys, sketches, ...subject }) => [
      subjectKey(subject),
      new Map(keys.map((key, index) => [key, sketches[index] ?? null])),
    ]),
  );
}

/** Replaces the subjects' stored keys; writes only the differences. */
export async function replaceKeys(
  db: Queryable,
  subjects: readonly Subject[],
  before: ReadonlyMap<string, ReadonlyMap<string, Buffer | null>>,
  after: ReadonlyMap<string, Entry>,
): Promise<void> {
  for (const [kind, ofKind] of Map.groupBy(subjects, (subject) => subject.kind)) {
    const [removed, added, changed]: [KeyRow[], KeyRow[], KeyRow[]] = [[], [], []];
    for (const { id } of ofKind) {
      const old = before.get(subjectKey({ kind, id })) ?? NO_KEYS;
      const { keys, sketch } = after.get(subjectKey({ kind, id })) ?? NO_ENTRY;
      const present = new Set(keys);
      const isOutdated = (key: string): boolean => findsStrangers(key) && !old.get(key)?.equals(sketch);
      const rowOf = (which: readonly string[]): KeyRow => ({ id, keys: which, sketch });
      removed.push(rowOf([...old.keys()].filter((key) => !present.has(key))));
      added.push(rowOf([...present].filter((key) => !old.has(key))));
      changed.push(rowOf([...present].filter((key) => old.has(key) && isOutdated(key))));
    }
    if (hasKeys(removed)) {
      await db.query(sql`delete from blocking_keys b using ${table(removed)}
        where b.key = k.key and b.subject = ${kind} and b.subject_id = k.id`);
    }
    if (hasKeys(changed)) {
      await db.query(sql`update blocking_keys b set sketch = k.sketch from ${table(changed)}
        where b.key = k.key and b.subject = ${kind} and b.subject_id = k.id`);
    }
    // In the order of the index, whose pages neighbors share.
    if (hasKeys(added)) {
      await db.query(sql`insert into blocking_keys (key, subject, subject_id, sketch)
        select key, ${kind}, id, case when key !~ '^[PEMI]:' then sketch end from ${table(added)} order by key collate "C"`);
    }
  }
}

const NO_KEYS: ReadonlyMap<string, Buffer | null> = new Map();
const NO_ENTRY: Entry = { keys: [], sketch: Buffer.alloc(0) };

/** Whether a key is not a number, a phone or an email, by which hardly anyone is found who has nothing to do with the subject. */
export const findsStrangers = (key: string): boolean => !/^[PEMI]:/.test(key);

interface KeyRow {
  id: string;
  keys: readonly string[];
  sketch: Buffer;
}

const hasKeys = (rows: readonly KeyRow[]): boolean => rows.some(({ keys }) => keys.length > 0);

/** Keys as one text: an array of thousands takes the driver longer to write than PostgreSQL to split. No key has a line break. */
const textOf = (keys: Iterable<string>): string => [...keys].join('\n');

function table(all: readonly KeyRow[]): Sql {
  const rows = all.filter(({ keys }) => keys.length > 0);
  return sql`(
    select s.id, s.sketch, string_to_table(s.keys, E'\n') as key
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ sketch }) => sketch)}::bytea[],
      ${rows.map(({ keys }) => textOf(keys))}::text[]) as s (id, sketch, keys)) k`;
}

/** A key shared by more subjects than this does not tell people apart, and comparing them all would take seconds. */
export const MOST_HITS = 2000;

/** A subject that has a key. */
export interface Hit extends Subject {
  /** Null if none is stored beside the keys: an earlier version stored them, or strangers are hardly found by them. */
  sketch: Sketch | null;
}

/** The place of the key and an id, negative for a source patient, before each sketch. */
const HIT_BYTES = 12 + SKETCH_BYTES;
const NO_SKETCH = Buffer.alloc(SKETCH_BYTES);

/** Returns the subjects that have each key. A key with more than MOST_HITS subjects is left out. */
export async function findByKeys(db: Queryable, keys: readonly string[]): Promise<Map<string, Hit[]>> {
  // As bytes: thousands of rows or arrays take longer to read than everything else that is done with a hit.
  const { rows } = await db.query<{ hits: Buffer | null }>(sql`
    select string_agg(int4send(k.place::int) || int8send(case b.subject when 'SOURCE_PATIENT' then -b.subject_id else b.subject_id end)
      || coalesce(b.sketch, ${NO_SKETCH}), '') as hits
    from string_to_table(${textOf(keys)}, E'\n') with ordinality as k (key, place)
      cross join lateral (
        select subject, subject_id, sketch from blocking_keys where key = k.key limit ${MOST_HITS + 1}) as b`);
  const found = new Map<string, Hit[]>();
  const known = new Map<number, Hit>();
  const bytes = rows[0]?.hits ?? Buffer.alloc(0);
  for (let at = 0; at < bytes.length; at += HIT_BYTES) {
    const key = keys[bytes.readInt32BE(at) - 1] as string;
    const hit = hitAt(bytes, at + 4, known);
    const others = found.get(key);
    if (others === undefined) found.set(key, [hit]);
    else others.push(hit);
  }
  for (const [key, hits] of found) if (hits.length > MOST_HITS) found.delete(key);
  return found;
}

/** Reads a hit, of each subject one object. `known`: by id, negative for a source patient. */
function hitAt(bytes: Buffer, at: number, known: Map<number, Hit>): Hit {
  const id = bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
  const before = known.get(id);
  const kind = id < 0 ? 'SOURCE_PATIENT' : 'ROSTER_PATIENT';
  const hit: Hit = before ?? { kind, id: String(Math.abs(id)), sketch: null };
  hit.sketch ??= unpacked(bytes, at + 8);
  if (before === undefined) known.set(id, hit);
  return hit;
}
