/**
 * Who is this? Finds the people that a source patient or a roster row may be, lets `decide` choose, and links. Run again whenever
 * demographics change: the answer follows from what the tables say now, not from what an earlier run thought.
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { blockingKeys } from '#server/record/scoring/blocking.ts';
import {
  type Decision,
  decide,
  KNOWN_RECORD,
  type KnownPerson,
  MATCHER_VERSION,
} from '#server/record/scoring/decide.ts';
import { couldBeTwins } from '#server/record/scoring/vetoes.ts';
import { Scene } from './candidates.ts';
import { keptApart, type OpenReview, openReviews, settleReviews } from './open-reviews.ts';
import * as queries from './queries.ts';
import { applyLinks, isPinned, type LinkChange, type Relinked } from './relink.ts';
import { type Subject, type SubjectRecord, subjectKey } from './subjects.ts';

export interface Identified {
  subject: Subject;
  personId: string;
  outcome: 'matched' | 'review' | 'new';
  /** Whether the subject belongs to another person than before. */
  changed: boolean;
}

/** What identifying some subjects came to. `relinked` has everything that moved, also others whose links the new facts put in doubt. */
export interface Identification {
  identified: Identified[];
  relinked: Relinked[];
}

/**
 * Identifies one subject. Its row exists and carries a person, a fresh provisional one (`createPersons`) where it is new.
 * `movedEncounters`: encounters whose pings must be told again; `movedListings`: listings that belong to another
 * person now and may not have been told of his or her open visits.
 */
export async function identify(
  db: Queryable,
  subject: Subject,
  options: { now: Date },
): Promise<Identified & { movedEncounters: string[]; movedListings: string[]; relinked: Relinked[] }> {
  const { identified, relinked } = await identifyAll(db, [subject], options);
  const [answer] = identified;
  if (answer === undefined) throw new Error(`There is no ${subject.kind} ${subject.id} to identify`);
  return { ...answer, ...movedOf(relinked), relinked };
}

/** All that must be told again after subjects were linked otherwise. */
export function movedOf(relinked: readonly Relinked[]): { movedEncounters: string[]; movedListings: string[] } {
  return {
    movedEncounters: [...new Set(relinked.flatMap(({ encounterIds }) => encounterIds))],
    movedListings: [...new Set(relinked.flatMap(({ listingIds }) => listingIds))],
  };
}

/** Identifies many subjects, some hundreds at a time, in the order given; one that does not exist is passed over. */
export async function identifyAll(
  db: Queryable,
  subjects: readonly Subject[],
  { now }: { now: Date },
): Promise<Identification> {
  const first = await identifyOnce(db, subjects, now, 'asked');
  if (first.affected.length === 0) return first;
  const second = await identifyOnce(db, first.affected, now, 'affected');
  return { identified: first.identified, relinked: [...first.relinked, ...second.relinked] };
}

/** `affected`: not asked for, but somebody else's new facts may change the answer. */
type Occasion = 'asked' | 'affected';

async function identifyOnce(db: Queryable, subjects: readonly Subject[], now: Date, occasion: Occasion) {
  const records = await queries.loadSubjects(db, subjects);
  const keysOf = new Map(records.map((record) => [subjectKey(record), blockingKeys(record.demographics)]));
  const oldKeysOf = await queries.loadKeys(db, records);
  const allKeys = new Set([...keysOf.values(), ...oldKeysOf.values()].flat());
  await queries.lockKeys(db, allKeys);
  await rewriteKeys(db, records, keysOf, oldKeysOf);
  const hits = await queries.findByKeys(db, [...allKeys]);
  const seen = await queries.loadPersonsOf(db, [...records, ...uniqueSubjects(hits)]);
  const scene = new Scene(seen, hits, await keptApart(db, seen));
  const links = await queries.loadLinks(db, records);
  for (const record of records) if (!links.has(subjectKey(record))) scene.hide(subjectKey(record));
  const reviews = await openReviews(db, scene.subjects());
  for (const [key, review] of reviews) if (review.ruleId === KNOWN_RECORD) scene.hide(key);
  const order = new Map(subjects.map((subject, position) => [subjectKey(subject), position]));
  records.sort((a, b) => (order.get(subjectKey(a)) ?? 0) - (order.get(subjectKey(b)) ?? 0));

  const verdicts: Verdict[] = [];
  const affected = new Map<string, Subject>();
  for (const { kind, id } of records) {
    const key = subjectKey({ kind, id });
    const subject = scene.get(key);
    if (subject === undefined) continue;
    scene.show(key);
    const link = links.get(key);
    const candidates = scene.candidates(subject, keysOf.get(key) ?? []);
    const decision = isPinned(link) ? null : await decideAsKnown(db, subject, candidates, link, scene);
    if (isContested(link) && !isReturn(decision, reviews.get(key))) {
      // Whose number it is, only a person can say.
      scene.hide(key);
      verdicts.push({ subject, from: subject.personId, to: subject.personId, decision: null, link, waits: true });
      continue;
    }
    // Somebody who stands alone need not be put to review because another one who may be the same person was.
    if (occasion === 'affected' && decision?.outcome === 'review' && link?.outcome !== 'matched' && !reviews.has(key))
      continue;
    const verdict: Verdict = { subject, from: subject.personId, to: '', decision, link, waits: false };
    verdict.to = await targetOf(db, verdict, scene, now);
    const neighbours = scene.neighbours(subject, [...(keysOf.get(key) ?? []), ...(oldKeysOf.get(key) ?? [])]);
    scene.move(subject, verdict.to);
    if (isContested({ outcome: decision?.outcome, ruleId: decision?.evidence?.ruleId })) scene.hide(key);
    verdicts.push(verdict);
    for (const other of neighbours) {
      if (isAffected(other, verdict, reviews.get(subjectKey(other)))) affected.set(subjectKey(other), other);
    }
  }
  const decided = verdicts.filter(({ waits }) => !waits);
  const relinked = await record(db, decided, now);
  return {
    identified: verdicts.map(
      ({ subject, from, to, decision, waits }): Identified => ({
        subject: { kind: subject.kind, id: subject.id },
        personId: to,
        outcome: waits ? 'review' : (decision?.outcome ?? 'matched'),
        changed: from !== to,
      }),
    ),
    relinked,
    affected: [...affected.values()],
  };
}

