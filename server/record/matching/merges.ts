/** Merges that a facility reports for its own record numbers. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { closeReviews } from './open-reviews.ts';
import { type Link, loadLinks } from './queries.ts';
import { personOf } from './relink.ts';
import { type Subject, subjectKey } from './subjects.ts';
import { type LinkChange, mergeOf, type Relinked, writeLinks } from './write-links.ts';

/**
 * Records that a facility merged two record numbers (A40, MRG-1 into PID-3): from now on the prior one belongs to the same
 * person as the surviving one, and its open review is closed. Repeating a merge changes nothing.
 */
export async function mergeSourcePatients(
  db: Queryable,
  priorId: string,
  survivingId: string,
  { now }: { now: Date },
): Promise<Relinked[]> {
  const prior: Subject = { kind: 'SOURCE_PATIENT', id: priorId };
  const to = await personOf(db, { kind: 'SOURCE_PATIENT', id: survivingId });
  const from = await personOf(db, prior);
  const newest = (await loadLinks(db, [prior])).get(subjectKey(prior));
  if (from === to && newest?.outcome === 'merged' && newest.evidence.survivingId === survivingId) return [];
  await closeReviews(db, [{ subject: prior, personId: to }], now);
  if (from === to && newest?.outcome === 'decided') return confirmMerge(db, newest, survivingId, now);
  return writeLinks(db, [mergeOf(priorId, from, to, survivingId)], now);
}

/** Records a held merge that a person confirmed. Undoing that decision undoes the merge. */
async function confirmMerge(db: Queryable, decision: Link, survivingId: string, now: Date): Promise<Relinked[]> {
  const { id, subject, personId, previousPersonId } = decision;
  const merge = mergeOf(subject.id, previousPersonId ?? personId, personId, survivingId);
  const relinked = await writeLinks(db, [{ ...merge, evidence: { ...merge.evidence, isConfirmed: true } }], now);
  await db.query(sql`
    update match_reviews set link_id = (
      select max(id) from person_links where subject = ${subject.kind} and subject_id = ${subject.id})
    where link_id = ${id}`);
  return relinked;
}

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
