import type { Queryable } from '#server/platform/database/pool.ts';
import {
  type Decision,
  decide,
  MOST_CANDIDATES,
  type RankedCandidate,
  versionOf,
} from '#server/record/scoring/decide.ts';
import { couldBeTwins } from '#server/record/scoring/vetoes.ts';
import { APART, contradicted, decideApart, wasApart } from './apart.ts';
import type { Candidates } from './candidates.ts';
import { decideWithLink, isContested } from './decide-with-link.ts';
import { isRivalAt } from './listed-apart.ts';
import type { MatchingContext } from './matching-context.ts';
import { type OpenReview, reviewOf, settleReviews } from './open-reviews.ts';
import { createPersons, type Link } from './queries.ts';
import { isPinned } from './relink.ts';
import { type SubjectRecord, subjectKey } from './subjects.ts';
import type { Decided } from './waiting.ts';
import { type LinkChange, type Relinked, writeLinks } from './write-links.ts';

/** What identifying one subject came to. */
export interface Verdict {
  subject: SubjectRecord;
  from: string;
  to: string;
  /** Null if the link does not depend on demographics. */
  decision: Decision | null;
  /** Whom a person has to compare with the subject, or null. */
  toReview: readonly RankedCandidate[] | null;
  link: Link | undefined;
  /** Someone else had the subject's record number first. */
  isApart: boolean;
  /** A record number that is still contradicted: its open review and its link stay as they are. */
  isOnHold: boolean;
  /** Neighbors whose own verdict may have changed. */
  affected: SubjectRecord[];
}

/**
 * `affected`: nothing new is known about the subject, but another subject's new demographics may change its verdict. `last`: the same, and a person is
 * asked instead of a link to someone else: nobody looks any more at those who would be left.
 */
export type Occasion = 'asked' | 'affected' | 'last';

/** Decides who the subject is, and moves it in the candidates. Returns null if an affected subject needs no new verdict, or its link is kept. */
export async function reachVerdict(
  db: Queryable,
  subject: SubjectRecord,
  context: MatchingContext,
  occasion: Occasion,
  now: Date,
): Promise<Verdict | null> {
  const { candidates, links, keptFrom, reviews } = context;
  const key = subjectKey(subject);
  const link = links.get(key);
  const review = reviews.get(key);
  const from = subject.personId;
  const wasHidden = candidates.isHidden(subject);
  candidates.show(subject);
  const first = candidates.get(subjectKey(keptFrom.apart.get(key) ?? subject));
  const isApart = first !== undefined && first !== subject;
  const decided = await decideAnew(db, subject, isApart ? first : null, context);
  const { answered } = decided;
  const decision = occasion === 'last' ? withoutMove(decided.decision, from) : decided.decision;
  if (isContested(link) && !isApart && !wasApart(link) && !isReturn(decision, review)) {
    // Only a person can say whose record number it is.
    candidates.hide(subject);
    return { subject, from, to: from, decision: null, toReview: null, link, isApart, isOnHold: true, affected: [] };
  }
  if (isKept(subject, decision, occasion, context)) {
    if (wasHidden) candidates.hide(subject);
    return null;
  }
  // A subject without a link to others does not need a review of its own: the other subject's review is enough.
  if (decision?.outcome === 'review' && link?.outcome !== 'matched' && !review) {
    if (occasion !== 'asked' || isAskedElsewhere(subject, decision, context)) return null;
  }
  const to = await targetOf(db, subject, decision, candidates, now);
  const allKeys = keysOf(subject, context);
  const neighbors = candidates.neighbors(subject, allKeys);
  candidates.move(subject, to);
  const toReview = candidatesToReview(subject, decision, context);
  if (toReview !== null) reviews.set(key, reviewOf(toReview));
  else reviews.delete(key);
  if (isContested({ outcome: decision?.outcome, ruleId: decision?.evidence?.ruleId })) candidates.hide(subject);
  const verdict = { subject, from, to, decision, toReview, link, isApart, isOnHold: false };
  const affected = neighbors.filter(
    (other) =>
      isAffected(other, verdict, reviewOfRecord(other, context)) || isOfSameList(other, verdict, review, context),
  );
  // Who was answered is now compared with everyone, after which the subject is confirmed or in review after all.
  const again = answered.length > 0 ? [...answered, subject] : [];
  return { ...verdict, affected: [...new Set([...affected, ...again, ...waitingFor(subject, allKeys, context)])] };
}

/** Leaves a link to another person to a review. */
const withoutMove = (decision: Decision | null, from: string): Decision | null =>
  decision?.outcome === 'matched' && decision.personId !== from ? { ...decision, outcome: 'review' } : decision;

