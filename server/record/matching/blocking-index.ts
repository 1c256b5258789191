/** The index of blocking keys (`blocking_keys` and `blocking_entries`), which finds subjects that may be the same person. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { blockingKeys } from '#server/record/scoring/blocking.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import { hashesOf, hashOfKey, isBirthDate } from '#server/record/scoring/key-hashes.ts';
import { packed, SKETCH_BYTES, type Sketch, sketchOf, unpacked } from '#server/record/scoring/sketch.ts';
import { type Subject, subjectKey } from './subjects.ts';

const LOCK_SPACE = 7_463_202;
const LOCKS = 256;

/**
 * Locks the keys until the transaction ends, so that two messages about the same new person, at the same moment, do not create
 * two persons. Takes at most LOCKS locks, always in the same order.
 */
export async function lockKeys(db: Queryable, keys: Iterable<number>): Promise<void> {
  const buckets = [...new Set([...keys].map((key) => key % LOCKS))].sort((a, b) => a - b);
  await db.query(
    sql`select count(pg_advisory_xact_lock(${LOCK_SPACE}, bucket)) from unnest(${buckets}::int[]) as b (bucket)`,
  );
}

/** What the index has of a subject: its keys (`hashOfKey`) and a sketch. */
export interface Entry {
  keys: readonly number[];
  /** Null if an earlier version stored the keys. */
  sketch: Buffer | null;
}

/** Returns the keys of a record. */
export const keysOf = (demographics: NormalizedDemographics): number[] => [
  ...new Set(blockingKeys(demographics).map(hashOfKey)),
];

/** Returns the entry of a record. */
export const entryOf = (demographics: NormalizedDemographics): Entry => ({
  keys: keysOf(demographics),
  sketch: packed(sketchOf(demographics)),
});

/** A subject in the index: the id of a roster row, or minus that of a source patient. */
const codeOf = ({ kind, id }: Subject): number => (kind === 'SOURCE_PATIENT' ? -Number(id) : Number(id));
const subjectOf = (code: number): Subject => ({
  kind: code < 0 ? 'SOURCE_PATIENT' : 'ROSTER_PATIENT',
  id: String(Math.abs(code)),
});

/** Numbers as one text: the driver takes longer to write an array of thousands than PostgreSQL to read it. */
const listed = (numbers: Iterable<number>): string => `{${[...numbers].join(',')}}`;

/** The sketch, or null if an earlier version stored it. */
const SKETCH = sql`case when octet_length(sketch) = ${SKETCH_BYTES} then sketch end`;

/** Returns the entries of those subjects that have one, by `subjectKey`. */
export async function loadEntries(db: Queryable, subjects: readonly Subject[]): Promise<Map<string, Entry>> {
  const { rows } = await db.query<{ code: string; keys: string; sketch: Buffer | null }>(sql`
    select subject as code, array_to_string(keys, ',') as keys, ${SKETCH} as sketch from blocking_entries
    where subject = any (${listed(subjects.map(codeOf))}::bigint[])`);
  return new Map(
    rows.map(({ code, keys, sketch }) => [
      subjectKey(subjectOf(Number(code))),
      { keys: keys === '' ? [] : keys.split(',').map(Number), sketch },
    ]),
  );
}

/** Replaces the subjects' entries in the index, where they differ from those before. */
export async function replaceEntries(
  db: Queryable,
  subjects: readonly Subject[],
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
): Promise<void> {
  const changed: { code: number; entry: Entry }[] = [];
  const removed: KeyOfSubject[] = [];
  const added: KeyOfSubject[] = [];
  for (const subject of subjects) {
    const [old, entry] = [before.get(subjectKey(subject)), after.get(subjectKey(subject))];
    if (entry === undefined || (old !== undefined && isEqual(old, entry))) continue;
    const code = codeOf(subject);
    changed.push({ code, entry });
    const [past, present] = [new Set(old?.keys), new Set(entry.keys)];
    for (const key of past) if (!present.has(key)) removed.push({ key, code });
    for (const key of present) if (!past.has(key)) added.push({ key, code });
  }
  await Promise.all([
    removed.length > 0 && removeKeys(db, removed),
    added.length > 0 && addKeys(db, added),
    changed.length > 0 && storeEntries(db, changed),
  ]);
}

interface KeyOfSubject {
  key: number;
  code: number;
}

const isEqual = (a: Entry, b: Entry): boolean =>
  a.sketch !== null &&
  b.sketch !== null &&
  a.sketch.equals(b.sketch) &&
  a.keys.length === b.keys.length &&
  a.keys.every((key, at) => key === b.keys[at]);

