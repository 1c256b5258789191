/**
 * Reads those who share a key with subjects. Of someone who is new, most of them are strangers, as their sketches show, and are not read: people with the
 * same birth date grow in number with every list (docs/decisions/0115).
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import { findsStrangers } from '#server/record/scoring/key-hashes.ts';
import { mayMatter } from '#server/record/scoring/may-matter.ts';
import { type Sketch, sketchOf } from '#server/record/scoring/sketch.ts';
import type { Hit } from './blocking-index.ts';
import { idsOf, kindsOf, loadPersonsOf } from './queries.ts';
import { type KnownDemographics, type Subject, type SubjectRecord, subjectKey } from './subjects.ts';

interface Found {
  /** The subjects to identify, and those merged into them. */
  all: readonly SubjectRecord[];
  /** Who is read whatever the sketches show. */
  kept: readonly Subject[];
  hits: ReadonlyMap<number, readonly Hit[]>;
  keysOf: (subject: SubjectRecord) => readonly number[];
  /** Whether no one can have been compared with the subject before. */
  isFresh: (subject: SubjectRecord) => boolean;
  known: KnownDemographics;
}

/** Fresh subjects with the same demographics, and who shares a key with them. A crowd that is alike is compared with others once. */
interface Newcomers {
  subjects: SubjectRecord[];
  near: Hit[];
  strangers: Hit[];
}

/** Returns the subjects, and the records of all persons who may matter to one of them. */
export async function loadNeighbors(db: Queryable, found: Found): Promise<SubjectRecord[]> {
  const { all, kept, hits, keysOf, isFresh, known } = found;
  const [fresh, others] = [all.filter(isFresh), all.filter((subject) => !isFresh(subject))];
  const newcomers = [...Map.groupBy(fresh, ({ demographics }) => demographics)].map(([demographics, subjects]) =>
    newcomersOf(demographics, subjects, found),
  );
  const near = new Set<Hit>();
  for (const subject of others) for (const key of keysOf(subject)) for (const hit of hits.get(key) ?? []) near.add(hit);
  for (const each of newcomers) for (const hit of each.near) near.add(hit);
  const strangers = new Set(newcomers.flatMap((each) => each.strangers));
  const waiting = await inReview(
    db,
    [...strangers].filter((hit) => !near.has(hit)),
  );
  const read = new Map(all.map((record) => [subjectKey(record), record]));
  const first = await loadPersonsOf(db, [...all, ...kept], [...near, ...waiting], { read, known });
  const late = strangersTo(newcomers, first);
  if (late.size === 0) return first;
  const more = await loadPersonsOf(db, [], [...late], { read, known });
  return [...new Map([...more, ...first].map((record) => [subjectKey(record), record])).values()];
}

/** Divides those who share a key with the newcomers by whether they may matter to them. */
function newcomersOf(
  demographics: NormalizedDemographics,
  subjects: SubjectRecord[],
  { hits, keysOf }: Found,
): Newcomers {
  const own = sketchOf(demographics);
  const near = new Set<Hit>();
  const strangers = new Set<Hit>();
  for (const key of keysOf(subjects[0] as SubjectRecord)) {
    const isSure = !findsStrangers(key);
    for (const hit of hits.get(key) ?? []) {
      if (isSure) near.add(hit);
      else if (!near.has(hit) && !strangers.has(hit))
        (hit.sketch === null || mayMatter(own, hit.sketch) ? near : strangers).add(hit);
    }
  }
  return { subjects, near: [...near], strangers: [...strangers].filter((hit) => !near.has(hit)) };
}

/** Returns those of the subjects who wait in review: whom a review names may be whom the newcomer is. */
async function inReview(db: Queryable, subjects: readonly Subject[]): Promise<Subject[]> {
  const { rows } = await db.query<Subject>(sql`
    select r.subject as kind, r.subject_id as id
    from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[]) as s (kind, id)
      join match_reviews r on r.subject = s.kind and r.subject_id = s.id
    where r.decided_at is null`);
  return rows;
}

/**
 * Returns strangers to a newcomer who may still matter to a person whom it may be: another row of its list that could be linked to the same person, or
 * that person's twin. And all of them, if the newcomer's person has other records.
 */
function strangersTo(newcomers: readonly Newcomers[], read: readonly SubjectRecord[]): Set<Hit> {
  const records = new Map(read.map((record) => [subjectKey(record), record]));
  const found = new Map<Hit, SubjectRecord | undefined>();
  const recordOf = (hit: Hit): SubjectRecord | undefined => {
    if (!found.has(hit)) found.set(hit, records.get(subjectKey(hit)));
    return found.get(hit);
  };
  const persons = Map.groupBy(read, ({ personId }) => personId);
  const sketchesOf = (personId: string): Sketch[] =>
    (persons.get(personId) ?? []).map(({ demographics }) => sketchOf(demographics));
  const late = new Set<Hit>();
  for (const { subjects, near, strangers } of newcomers) {
    const unread = strangers.filter((hit) => recordOf(hit) === undefined);
    if (unread.length === 0) continue;
    const isShared = subjects.some(({ personId }) => (persons.get(personId)?.length ?? 0) > 1);
    const mayBe = new Set(near.flatMap((hit) => recordOf(hit)?.personId ?? []));
    const theirs = new Set([...mayBe].flatMap(sketchesOf));
    const matters = ({ sketch }: Hit): boolean =>
      isShared || sketch === null || [...theirs].some((other) => mayMatter(other, sketch));
    for (const hit of unread) if (matters(hit)) late.add(hit);
  }
  return late;
}
