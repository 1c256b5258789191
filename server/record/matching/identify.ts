/**
 * Who is this? Finds the people that a source patient or a roster row may be, lets `decide` choose, and links. Runs again
 * whenever demographics change, and decides from what the tables say now (docs/domain.md, on matching).
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { versionOf } from '#server/record/scoring/decide.ts';
import { loadMatchingContext, type MatchingContext } from './matching-context.ts';
import { type Subject, subjectKey } from './subjects.ts';
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

/**
 * Identifies one subject. Its row must exist and have a person; a new row has a fresh provisional one (`createPersons`).
 * The pings of `movedEncounters` must be sent again, and `movedListings` may not have been sent their person's open visits.
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

/** Returns the encounters and listings that new links moved, each once. */
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
  left?: string;
}

/** Identifies up to a few hundred subjects, in the order given. A subject that does not exist is skipped. */
export async function identifyAll(
  db: Queryable,
  subjects: readonly Subject[],
  options: IdentifyOptions,
): Promise<Identification> {
  if (subjects.length === 0) return { identified: [], relinked: [] };
  const first = await identifyOnce(db, subjects, options, 'asked');
  if (first.affected.length + first.orphaned.length === 0) return first;
  const { identified } = first;
  const second = await identifyOnce(db, [...first.affected, ...first.orphaned], options, 'affected');
  const relinked = [...first.relinked, ...second.relinked];
  if (second.orphaned.length === 0) return { identified, relinked };
  const third = await identifyOnce(db, second.orphaned, options, 'affected');
  return { identified, relinked: [...relinked, ...third.relinked] };
}

async function identifyOnce(
  db: Queryable,
  subjects: readonly Subject[],
  { now, ...options }: IdentifyOptions,
  occasion: Occasion,
): Promise<Identification & { affected: Subject[]; orphaned: Subject[] }> {
  const context = await loadMatchingContext(db, subjects, options);
  const verdicts: Verdict[] = [];
  for (const subject of context.subjects) {
    const verdict = await reachVerdict(db, subject, context, occasion, now);
    if (verdict !== null) verdicts.push(verdict);
  }
  const relinked = await recordVerdicts(
    db,
    verdicts.filter(({ isOnHold }) => !isOnHold),
    versionOf(context.snapshot),
    now,
  );
  const affected = new Map(verdicts.flatMap((verdict) => verdict.affected).map((other) => [subjectKey(other), other]));
  return {
    identified: verdicts.map(identifiedOf),
    relinked,
    affected: [...affected.values()],
    orphaned: orphanedIn(context, options.left),
  };
}

/** Returns the subjects whose reviews name a person without records, or their own person. */
const orphanedIn = ({ candidates, reviews }: MatchingContext, left: string | undefined): Subject[] =>
  [...reviews].flatMap(([key, { personIds }]) => {
    const subject = candidates.get(key);
    if (subject === undefined) return [];
    const isOver = (personId: string): boolean =>
      personId === left || personId === subject.personId || candidates.isEmpty(personId);
    return personIds.some(isOver) ? [subject] : [];
  });

const identifiedOf = ({ subject, from, to, decision, isOnHold }: Verdict): Identified => ({
  subject: { kind: subject.kind, id: subject.id },
  personId: to,
  outcome: isOnHold ? 'review' : (decision?.outcome ?? 'matched'),
  changed: from !== to,
});