const table = (keys: readonly KeyOfSubject[]): Sql =>
  sql`unnest(${listed(keys.map(({ key }) => key))}::bigint[], ${listed(keys.map(({ code }) => code))}::bigint[]) as k (key, subject)`;

const removeKeys = (db: Queryable, keys: readonly KeyOfSubject[]): Promise<unknown> =>
  db.query(sql`delete from blocking_keys b using ${table(keys)} where b.key = k.key and b.subject = k.subject`);

/** In the order of the index, whose pages neighbors share. */
const addKeys = (db: Queryable, keys: readonly KeyOfSubject[]): Promise<unknown> =>
  db.query(sql`insert into blocking_keys (key, subject) select key, subject from ${table(keys)} order by key, subject`);

function storeEntries(db: Queryable, changed: readonly { code: number; entry: Entry }[]): Promise<unknown> {
  const sketches = Buffer.concat(changed.map(({ entry }) => entry.sketch ?? NO_SKETCH));
  return db.query(sql`
    insert into blocking_entries (subject, keys, sketch)
    select subject, keys::bigint[], substr(${sketches}::bytea, ((place - 1) * ${SKETCH_BYTES} + 1)::int, ${SKETCH_BYTES})
    from rows from (unnest(${listed(changed.map(({ code }) => code))}::bigint[]),
      string_to_table(${changed.map(({ entry }) => listed(entry.keys)).join('\n')}, E'\n')) with ordinality as e (subject, keys, place)
    on conflict (subject) do update set keys = excluded.keys, sketch = excluded.sketch`);
}

/** A key shared by more subjects than this does not tell people apart, and comparing them all would take seconds. */
export const MOST_HITS = 2000;

/** Of a birth date, up to so many are looked at for names that agree: in a region of 60 million people, each is that of more than MOST_HITS. */
const MOST_BORN = 10 * MOST_HITS;

/** A subject with what its record is like. */
export interface Sketched extends Subject {
  /** Null if none is stored: an earlier version stored the subject's keys. */
  sketch: Sketch | null;
}

/** A subject that has a key. */
export interface Hit extends Sketched {
  /** Whether a review asks who the subject is, if it has a sketch. */
  isInReview: boolean;
}

/** The place of the key, and a subject. */
const HIT_BYTES = 12;
const NO_SKETCH = Buffer.alloc(SKETCH_BYTES);
const NOTHING = Buffer.alloc(0);

/** Subjects, and their entries by `subjectKey`, that will be written. */
export interface Unwritten {
  subjects: readonly Subject[];
  entries: ReadonlyMap<string, Entry>;
}

/**
 * Returns the subjects that have each key of these entries. A key with more than MOST_HITS subjects is left out; but of a birth date, those whose given or family
 * name has the letters of an entry's are returned (docs/decisions/0135). `unwritten`: found as if they were in the index.
 */
export async function findByKeys(
  db: Queryable,
  entries: readonly Entry[],
  unwritten: Unwritten = { subjects: [], entries: new Map() },
): Promise<Map<number, Hit[]>> {
  const own = new Map(
    unwritten.subjects.map((subject) => [codeOf(subject), unwritten.entries.get(subjectKey(subject))]),
  );
  const known = new Map<number, Hit>();
  const keys = [...new Set(entries.flatMap((entry) => entry.keys))];
  const find = async (asked: readonly number[], most: number): Promise<Map<number, Hit[]>> => {
    const found = await readHits(db, withKeys(asked, most + own.size), asked, own, known);
    addUnwritten(found, asked, own, known);
    return found;
  };
  const found = await find(keys, MOST_HITS + 1);
  const frequent = keys.filter((key) => (found.get(key)?.length ?? 0) > MOST_HITS);
  for (const key of frequent) found.delete(key);
  const dates = await lessFrequent(db, frequent.filter(isBirthDate), MOST_BORN + own.size);
  if (dates.length === 0) return found;
  for (const [key, hits] of await find(dates, MOST_BORN)) found.set(key, ofOneName(hits, key, entries));
  return found;
}

/** The place of each key, and the subjects that have it. */
const withKeys = (keys: readonly number[], most: number): Sql => sql`
  select k.place::int as place, b.subject from unnest(${listed(keys)}::bigint[]) with ordinality as k (key, place)
    cross join lateral (select subject from blocking_keys where key = k.key limit ${most}) b`;

/** Returns those of the keys that at most so many subjects have. */
async function lessFrequent(db: Queryable, keys: readonly number[], most: number): Promise<number[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<{ place: number }>(sql`
    select place from (${withKeys(keys, most + 1)}) k group by place having count(*) <= ${most} order by place`);
  return rows.map(({ place }) => keys[place - 1] as number);
}