/** Decides who the subject is, if that depends on demographics. `first`: who had its record number before; null if nobody else had. */
async function decideAnew(
  db: Queryable,
  subject: SubjectRecord,
  first: SubjectRecord | null,
  context: MatchingContext,
): Promise<Pick<Verdict, 'decision'> & Pick<Decided, 'answered'>> {
  const { candidates, keys, links, snapshot } = context;
  const key = subjectKey(subject);
  const link = links.get(key);
  if (isPinned(link)) return { decision: null, answered: [] };
  if (first === null) return decideWithLink(db, subject, link, context);
  const people = candidates.of(subject, keys.get(key) ?? []);
  return { decision: decideApart(subject, candidates.personOf(first, subject), people, snapshot), answered: [] };
}

/** Hardly any of a crowd waits in review, or no one does. */
const reviewOfRecord = (record: SubjectRecord, { reviews }: MatchingContext): OpenReview | undefined =>
  reviews.size === 0 ? undefined : reviews.get(subjectKey(record));

/** Returns the keys of the subject and of the record numbers merged into it, now and before the demographics changed. */
const keysOf = (subject: SubjectRecord, { candidates, keys, oldKeys }: MatchingContext): number[] =>
  candidates.mergedWith(subject).flatMap((record) => {
    const key = subjectKey(record);
    return [...(keys.get(key) ?? []), ...(oldKeys.get(key) ?? [])];
  });

/**
 * Whether another row of the subject's list must be decided again: the subject could be linked to the same person, or waited for the same
 * one in review.
 */
function isOfSameList(
  other: SubjectRecord,
  { subject }: Pick<Verdict, 'subject'>,
  before: OpenReview | undefined,
  context: MatchingContext,
): boolean {
  if (subject.listedBy === null) return false;
  const review = other.listedBy === subject.listedBy ? reviewOfRecord(other, context) : undefined;
  return review?.personIds.some((id) => before?.personIds.includes(id)) || isRivalAt(subject, other, context);
}

/**
 * Whether the subject's link stays as it is, whatever the matcher decides. A new version of the matcher leaves alone what a person decided or
 * undid, what the facility merged, and what an earlier version linked to others. Links in doubt since then stay until something new is
 * known about their own subjects. A subject in review to whom others were linked keeps its review as long as there is another candidate.
 */
function isKept(
  subject: SubjectRecord,
  decision: Decision | null,
  occasion: Occasion,
  { candidates, links, keepsLinks, doubtful, snapshot }: MatchingContext,
): boolean {
  const link = links.get(subjectKey(subject));
  if (link === undefined) return false;
  if (keepsLinks && (decision === null || link.outcome === 'undone')) return true;
  const isOld = keepsLinks && link.evidence.version !== versionOf(snapshot);
  const isInDoubt = occasion !== 'asked' && doubtful.has(subject.personId);
  if (decision === null || !(isOld || isInDoubt) || !candidates.isShared(subject)) return false;
  const isOwn = ({ personId }: { personId: string }): boolean => personId === subject.personId;
  return link.outcome !== 'review' || decision.outcome !== 'matched' || !decision.candidates.every(isOwn);
}

/** Whether only the version is new, and each candidate already has a review about the subject. */
function isAskedElsewhere(
  { personId }: SubjectRecord,
  decision: Decision,
  { candidates, reviews, keepsLinks }: MatchingContext,
): boolean {
  if (!keepsLinks) return false;
  const asked = [...reviews].filter(([, review]) => review.personIds.includes(personId));
  const persons = new Set(asked.map(([key]) => candidates.get(key)?.personId));
  return decision.candidates.every((candidate) => persons.has(candidate.personId));
}

/**
 * Returns those in review because of a shared record number or a held merge, with the subject or with someone else: they may be hidden
 * from others, but the subject may be one of their candidates.
 */
function waitingFor(
  subject: SubjectRecord,
  keys: readonly number[],
  { keptFrom: { apart, held }, candidates, reviews }: MatchingContext,
): SubjectRecord[] {
  const own = subjectKey(subject);
  if (apart.size === 0 && held.size === 0) return [];
  const alike = candidates.sharing(subject, keys).filter((other) => apart.has(subjectKey(other)));
  const kept = [...apart, ...held].filter(([, other]) => subjectKey(other) === own);
  const waiting = new Set([...alike.map(subjectKey), ...kept.map(([key]) => key)]);
  return [...waiting].filter((key) => reviews.has(key)).flatMap((key) => candidates.get(key) ?? []);
}

