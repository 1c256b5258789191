/** Reads pairs that share a blocking key from an installation's own records. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { Random } from '#server/record/evaluation/random.ts';
import { findByKeys, MOST_HITS } from '#server/record/matching/blocking-index.ts';
import { newestSnapshot } from '#server/record/matching/list-snapshots.ts';
import { loadSubjects } from '#server/record/matching/queries.ts';
import { type Subject, type SubjectRecord, subjectKey } from '#server/record/matching/subjects.ts';
import { hashesOf } from '#server/record/scoring/key-hashes.ts';
import { type ComparedPair, observePair, type Sample } from './observe-pair.ts';

/** More pairs than this hardly make the estimate better; each takes some 50 µs. */
const MOST_PAIRS = 300_000;
/** Of the pairs that share one key, about so many are taken. */
const PAIRS_PER_KEY = 2000;
const KEYS_PER_READ = 50;

/** What people decided, by the subject and the person it was compared with. */
export type Labels = ReadonlyMap<string, boolean>;

const labelKey = (subject: Subject, personId: string): string => `${subjectKey(subject)} ${personId}`;

/** Loads the decisions that are in force. True if the two are one person. */
export async function loadLabels(db: Queryable): Promise<Labels> {
  const { rows } = await db.query<Subject & { personId: string; isMatch: boolean }>(`
    select l.subject as kind, l.subject_id as id, p.person_id as "personId", p.outcome = 'SAME' as "isMatch"
    from labeled_pairs p join person_links l on l.id = p.link_id
    where p.undone_at is null order by p.id`);
  return new Map(rows.map(({ personId, isMatch, ...subject }) => [labelKey(subject, personId), isMatch]));
}

export interface PairSample {
  pairs: ComparedPair[];
  /** Whether these are all pairs, rather than a part that is the same each time. */
  isComplete: boolean;
}

/** Reads the pairs of a sample, a few keys at a time. `db`: the pipeline's. */
export async function samplePairs(db: Queryable, sample: Sample, labels: Labels): Promise<PairSample> {
  // Sorted by a hash, so that a part of the keys is a fair sample.
  const { first, last } = hashesOf(sample.key);
  const { rows: keys } = await db.query<{ key: string }>(sql`
    select key from blocking_keys where key between ${first} and ${last}
    group by key having count(*) between 2 and ${MOST_HITS}
    order by hashint8(key), key limit ${MOST_PAIRS}`);
  const snapshot = await newestSnapshot(db);
  const random = new Random(1, 1, 1);
  const pairs: ComparedPair[] = [];
  const observe = (a: SubjectRecord, b: SubjectRecord): ComparedPair => {
    const isMatch = labels.get(labelKey(a, b.personId)) ?? labels.get(labelKey(b, a.personId));
    return observePair(sample, a.demographics, b.demographics, { snapshot, isMatch });
  };
  let isComplete = keys.length < MOST_PAIRS;
  for (let at = 0; at < keys.length && pairs.length < MOST_PAIRS; at += KEYS_PER_READ) {
    const read = await loadByKey(
      db,
      keys.slice(at, at + KEYS_PER_READ).map(({ key }) => Number(key)),
    );
    for (const records of read) {
      const share = PAIRS_PER_KEY / ((records.length * (records.length - 1)) / 2);
      if (share < 1) isComplete = false;
      for (const [index, record] of records.entries())
        for (const other of records.slice(0, index)) if (random.chance(share)) pairs.push(observe(record, other));
    }
    if (pairs.length >= MOST_PAIRS && at + KEYS_PER_READ < keys.length) isComplete = false;
  }
  return { pairs, isComplete };
}

/** Returns the records with each key, always in the same order. */
async function loadByKey(db: Queryable, keys: readonly number[]): Promise<SubjectRecord[][]> {
  const hits = await findByKeys(db, [{ keys, sketch: null }]);
  const records = await loadSubjects(db, [...hits.values()].flat());
  const byKey = new Map(records.map((record) => [subjectKey(record), record]));
  return keys.map((key) =>
    (hits.get(key) ?? [])
      .flatMap((subject) => byKey.get(subjectKey(subject)) ?? [])
      .toSorted((a, b) => (a.kind === b.kind ? Number(a.id) - Number(b.id) : a.kind < b.kind ? -1 : 1)),
  );
}