interface Verdict {
  subject: SubjectRecord;
  from: string;
  to: string;
  /** Null where the link stands whatever the demographics say. */
  decision: Decision | null;
  link: queries.Link | undefined;
  /** The review that is open stands, and so does the link. */
  waits: boolean;
}

/**
 * What is said under a number that the matcher has linked is said of the same one, who may move or marry. Where it is contradicted, a
 * facility's number goes to review once it has several visits, for they may be of two people by now; with one visit, or as a roster's
 * row, it says who it is by itself: it was put right.
 */
async function decideAsKnown(
  db: Queryable,
  subject: SubjectRecord,
  candidates: readonly KnownPerson[],
  link: queries.Link | undefined,
  scene: Scene,
): Promise<Decision> {
  const knownRecord = link?.outcome === 'matched' ? scene.companions(subject) : undefined;
  const decision = decide(subject.demographics, candidates, { knownRecord });
  if (!isContested({ outcome: decision.outcome, ruleId: decision.evidence?.ruleId })) return decision;
  return (await queries.hasSeveralVisits(db, subject)) ? decision : decide(subject.demographics, candidates);
}

/**
 * A record number in review because it is contradicted: somebody was filed under another one's number, or the number was given anew.
 * Its patient is nobody's candidate, or the visits of the one would be told to those who list the other.
 */
const isContested = (link: { outcome?: string | undefined; ruleId?: string | null | undefined } | undefined): boolean =>
  link?.outcome === 'review' && link.ruleId === KNOWN_RECORD;

/** The number is the former person's again, by all that is said now. */
const isReturn = (decision: Decision | null, review: OpenReview | undefined): boolean =>
  decision?.outcome === 'matched' && decision.personId === review?.personIds[0];

/** Where the subject goes: to the one it matches, else to a person of its own. A person left behind keeps its id and its row. */
async function targetOf(db: Queryable, { subject, decision }: Verdict, scene: Scene, now: Date): Promise<string> {
  if (decision === null) return subject.personId;
  if (decision.outcome === 'matched') return decision.personId;
  if (!scene.isShared(subject)) return subject.personId;
  const [fresh] = await queries.createPersons(db, 1, now);
  return fresh ?? subject.personId;
}

/**
 * Whether a neighbour's own answer may be another one now: it is one of several whom the subject may be, a twin, one whom the subject
 * left, or one whose review names a person that the subject was, or is, or may be.
 */
function isAffected(
  other: SubjectRecord,
  { subject, from, to, decision }: Verdict,
  review: OpenReview | undefined,
): boolean {
  if (review?.personIds.some((personId) => personId === from || personId === to)) return true;
  if (other.personId === to) return false;
  if (other.personId === from) return true;
  if (decision?.candidates.some(({ personId }) => personId === other.personId)) return true;
  return couldBeTwins(subject.demographics, other.demographics);
}

/** Writes what is new: links with another person, outcome or rule, reviews, and which persons are provisional. */
async function record(db: Queryable, verdicts: readonly Verdict[], now: Date): Promise<Relinked[]> {
  const changes: LinkChange[] = [];
  const provisional = new Map<string, boolean>();
  for (const { subject, from, to, decision, link } of verdicts) {
    if (decision === null) continue;
    const ruleId = decision.evidence?.ruleId ?? null;
    if (decision.outcome !== 'matched') provisional.set(to, decision.outcome === 'review');
    if (link !== undefined && from === to && link.outcome === decision.outcome && link.ruleId === ruleId) continue;
    const evidence = decision.evidence ?? { version: MATCHER_VERSION };
    changes.push({ subject, from, to, outcome: decision.outcome, ruleId, evidence, decidedBy: null });
  }
  const relinked = await applyLinks(db, changes, now);
  if (provisional.size > 0) await queries.setProvisional(db, provisional);
  await settleReviews(
    db,
    verdicts.map(({ subject, decision, to }) => ({
      subject,
      groupId: subject.groupId,
      personId: to,
      candidates: decision?.outcome === 'review' ? decision.candidates : null,
    })),
    now,
  );
  return relinked;
}

async function rewriteKeys(
  db: Queryable,
  records: readonly Subject[],
  keysOf: ReadonlyMap<string, string[]>,
  oldKeysOf: ReadonlyMap<string, string[]>,
): Promise<void> {
  const removed: queries.KeyRow[] = [];
  const added: queries.KeyRow[] = [];
  for (const { kind, id } of records) {
    const keys = new Set(keysOf.get(subjectKey({ kind, id })));
    const old = new Set(oldKeysOf.get(subjectKey({ kind, id })));
    for (const key of old) if (!keys.has(key)) removed.push({ key, kind, id });
    for (const key of keys) if (!old.has(key)) added.push({ key, kind, id });
  }
  await queries.writeKeys(db, removed, added);
}

function uniqueSubjects(hits: ReadonlyMap<string, readonly Subject[]>): Subject[] {
  return [...new Map([...hits.values()].flat().map((subject) => [subjectKey(subject), subject])).values()];
}
