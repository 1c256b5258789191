import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { ListSnapshot } from '#server/record/scoring/common-values.ts';
import { KNOWN_RECORD } from '#server/record/scoring/decide.ts';
import { type KeptFrom, keptSubjects, loadKeptFrom } from './apart.ts';
import { entryOf, findByKeys, loadEntries, lockKeys, replaceEntries } from './blocking-index.ts';
import { Candidates } from './candidates.ts';
import { doubtfulPersons } from './doubtful-persons.ts';
import { newestSnapshot } from './list-snapshots.ts';
import { loadNeighbors } from './neighbors.ts';
import { keptApart, type OpenReview, openReviews, takenFrom } from './open-reviews.ts';
import { type Link, loadLinks, loadMerged, loadSubjects } from './queries.ts';
import { type KnownDemographics, type Subject, type SubjectRecord, subjectKey } from './subjects.ts';

/** What identifying a set of subjects looks at. Maps are by `subjectKey`. */
export interface MatchingContext {
  /** The subjects to identify, in the order they were given. */
  subjects: SubjectRecord[];
  candidates: Candidates;
  /** Also of those merged into the subjects. */
  keys: ReadonlyMap<string, readonly number[]>;
  /** The keys from before the demographics changed. */
  oldKeys: ReadonlyMap<string, readonly number[]>;
  links: ReadonlyMap<string, Link>;
  /** Subjects whom the facility's merge has just put to a person (`merges.ts`): as if the matcher had linked them before. */
  joined: ReadonlySet<string>;
  /** Rows that share a person with another row of their list because someone decided so. */
  decided: ReadonlySet<string>;
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

export interface ContextOptions {
  keepsLinks?: boolean | undefined;
  joined?: ReadonlySet<string> | undefined;
}

/** Locks the subjects' blocking keys and those of the record numbers merged into them, updates them in the index, and loads everyone who shares one. */
export async function loadMatchingContext(
  db: Queryable,
  subjects: readonly Subject[],
  options: ContextOptions = {},
): Promise<MatchingContext> {
  const { context, writeIndex } = await prepareMatching(db, subjects, options);
  await writeIndex();
  return context;
}

/** The same, except that `writeIndex` updates the index: PostgreSQL can do that while this thread decides. */
export async function prepareMatching(
  db: Queryable,
  subjects: readonly Subject[],
  { keepsLinks = false, joined = new Set() }: ContextOptions = {},
): Promise<{ context: MatchingContext; writeIndex: () => Promise<void> }> {
  const texts: KnownDemographics = new Map();
  const [, records] = await Promise.all([onlyByIndex(db), loadSubjects(db, subjects, texts)]);
  const merged = await loadMerged(db, records);
  const all = [
    ...new Map([...records, ...[...merged.values()].flat()].map((each) => [subjectKey(each), each])).values(),
  ];
  const entries = new Map(all.map((record) => [subjectKey(record), entryOf(record.demographics)]));
  const stored = await loadEntries(db, all);
  const keys = new Map([...entries].map(([subject, entry]) => [subject, entry.keys]));
  const oldKeys = new Map([...stored].map(([subject, entry]) => [subject, entry.keys]));
  const allKeys = new Set([...keys.values(), ...oldKeys.values()].flat());
  await lockKeys(db, allKeys);
  const [hits, snapshot, links, keptFromAsked] = await Promise.all([
    findByKeys(db, [...entries.values(), ...stored.values()], { subjects: all, entries }),
    newestSnapshot(db),
    loadLinks(db, records),
    loadKeptFrom(db, all),
  ]);
  const { apart, held } = keptFromAsked;
  const kept = [...apart.values(), ...held.values(), ...keptSubjects(keptFromAsked)];
  const asked = new Set(records);
  const isPlain = (record: SubjectRecord): boolean => {
    const key = subjectKey(record);
    return asked.has(record) && ![merged, joined, apart, held].some((known) => known.has(key));
  };
  const keysOf = (record: SubjectRecord): number[] => {
    const key = subjectKey(record);
    return [...(keys.get(key) ?? []), ...(oldKeys.get(key) ?? [])];
  };
  const known = await loadNeighbors(db, { all, kept, hits, keysOf, isPlain, known: texts });
  const [keptFrom, undone, decidedApart, doubtful, reviews, decided] = await Promise.all([
    loadKeptFrom(db, known),
    takenFrom(db, known),
    keptApart(db, known),
    doubtfulPersons(
      db,
      known.map(({ personId }) => personId),
    ),
    openReviews(db, known),
    decidedRows(db, known),
  ]);
  const candidates = new Candidates(known, hits, new Map([...undone, ...decidedApart]), merged);
  // New subjects become candidates one at a time, as if they had arrived one after another.
  const hide = (key: string): void => {
    const record = candidates.get(key);
    if (record) candidates.hide(record);
  };
  for (const record of records) if (!links.has(subjectKey(record))) hide(subjectKey(record));
  for (const [key, review] of reviews) {
    // Whether a merge is right says nothing about the link that the subject has.
    if (review.ruleId === KNOWN_RECORD && (keptFrom.apart.has(key) || !keptFrom.held.has(key))) hide(key);
  }
  const ordered = inOrder(records, subjects, candidates);
  const rest = { keptFrom, reviews, keepsLinks, joined, decided, doubtful, snapshot };
  return {
    context: { subjects: ordered, candidates, keys, oldKeys, links, ...rest },
    writeIndex: () => replaceEntries(db, all, stored, entries),
  };
}

/**
 * Until the transaction ends, rows are looked up by index. PostgreSQL keeps the plan of a statement, and one from when there were few keys would go
 * through all of them for each key.
 */
const onlyByIndex = (db: Queryable): Promise<unknown> =>
  db.query(sql`select set_config('enable_seqscan', 'off', true)`);

/** Returns the rows that share a person with another row of their list because someone decided so. */
async function decidedRows(db: Queryable, known: readonly SubjectRecord[]): Promise<Set<string>> {
  const listed = known.filter(({ listedBy }) => listedBy !== null);
  const shared = [...Map.groupBy(listed, ({ listedBy, personId }) => `${listedBy}/${personId}`).values()];
  const rows = shared.filter(({ length }) => length > 1).flat();
  if (rows.length === 0) return new Set();
  const links = await loadLinks(db, rows);
  return new Set([...links].filter(([, { outcome }]) => outcome === 'decided').map(([key]) => key));
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
