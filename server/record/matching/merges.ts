/** Merges that a facility reports for its own record numbers. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type IdentifyOptions, identifyAll } from './identify.ts';
import { closeReviews, keptApart, takenFrom } from './open-reviews.ts';
import { type Link, loadLinks, loadSubjectsOf } from './queries.ts';
import { isPinned, personsOf } from './relink.ts';
import { type Subject, type SubjectRecord, subjectKey } from './subjects.ts';
import { type LinkChange, mergeOf, type Relinked, writeLinks } from './write-links.ts';

/** A record number that a facility merged into another one: the ids of both source patients. */
export interface Merge {
  priorId: string;
  survivingId: string;
  /** Whether the prior number's demographics have changed. */
  isChanged?: boolean;
}

/**
 * Records that a facility merged record numbers (A40, MRG-1 into PID-3): from now on the prior one belongs to the same person as the
 * surviving one, and so does everyone who was linked to the prior one, unless a person decided otherwise or something contradicts it. The
 * prior one's open review is closed, and the surviving one is identified by the demographics of both. Repeating a merge changes nothing,
 * unless the demographics have changed.
 */
export async function mergeSourcePatients(
  db: Queryable,
  merges: readonly Merge[],
  { now }: { now: Date },
): Promise<Relinked[]> {
  const relinked: Relinked[] = [];
  const mergeEach = async (apart: readonly Merge[]): Promise<void> => {
    for (const merge of apart) relinked.push(...(await mergeOne(db, merge, now)));
  };
  // What was merged into one of these before follows it, and is in place then.
  const leaders = (await placesOf(db, merges)).filter(({ isInPlace, mergedInto }) => !isInPlace && mergedInto === null);
  await mergeEach(leaders.map(({ merge }) => merge));
  const others = await placesOf(
    db,
    merges.filter((merge) => !leaders.some((leader) => leader.merge === merge)),
  );
  await mergeEach(others.filter((place) => !place.isInPlace).map(({ merge }) => merge));
  const inPlace = others.filter((place) => place.isInPlace);
  return [...relinked, ...(await mergeInPlace(db, inPlace, now))];
}

const priorOf = ({ priorId }: Merge): Subject => ({ kind: 'SOURCE_PATIENT', id: priorId });
const survivingOf = ({ survivingId }: Merge): Subject => ({ kind: 'SOURCE_PATIENT', id: survivingId });

interface Place {
  merge: Merge;
  /** Of the prior number. */
  personId: string;
  /** The number that the prior one was merged into before; null if it was not. */
  mergedInto: unknown;
  /** Whether the prior number belongs to the surviving one's person already, and not because somebody decided so. */
  isInPlace: boolean;
}

async function placesOf(db: Queryable, merges: readonly Merge[]): Promise<Place[]> {
  if (merges.length === 0) return [];
  const persons = await personsOf(db, [...merges.map(priorOf), ...merges.map(survivingOf)]);
  const links = await loadLinks(db, merges.map(priorOf));
  return merges.map((merge) => {
    const [personId, to] = [priorOf(merge), survivingOf(merge)].map((each) => persons.get(subjectKey(each)));
    if (personId === undefined || to === undefined)
      throw new Error('A merge names a source patient that does not exist');
    const link = links.get(subjectKey(priorOf(merge)));
    const mergedInto = link?.outcome === 'merged' ? link.evidence.survivingId : null;
    return { merge, personId, mergedInto, isInPlace: personId === to && link?.outcome !== 'decided' };
  });
}

/** Merges numbers that are one person's already: nothing moves. One message may do this to hundreds, so what they have in common is done once. */
async function mergeInPlace(db: Queryable, places: readonly Place[], now: Date): Promise<Relinked[]> {
  const moved = places.filter(({ merge, mergedInto }) => mergedInto !== merge.survivingId);
  await closeReviews(
    db,
    moved.map(({ merge, personId }) => ({ subject: priorOf(merge), personId })),
    now,
  );
  const links = moved.map(({ merge, personId }) => mergeOf(merge.priorId, personId, personId, merge.survivingId));
  await writeLinks(db, links, now);
  const relinked: Relinked[] = [];
  for (const [left, ofPerson] of Map.groupBy(moved, ({ personId }) => personId)) {
    const survivors = ofPerson.map(({ merge }) => survivingOf(merge));
    relinked.push(...(await identifyWithOthers(db, survivors, left, { now, left })));
  }
  const changed = places.filter((place) => place.merge.isChanged && !moved.includes(place));
  const survivors = withoutRepeats(changed.map(({ merge }) => survivingOf(merge)));
  return [...relinked, ...(await identifyAll(db, survivors, { now })).relinked];
}

async function mergeOne(db: Queryable, merge: Merge, now: Date): Promise<Relinked[]> {
  const { priorId, survivingId } = merge;
  const [prior, surviving] = [priorOf(merge), survivingOf(merge)];
  const persons = await personsOf(db, [prior, surviving]);
  const [from, to] = [prior, surviving].map((subject) => persons.get(subjectKey(subject)));
  if (from === undefined || to === undefined) throw new Error('A merge names a source patient that does not exist');
  const newest = (await loadLinks(db, [prior])).get(subjectKey(prior));
  await closeReviews(db, [{ subject: prior, personId: to }], now);
  if (from === to && newest?.outcome === 'decided') return confirmMerge(db, newest, survivingId, now);
  const companions = from === to ? [] : await companionsOf(db, prior, { from, to });
  const merged = await writeLinks(db, [mergeOf(priorId, from, to, survivingId)], now);
  const followed = await follow(db, companions, { from, to }, now);
  await takeOverDecision(db, surviving, [newest, ...companions.map(({ link }) => link)], to, now);
  const joined = companions.filter(({ link }) => link.outcome !== 'review').map(({ record }) => subjectKey(record));
  if (joined.length > 0) joined.push(subjectKey(surviving));
  const relinked = await identifyWithOthers(db, [surviving], to, { now, joined: new Set(joined), left: from });
  return [...merged, ...followed, ...relinked];
}

