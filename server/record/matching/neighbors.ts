/**
 * Reads those who share a key with subjects. Most of them are strangers, as their sketches show, and are not read: people with the same birth date grow in
 * number with every list (docs/decisions/0115).
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import { findsStrangers } from '#server/record/scoring/key-hashes.ts';
import { mayBeTwins, mayMatter } from '#server/record/scoring/may-matter.ts';
import { sketchOf } from '#server/record/scoring/sketch.ts';
import type { Hit } from './blocking-index.ts';
import { loadPersonsOf } from './queries.ts';
import { type KnownDemographics, type Subject, type SubjectRecord, subjectKey } from './subjects.ts';

interface Found {
  /** The subjects to identify, and those merged into them. */
  all: readonly SubjectRecord[];
  /** Who is read whatever the sketches show. */
  kept: readonly Subject[];
  hits: ReadonlyMap<number, readonly Hit[]>;
  keysOf: (subject: SubjectRecord) => readonly number[];
  /** Whether nothing but demographics says who may matter to the subject. */
  isPlain: (subject: SubjectRecord) => boolean;
  known: KnownDemographics;
}

/** Plain subjects with the same demographics, and who shares a key with them. A crowd that is alike is compared with others once. */
interface Alike {
  subjects: SubjectRecord[];
  near: Hit[];
  strangers: Hit[];
}

/** Returns the subjects, and the records of all persons who may matter to one of them. */
export async function loadNeighbors(db: Queryable, found: Found): Promise<SubjectRecord[]> {
  const { all, kept, hits, keysOf, isPlain, known } = found;
  const plain = [...Map.groupBy(all.filter(isPlain), ({ demographics }) => demographics)].map(
    ([demographics, subjects]) => divide(demographics, subjects, found),
  );
  const near = new Set<Hit>();
  for (const subject of all)
    if (!isPlain(subject)) for (const key of keysOf(subject)) for (const hit of hits.get(key) ?? []) near.add(hit);
  for (const each of plain) {
    for (const hit of each.near) near.add(hit);
    // Whom a review names may be whom the subject is.
    for (const hit of each.strangers) if (hit.isInReview) near.add(hit);
  }
  const read = new Map(all.map((record) => [subjectKey(record), record]));
  const first = await loadPersonsOf(db, [...all, ...kept], [...near], { read, known });
  const late = strangersTo(plain, first);
  if (late.size === 0) return first;
  const more = await loadPersonsOf(db, [], [...late], { read, known });
  return [...new Map([...more, ...first].map((record) => [subjectKey(record), record])).values()];
}

/** Divides those who share a key with the subjects by whether they may matter to them. */
function divide(demographics: NormalizedDemographics, subjects: SubjectRecord[], { hits, keysOf }: Found): Alike {
  const own = sketchOf(demographics);
  const near = new Set<Hit>();
  const strangers = new Set<Hit>();
  for (const key of new Set(subjects.flatMap(keysOf))) {
    const isSure = !findsStrangers(key);
    for (const hit of hits.get(key) ?? []) {
      if (isSure) near.add(hit);
      else if (!near.has(hit) && !strangers.has(hit))
        (hit.sketch === null || mayMatter(own, hit.sketch) ? near : strangers).add(hit);
    }
  }
  return { subjects, near: [...near], strangers: [...strangers].filter((hit) => !near.has(hit)) };
}

/**
 * Returns strangers to a subject who may still matter to a person whom it is or may be: another row of its list that could be linked to the same person, or
 * that person's twin.
 */
function strangersTo(plain: readonly Alike[], read: readonly SubjectRecord[]): Set<Hit> {
  const records = new Map(read.map((record) => [subjectKey(record), record]));
  const persons = Map.groupBy(read, ({ personId }) => personId);
  const late = new Set<Hit>();
  for (const { subjects, near, strangers } of plain) {
    if (strangers.length === 0) continue;
    const found = [...subjects, ...near.flatMap((hit) => records.get(subjectKey(hit)) ?? [])];
    const theirs = new Set([...new Set(found.map(({ personId }) => personId))].flatMap((id) => persons.get(id) ?? []));
    const sketches = new Set([...theirs].map(({ demographics }) => sketchOf(demographics)));
    const [own] = subjects;
    // To its own the strangers are strangers.
    if (own) sketches.delete(sketchOf(own.demographics));
    const mayCount = subjects.some(({ listedBy }) => listedBy !== null) ? mayMatter : mayBeTwins;
    const matters = ({ sketch }: Hit): boolean =>
      sketch === null || [...sketches].some((other) => mayCount(other, sketch));
    for (const hit of strangers) if (matters(hit) && !records.has(subjectKey(hit))) late.add(hit);
  }
  return late;
}
