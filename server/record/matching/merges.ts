/** Merges that a facility reports for its own record numbers. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { identifyAll } from './identify.ts';
import { closeReviews, keptApart, takenFrom } from './open-reviews.ts';
import { type Link, loadLinks, loadSubjectsOf } from './queries.ts';
import { isPinned, personOf } from './relink.ts';
import { type Subject, type SubjectRecord, subjectKey } from './subjects.ts';
import { type LinkChange, mergeOf, type Relinked, writeLinks } from './write-links.ts';

export interface MergeOptions {
  now: Date;
  /** Whether the prior number's demographics have changed. */
  isChanged?: boolean;
}

/**
 * Records that a facility merged two record numbers (A40, MRG-1 into PID-3): from now on the prior one belongs to the same person as the
 * surviving one, and so does everyone who was linked to the prior one, unless a person decided otherwise or something contradicts it. The
 * prior one's open review is closed, and the surviving one is identified by the demographics of both. Repeating a merge changes nothing,
 * unless the demographics have changed.
 */
export async function mergeSourcePatients(
  db: Queryable,
  priorId: string,
  survivingId: string,
  { now, isChanged = false }: MergeOptions,
): Promise<Relinked[]> {
  const prior: Subject = { kind: 'SOURCE_PATIENT', id: priorId };
  const surviving: Subject = { kind: 'SOURCE_PATIENT', id: survivingId };
  const to = await personOf(db, surviving);
  const from = await personOf(db, prior);
  const newest = (await loadLinks(db, [prior])).get(subjectKey(prior));
  if (from === to && newest?.outcome === 'merged' && newest.evidence.survivingId === survivingId)
    return isChanged ? (await identifyAll(db, [surviving], { now })).relinked : [];
  await closeReviews(db, [{ subject: prior, personId: to }], now);
  if (from === to && newest?.outcome === 'decided') return confirmMerge(db, newest, survivingId, now);
  const companions = from === to ? [] : await companionsOf(db, prior, { from, to });
  const merged = await writeLinks(db, [mergeOf(priorId, from, to, survivingId)], now);
  const followed = await follow(db, companions, { from, to }, now);
  await takeOverDecision(db, surviving, [newest, ...companions.map(({ link }) => link)], to, now);
  const joined = companions.filter(({ link }) => link.outcome !== 'review').map(({ record }) => subjectKey(record));
  if (joined.length > 0) joined.push(subjectKey(surviving));
  const records = await loadSubjectsOf(db, [to]);
  const links = await loadLinks(db, records);
  // What was merged stays with its survivor, and there may be hundreds of such numbers.
  const others = records.filter((record) => {
    const key = subjectKey(record);
    return key !== subjectKey(surviving) && links.get(key)?.outcome !== 'merged';
  });
  const { relinked } = await identifyAll(db, [surviving, ...others], { now, joined: new Set(joined), left: from });
  return [...merged, ...followed, ...relinked];
}

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
