import type { Queryable } from '#server/platform/database/pool.ts';
import { blockingKeys } from '#server/record/scoring/blocking.ts';
import type { ListSnapshot } from '#server/record/scoring/common-values.ts';
import { KNOWN_RECORD } from '#server/record/scoring/decide.ts';
import { type KeptFrom, keptSubjects, loadKeptFrom } from './apart.ts';
import { findByKeys, loadKeys, lockKeys, replaceKeys } from './blocking-index.ts';
import { Candidates } from './candidates.ts';
import { doubtfulPersons } from './doubtful-persons.ts';
import { newestSnapshot } from './list-snapshots.ts';
import { keptApart, type OpenReview, openReviews, takenFrom } from './open-reviews.ts';
import { type Link, loadLinks, loadPersonsOf, loadSubjects } from './queries.ts';
import { type Subject, type SubjectRecord, subjectKey } from './subjects.ts';

/** What identifying a set of subjects looks at. Maps are by `subjectKey`. */
export interface MatchingContext {
  /** The subjects to identify, in the order they were given. */
  subjects: SubjectRecord[];
  candidates: Candidates;
  keys: ReadonlyMap<string, string[]>;
  /** The keys from before the demographics changed. */
  oldKeys: ReadonlyMap<string, string[]>;
  links: ReadonlyMap<string, Link>;
  keptFrom: KeptFrom;
  /** Follows each verdict. */
  reviews: Map<string, OpenReview>;
  /** Whether links that were made stay, because only the matcher's version is new (`verdicts.ts`, "isKept"). */
  keepsLinks: boolean;
  /** Persons whose links the present version of the matcher would not all make. */
  doubtful: ReadonlySet<string>;
  /** What the installation's own lists are like, if that was ever frozen. */
  snapshot: ListSnapshot | null;
}

/** Locks the subjects' blocking keys, updates them in the index, and loads everyone who shares one. */
export async function loadMatchingContext(
  db: Queryable,
  subjects: readonly Subject[],
  keepsLinks = false,
): Promise<MatchingContext> {
  const records = await loadSubjects(db, subjects);
  const keys = new Map(records.map((record) => [subjectKey(record), blockingKeys(record.demographics)]));
  const oldKeys = await loadKeys(db, records);
  const allKeys = new Set([...keys.values(), ...oldKeys.values()].flat());
  await lockKeys(db, allKeys);
  await replaceKeys(db, records, oldKeys, keys);
  const [hits, snapshot] = await Promise.all([findByKeys(db, [...allKeys]), newestSnapshot(db)]);
  const found = [...records, ...uniqueSubjects(hits)];
  const keptFrom = await loadKeptFrom(db, found);
  const { apart, held } = keptFrom;
  const known = await loadPersonsOf(db, [...found, ...apart.values(), ...held.values(), ...keptSubjects(keptFrom)]);
  const undone = keepsLinks ? await takenFrom(db, known) : new Map<string, Set<string>>();
  const candidates = new Candidates(known, hits, new Map([...undone, ...(await keptApart(db, known))]));
  const links = await loadLinks(db, records);
  const doubtful = await doubtfulPersons(
    db,
    known.map(({ personId }) => personId),
  );
  // New subjects become candidates one at a time, as if they had arrived one after another.
  for (const record of records) if (!links.has(subjectKey(record))) candidates.hide(subjectKey(record));
  const reviews = await openReviews(db, candidates.subjects());
  for (const [key, review] of reviews) {
    // Whether a merge is right says nothing about the link that the subject has.
    if (review.ruleId === KNOWN_RECORD && (apart.has(key) || !held.has(key))) candidates.hide(key);
  }
  const ordered = inOrder(records, subjects, candidates);
  const rest = { keptFrom, reviews, keepsLinks, doubtful, snapshot };
  return { subjects: ordered, candidates, keys, oldKeys, links, ...rest };
}

function inOrder(
  records: readonly SubjectRecord[],
  given: readonly Subject[],
  candidates: Candidates,
): SubjectRecord[] {
  const order = new Map(given.map((subject, position) => [subjectKey(subject), position]));
  return records
    .toSorted((a, b) => (order.get(subjectKey(a)) ?? 0) - (order.get(subjectKey(b)) ?? 0))
    .map((record) => candidates.get(subjectKey(record)))
    .filter((record) => record !== undefined);
}

function uniqueSubjects(hits: ReadonlyMap<string, readonly Subject[]>): Subject[] {
  return [...new Map([...hits.values()].flat().map((subject) => [subjectKey(subject), subject])).values()];
}
