/**
 * Who is this? Finds the people that a source patient or a roster row may be, lets `decide` choose, and links. Runs again
 * whenever demographics change, and decides from what the tables say now (docs/domain.md, on matching).
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { inTurns } from '#server/platform/threads/in-turns.ts';
import { versionOf } from '#server/record/scoring/decide.ts';
import { type MatchingContext, prepareMatching } from './matching-context.ts';
import { type Subject, type SubjectRecord, subjectKey } from './subjects.ts';
import { type Occasion, reachVerdict, recordVerdicts, type Verdict } from './verdicts.ts';
import type { Relinked } from './write-links.ts';

export interface Identified {
  subject: Subject;
  personId: string;
  outcome: 'matched' | 'review' | 'new';
  /** Whether the subject now belongs to a different person. */
  changed: boolean;
}

/** The result for a set of subjects. `relinked` is everything that moved, including other subjects whose links are now in doubt. */
export interface Identification {
  identified: Identified[];
  relinked: Relinked[];
}

/** Returns the encounters whose pings must be sent again because new links moved them, and the listings that may not have been sent their person's open visits; each once. */
export function movedOf(relinked: readonly Relinked[]): { movedEncounters: string[]; movedListings: string[] } {
  return {
    movedEncounters: [...new Set(relinked.flatMap(({ encounterIds }) => encounterIds))],
    movedListings: [...new Set(relinked.flatMap(({ listingIds }) => listingIds))],
  };
}

export interface IdentifyOptions {
  now: Date;
  /** Whether links that were made stay, because only the matcher's version is new (`verdicts.ts`, "isKept"). */
  keepsLinks?: boolean;
  /** Subjects (`subjectKey`) whom a merge has just put to a person: that link stays unless something contradicts it. */
  joined?: ReadonlySet<string>;
  /** The person whom the merge left without a record, perhaps named in reviews. */
  left?: string | undefined;
}

/**
 * Identifies up to a few hundred subjects, in the order given. Each has a person, a new one a fresh one (`createPersons`); a subject that does not
 * exist is skipped.
 */
export async function identifyAll(
  db: Queryable,
  subjects: readonly Subject[],
  options: IdentifyOptions,
): Promise<Identification> {
  if (subjects.length === 0) return { identified: [], relinked: [] };
  const first = await identifyOnce(db, subjects, options, 'asked');
  const relinked = [...first.relinked];
  const later = { ...options, left: undefined };
  let next = inTurn(first.affected, first.leftBehind, first.outdated);
  for (let pass = 2; next.length > 0 && pass <= MOST_PASSES; pass += 1) {
    const again = await identifyOnce(db, next, later, pass < MOST_PASSES ? 'affected' : 'last');
    relinked.push(...again.relinked);
    next = inTurn(pass < MOST_PASSES - 1 ? again.leftBehind : [], again.outdated);
  }
  return { identified: first.identified, relinked };
}

/** Hardly anyone is left behind in the third pass. The bound keeps links from moving back and forth for ever; the last pass is for reviews only. */
const MOST_PASSES = 6;

/**
 * Returns each subject once, group by group, those of a group in the order of their ids, whatever order the statements found them in: a verdict may depend
 * on those before it.
 */
const inTurn = (...groups: readonly (readonly Subject[])[]): Subject[] => {
  const ordered = groups.flatMap((group) => group.toSorted(byKindAndId));
  return [...new Map(ordered.map((subject) => [subjectKey(subject), subject])).values()];
};

const byKindAndId = (a: Subject, b: Subject): number =>
  Number(a.kind > b.kind) - Number(a.kind < b.kind) || Number(a.id) - Number(b.id);

async function identifyOnce(
  db: Queryable,
  subjects: readonly Subject[],
  { now, ...options }: IdentifyOptions,
  occasion: Occasion,
): Promise<Identification & { affected: Subject[]; leftBehind: Subject[]; outdated: Subject[] }> {
  const { context, writeIndex } = await prepareMatching(db, subjects, options);
  const written = writeIndex();
  // Thrown below, once nothing more is asked: whoever runs the transaction ends it then.
  written.catch(() => {});
  const verdicts: Verdict[] = [];
  for await (const subject of inTurns(context.subjects)) {
    const verdict = await reachVerdict(db, subject, context, occasion, now);
    if (verdict !== null) verdicts.push(verdict);
  }
  await written;
  const relinked = await recordVerdicts(
    db,
    verdicts.filter(({ isOnHold }) => !isOnHold),
    versionOf(context.snapshot),
    now,
  );
  const moved = verdicts.filter(({ from, to }) => from !== to);
  return {
    identified: verdicts.map(identifiedOf),
    relinked,
    affected: verdicts.flatMap((verdict) => verdict.affected),
    // Perhaps they were linked by the record that left.
    leftBehind: moved.flatMap(({ from }) => context.candidates.recordsOf(from)),
    outdated: outdatedIn(context, new Set([options.left, ...moved.map(({ from }) => from)])),
  };
}

/** Returns the subjects whose reviews name someone whom a record has left, perhaps the one that was meant, or the last; and whose reviews name their own person. */
function outdatedIn(
  { candidates, reviews, subjects }: MatchingContext,
  left: ReadonlySet<string | undefined>,
): SubjectRecord[] {
  const decided = new Set(subjects);
  return [...reviews].flatMap(([key, { personIds }]) => {
    const subject = candidates.get(key);
    if (subject === undefined) return [];
    const isOwn = !decided.has(subject) && personIds.includes(subject.personId);
    return isOwn || personIds.some((personId) => left.has(personId)) ? [subject] : [];
  });
}

const identifiedOf = ({ subject, from, to, decision, isOnHold }: Verdict): Identified => ({
  subject: { kind: subject.kind, id: subject.id },
  personId: to,
  outcome: isOnHold ? 'review' : (decision?.outcome ?? 'matched'),
  changed: from !== to,
});
