/**
 * Subjects that people joined with another one. "A is B" makes the two one person, so whoever decides later that B is C moves A as well. Without
 * that, A would be left at a person whom no one lists, and its visits would be seen by no team.
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { keptApart } from '#server/record/matching/open-reviews.ts';
import { type Link, loadLinks, loadSubjectsOf } from '#server/record/matching/queries.ts';
import { relink } from '#server/record/matching/relink.ts';
import { type Subject, subjectKey } from '#server/record/matching/subjects.ts';
import { decisionOf, followed, followingOf, type Relinked, writeLinks } from '#server/record/matching/write-links.ts';

/** Returns the links of the person's other subjects. */
async function linksOf(db: Queryable, personId: string, except?: Subject): Promise<Link[]> {
  const subjects = await loadSubjectsOf(db, [personId]);
  const links = [...(await loadLinks(db, subjects)).values()];
  return links.filter((link) => except === undefined || subjectKey(link.subject) !== subjectKey(except));
}

/** Returns the links of the other subjects that people joined with this person, and those of all the rest. */
export async function companionsOf(
  db: Queryable,
  subject: Subject,
  personId: string,
): Promise<{ joined: Link[]; rest: Link[] }> {
  const links = await linksOf(db, personId, subject);
  const isJoined = (link: Link): boolean => link.outcome === 'decided' && link.previousPersonId !== null;
  return { joined: links.filter(isJoined), rest: links.filter((link) => !isJoined(link)) };
}

/** Whether an earlier decision keeps apart what a link of these subjects to `to` would make one person. */
export async function contradictsDecision(
  db: Queryable,
  joined: readonly Link[],
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const there = await loadSubjectsOf(db, [to]);
  const kept = await keptApart(db, [...joined.map(({ subject }) => subject), ...there]);
  return (
    joined.some(({ subject }) => kept.get(subjectKey(subject))?.has(to)) ||
    there.some((other) => kept.get(subjectKey(other))?.has(from))
  );
}

/** Moves joined subjects after the one that `linkId` moved. Those with nothing else left at their person have followed it already. */
export async function moveJoined(
  db: Queryable,
  subject: Subject,
  { from, to, linkId, decidedBy, now }: { from: string; to: string; linkId: string; decidedBy: string; now: Date },
): Promise<Relinked[]> {
  const { joined } = await companionsOf(db, subject, from);
  const changes = joined.map((link) =>
    followingOf({ ...link, ...link.subject, linkId: link.id, from, decidedBy }, to, linkId),
  );
  return writeLinks(db, changes, now);
}

/** Thrown if the link to undo is no longer in force. */
export class LinkSupersededError extends Error {
  override name = 'LinkSupersededError';
}

interface Undoing {
  decidedBy: string;
  now: Date;
}

/**
 * Undoes a decided link, even if a later decision has moved its subject: the subject returns to the person it had before the decision, and those
 * that followed it then return with it. Throws LinkSupersededError if something other than a decision has linked the subject since.
 */
export async function undoDecidedLink(
  db: Queryable,
  subject: Subject,
  linkId: string,
  { decidedBy, now }: Undoing,
): Promise<Relinked[]> {
  const newest = (await loadLinks(db, [subject])).get(subjectKey(subject));
  if (newest === undefined || !isInForce(newest, linkId)) throw new LinkSupersededError('A newer link is in force');
  const { rows } = await db.query<{ previousPersonId: string | null; outcome: string }>(
    sql`select previous_person_id as "previousPersonId", outcome from person_links where id = ${linkId}`,
  );
  const to = rows[0]?.previousPersonId ?? newest.personId;
  const followers = (await linksOf(db, newest.personId, subject)).filter(({ evidence }) =>
    followed(evidence).includes(linkId),
  );
  const undone = await relink(db, subject, to, {
    decidedBy,
    now,
    outcome: 'undone',
    ruleId: newest.ruleId,
    evidence: { undone: newest.id, was: rows[0]?.outcome },
  });
  const returned = followers.map((link) => {
    const follows = followed(link.evidence);
    return {
      subject: link.subject,
      from: link.personId,
      to,
      outcome: 'decided' as const,
      ruleId: link.ruleId,
      evidence: { ...link.evidence, follows: follows.slice(0, follows.indexOf(linkId)) },
      decidedBy,
    };
  });
  return [...undone, ...(await writeLinks(db, returned, now))];
}

/** Whether the link is what a person decided, moved by later decisions or not. */
export const isInForce = (newest: Link, linkId: string): boolean =>
  newest.id === linkId || (newest.outcome === 'decided' && decisionOf(newest.id, newest.evidence) === linkId);