/**
 * Returns whom a person has to compare with the subject: the candidates of a review, and the patient into whom the facility merged the
 * subject, if that merge is held. Until then the link stays as it is.
 */
function candidatesToReview(
  subject: SubjectRecord,
  decision: Decision | null,
  context: MatchingContext,
): readonly RankedCandidate[] | null {
  const { keptFrom, candidates, snapshot } = context;
  const found = decision?.outcome === 'review' ? decision.candidates : askedAgain(subject, context);
  const survivor = candidates.get(subjectKey(keptFrom.held.get(subjectKey(subject)) ?? subject));
  const isOpen = survivor && survivor.personId !== subject.personId;
  const merge =
    isOpen && !candidates.isKeptApart(subject, survivor.personId)
      ? contradicted(subject.demographics, candidates.personOf(survivor, subject), snapshot)
      : null;
  const others = found.filter(({ personId }) => personId !== merge?.personId);
  const all = merge === null ? found : [...others.slice(0, MOST_CANDIDATES - 1), merge];
  return all.length > 0 ? all : null;
}

/** Returns the candidates of a subject whose link a person took back, as long as someone is asked about it: also if the matcher would link. */
function askedAgain(subject: SubjectRecord, { candidates, keys, links, reviews, snapshot }: MatchingContext) {
  const key = subjectKey(subject);
  const link = links.get(key);
  if (link?.outcome !== 'undone' || !isPinned(link) || !reviews.has(key)) return [];
  return decide(subject.demographics, candidates.of(subject, keys.get(key) ?? []), { snapshot }).candidates;
}

/** Whether the demographics match the former person of a contested record number again. */
const isReturn = (decision: Decision | null, review: OpenReview | undefined): boolean =>
  decision?.outcome === 'matched' && decision.personId === review?.personIds[0];

/** Returns the person to link to: the match, or a person of the subject's own. The previous person keeps its id and its row. */
async function targetOf(
  db: Queryable,
  subject: SubjectRecord,
  decision: Decision | null,
  candidates: Candidates,
  now: Date,
): Promise<string> {
  if (decision === null) return subject.personId;
  if (decision.outcome === 'matched') return decision.personId;
  if (!candidates.isShared(subject)) return subject.personId;
  const [personId] = await createPersons(db, 1, now);
  return personId ?? subject.personId;
}

/**
 * Whether a neighbor's verdict may have changed: its review names a person that the subject left or joined, it shares the
 * person that the subject left, it is another candidate of the subject, or it could be a twin. A full review that doesn't name them
 * stays one, with or without the subject: otherwise each unnamed newborn of a day would be a reason to look at all others again.
 */
function isAffected(
  other: SubjectRecord,
  { subject, from, to, decision }: Omit<Verdict, 'affected'>,
  review: OpenReview | undefined,
): boolean {
  if (review?.personIds.some((personId) => personId === from || personId === to)) return true;
  if (other.personId === to) return false;
  if (other.personId === from) return true;
  if (review !== undefined && review.personIds.length >= MOST_CANDIDATES) return false;
  if (decision?.candidates.some(({ personId }) => personId === other.personId)) return true;
  return couldBeTwins(subject.demographics, other.demographics);
}

/**
 * Writes links whose person, outcome or rule is new or that another version of the matcher made, and the reviews. Returns what moved.
 */
export async function recordVerdicts(
  db: Queryable,
  verdicts: readonly Verdict[],
  version: string,
  now: Date,
): Promise<Relinked[]> {
  const changes: LinkChange[] = [];
  for (const { subject, from, to, decision, link, isApart } of verdicts) {
    if (decision === null) continue;
    if (from === to && isAsBefore(link, decision)) continue;
    const evidence = { ...(decision.evidence ?? { version }), ...(isApart && APART) };
    const { outcome } = decision;
    changes.push({ subject, from, to, outcome, ruleId: ruleOf(decision), evidence, decidedBy: null });
  }
  const relinked = await writeLinks(db, changes, now);
  await settleReviews(
    db,
    verdicts.map(({ subject, toReview, to }) => ({
      subject,
      groupId: subject.groupId,
      personId: to,
      candidates: toReview,
    })),
    now,
  );
  return relinked;
}

const ruleOf = ({ evidence }: Decision): string | null => evidence?.ruleId ?? null;

/** Whether the link says what was decided. A match also says which version of the matcher last confirmed it. */
const isAsBefore = (link: Link | undefined, decision: Decision): boolean =>
  link?.outcome === decision.outcome &&
  link.ruleId === ruleOf(decision) &&
  (decision.outcome !== 'matched' || link.evidence.version === decision.evidence.version);