/** Returns those who have the letters of a name of one of the entries that have the key, if that is not the name of more than MOST_HITS of them. */
function ofOneName(hits: readonly Hit[], key: number, entries: readonly Entry[]): Hit[] {
  const asked = entries.flatMap(({ keys, sketch }) => (keys.includes(key) && sketch && unpacked(sketch, 0)) || []);
  const isAsked = (name: 'given' | 'family'): ((hit: Hit) => boolean) => {
    const names = new Set(asked.map((sketch) => sketch[name]));
    const sharing = Map.groupBy(hits, ({ sketch }) => sketch?.[name]);
    return ({ sketch }) =>
      sketch !== null && names.has(sketch[name]) && (sharing.get(sketch[name])?.length ?? 0) <= MOST_HITS;
  };
  const [hasGiven, hasFamily] = [isAsked('given'), isAsked('family')];
  return hits.filter((hit) => hasGiven(hit) || hasFamily(hit));
}

/** Reads hits, without subjects whose entries are to be written, as bytes: thousands of rows or arrays take longer to read than everything else that is done with a hit. */
async function readHits(
  db: Queryable,
  selected: Sql,
  keys: readonly number[],
  own: ReadonlyMap<number, unknown>,
  known: Map<number, Hit>,
): Promise<Map<number, Hit[]>> {
  const { rows } = await db.query<{ hits: Buffer | null; sketches: Buffer | null }>(sql`
    with hits as materialized (${selected})
    select (select string_agg(int4send(place) || int8send(subject), '') from hits) as hits, (
      select string_agg(int8send(h.subject) || case when r.is_open then '\\x01'::bytea else '\\x00' end || e.sketch, '')
      from (select distinct subject from hits) h
        cross join lateral (select ${SKETCH} as sketch from blocking_entries where subject = h.subject offset 0) e
        left join lateral (
          select true as is_open from match_reviews
          where subject = case when h.subject < 0 then 'SOURCE_PATIENT' else 'ROSTER_PATIENT' end
            and subject_id = abs(h.subject) and decided_at is null limit 1) r on true) as sketches`);
  const hits = rows[0]?.hits ?? NOTHING;
  const sketches = rows[0]?.sketches ?? NOTHING;
  const found = new Map<number, Hit[]>();
  for (let at = 0; at < hits.length; at += HIT_BYTES) {
    const key = keys[hits.readInt32BE(at) - 1] as number;
    const code = codeAt(hits, at + 4);
    if (!own.has(code)) add(found, key, hitOf(code, known));
  }
  for (let at = 0; at < sketches.length; at += 9 + SKETCH_BYTES) {
    const code = codeAt(sketches, at);
    if (own.has(code)) continue;
    const hit = hitOf(code, known);
    hit.isInReview = sketches[at + 8] === 1;
    hit.sketch = unpacked(sketches, at + 9);
  }
  return found;
}

function add(found: Map<number, Hit[]>, key: number, hit: Hit): void {
  const others = found.get(key);
  if (others === undefined) found.set(key, [hit]);
  else others.push(hit);
}

/** Adds subjects to those that were found, where the index will have them. */
function addUnwritten(
  found: Map<number, Hit[]>,
  keys: readonly number[],
  own: ReadonlyMap<number, Entry | undefined>,
  known: Map<number, Hit>,
): void {
  const asked = new Set(keys);
  for (const [code, entry] of own) {
    if (entry === undefined) continue;
    const hit = hitOf(code, known);
    hit.sketch = entry.sketch && unpacked(entry.sketch, 0);
    for (const key of entry.keys) if (asked.has(key)) add(found, key, hit);
  }
}

/** Of each subject there is one object. */
function hitOf(code: number, known: Map<number, Hit>): Hit {
  const before = known.get(code);
  if (before !== undefined) return before;
  const hit = { ...subjectOf(code), sketch: null, isInReview: false };
  known.set(code, hit);
  return hit;
}

const codeAt = (bytes: Buffer, at: number): number => bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);

/** Returns the subjects with a key that begins with one of these parts (`hashesOf`), with their sketches. */
export async function findByStarts(db: Queryable, starts: readonly string[]): Promise<Sketched[]> {
  const ranges = starts.map(hashesOf);
  const { rows } = await db.query<{ code: string; sketch: Buffer | null }>(sql`
    select k.subject as code, ${SKETCH} as sketch
    from unnest(${listed(ranges.map(({ first }) => first))}::bigint[], ${listed(ranges.map(({ last }) => last))}::bigint[]) as r (first, last)
      join blocking_keys k on k.key between r.first and r.last join blocking_entries e on e.subject = k.subject`);
  return rows.map(({ code, sketch }) => ({ ...subjectOf(Number(code)), sketch: sketch && unpacked(sketch, 0) }));
}
