/**
 * Who is this? Finds the people that a source patient or a roster row may be, lets `decide` choose, and links. Runs again
 * whenever demographics change, and decides from what the tables say now (docs/domain.md, on matching).
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { versionOf } from '#server/record/scoring/decide.ts';
import { loadMatchingContext } from './matching-context.ts';
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
}

/** Identifies up to a few hundred subjects, in the order given. A subject that does not exist is skipped. */
export async function identifyAll(
  db: Queryable,
  subjects: readonly Subject[],
  options: IdentifyOptions,
): Promise<Identification> {
  const first = await identifyOnce(db, subjects, options, 'asked');
  if (first.affected.length === 0) return first;
  const second = await identifyOnce(db, first.affected, options, 'affected');
  return { identified: first.identified, relinked: [...first.relinked, ...second.relinked] };
}

async function identifyOnce(
  db: Queryable,
  subjects: readonly Subject[],
  { now, keepsLinks }: IdentifyOptions,
  occasion: Occasion,
): Promise<Identification & { affected: Subject[] }> {
  const context = await loadMatchingContext(db, subjects, keepsLinks);
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
  return { identified: verdicts.map(identifiedOf), relinked, affected: [...affected.values()] };
}

const identifiedOf = ({ subject, from, to, decision, isOnHold }: Verdict): Identified => ({
  subject: { kind: subject.kind, id: subject.id },
  personId: to,
  outcome: isOnHold ? 'review' : (decision?.outcome ?? 'matched'),
  changed: from !== to,
});