/** Identifies surviving numbers, and the other records of their person except those that were merged: these stay with their survivors. */
async function identifyWithOthers(
  db: Queryable,
  survivors: readonly Subject[],
  personId: string,
  options: IdentifyOptions,
): Promise<Relinked[]> {
  const records = await loadSubjectsOf(db, [personId]);
  const links = await loadLinks(db, records);
  const others = records.filter((record) => links.get(subjectKey(record))?.outcome !== 'merged');
  return (await identifyAll(db, withoutRepeats([...survivors, ...others]), options)).relinked;
}

const withoutRepeats = (subjects: readonly Subject[]): Subject[] => [
  ...new Map(subjects.map((subject) => [subjectKey(subject), subject])).values(),
];

interface Companion {
  record: SubjectRecord;
  link: Link;
}

/** Returns who else is linked to the prior number's person, without those of whom a person decided that they are not the surviving one's. */
async function companionsOf(db: Queryable, prior: Subject, { from, to }: Move): Promise<Companion[]> {
  const records = await loadSubjectsOf(db, [from, to]);
  const decided = [await keptApart(db, records), await takenFrom(db, records)];
  const isKeptFrom = (record: SubjectRecord, personId: string): boolean =>
    decided.some((persons) => persons.get(subjectKey(record))?.has(personId));
  if (records.some((record) => record.personId === to && isKeptFrom(record, from))) return [];
  const links = await loadLinks(db, records);
  return records.flatMap((record) => {
    const link = links.get(subjectKey(record));
    // What was merged into a record that moves follows it.
    if (record.personId !== from || link === undefined || link.outcome === 'merged') return [];
    return subjectKey(record) === subjectKey(prior) || isKeptFrom(record, to) ? [] : [{ record, link }];
  });
}

interface Move {
  from: string;
  to: string;
}

/** Moves the companions with the links that they have. Decisions about them stay in force, and can be undone. */
async function follow(db: Queryable, companions: readonly Companion[], move: Move, now: Date): Promise<Relinked[]> {
  const changes = companions.map(({ link: { subject, outcome, ruleId, evidence, decidedBy } }): LinkChange => {
    return { subject, ...move, outcome, ruleId, evidence, decidedBy };
  });
  const relinked = await writeLinks(db, changes, now);
  for (const { link } of companions) if (isPinned(link)) await replaceLink(db, link);
  return relinked;
}

/** What a person decided about the prior number's patient holds for the surviving number, as it did for the prior one. */
async function takeOverDecision(
  db: Queryable,
  surviving: Subject,
  [prior, ...others]: readonly (Link | undefined)[],
  to: string,
  now: Date,
): Promise<void> {
  const isDecided = (link: Link | undefined): boolean =>
    link?.outcome === 'decided' && link.evidence.keptApart !== true;
  const decision = [prior, ...others].find(isDecided);
  if (decision === undefined || others.length === 0) return;
  if (isPinned((await loadLinks(db, [surviving])).get(subjectKey(surviving)))) return;
  const { ruleId, evidence, decidedBy } = decision;
  await writeLinks(db, [{ subject: surviving, from: to, to, outcome: 'decided', ruleId, evidence, decidedBy }], now);
}

/** Records a held merge that a person confirmed. Undoing that decision undoes the merge. */
async function confirmMerge(db: Queryable, decision: Link, survivingId: string, now: Date): Promise<Relinked[]> {
  const { subject, personId, previousPersonId } = decision;
  const merge = mergeOf(subject.id, previousPersonId ?? personId, personId, survivingId);
  const relinked = await writeLinks(db, [{ ...merge, evidence: { ...merge.evidence, isConfirmed: true } }], now);
  await replaceLink(db, decision);
  return relinked;
}

/** Makes the subject's newest link the one that its decision is about. */
const replaceLink = (db: Queryable, { id, subject }: Link) =>
  db.query(sql`
    update match_reviews set link_id = (
      select max(id) from person_links where subject = ${subject.kind} and subject_id = ${subject.id})
    where link_id = ${id}`);

/**
 * Releases source patients that are no longer merged into another one, because the facility merged them the other way round or
 * a replay removed the merge. Returns the released subjects, which must be identified again. None of `ids` may be merged now.
 */
export async function releaseMerged(db: Queryable, ids: readonly string[], { now }: { now: Date }): Promise<Subject[]> {
  const subjects = ids.map((id): Subject => ({ kind: 'SOURCE_PATIENT', id }));
  const links = await loadLinks(db, subjects);
  const held = [...links.values()].filter(({ outcome }) => outcome === 'merged');
  const changes = held.map(({ id, subject, personId, ruleId }): LinkChange => {
    const evidence = { undone: id, was: 'a merge that the facility took back' };
    return { subject, from: personId, to: personId, outcome: 'undone', ruleId, evidence, decidedBy: null };
  });
  await writeLinks(db, changes, now);
  return held.map(({ subject }) => subject);
}
