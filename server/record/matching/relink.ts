/** Links made one at a time, outside of the matcher: a reviewer's decision, and taking one back. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Link, LinkOutcome } from './queries.ts';
import { type Subject, subjectKey } from './subjects.ts';
import { type Relinked, writeLinks } from './write-links.ts';

export interface RelinkOptions {
  decidedBy: string | null;
  now: Date;
  outcome: LinkOutcome;
  ruleId: string | null;
  evidence: object;
}

/**
 * Links a subject to a person. Returns what moved: the subject, and source patients that were merged into it, each once. If the
 * subject already belongs to that person, the link is written and nothing moves.
 */
export async function relink(
  db: Queryable,
  subject: Subject,
  personId: string,
  options: RelinkOptions,
): Promise<Relinked[]> {
  const { now, ...reason } = options;
  const from = await personOf(db, subject);
  return writeLinks(db, [{ subject, from, to: personId, ...reason }], now);
}

/** Returns the person that a subject belongs to, and locks the subject's row. Throws if there is no such subject. */
export async function personOf(db: Queryable, subject: Subject): Promise<string> {
  const personId = (await personsOf(db, [subject])).get(subjectKey(subject));
  if (personId === undefined) throw new Error(`There is no ${subject.kind} ${subject.id}`);
  return personId;
}

/** Returns the person that each subject belongs to, by `subjectKey`, and locks the subjects' rows in the order of their ids. */
export async function personsOf(db: Queryable, subjects: readonly Subject[]): Promise<Map<string, string>> {
  const idsOfKind = (kind: Subject['kind']) => subjects.filter((each) => each.kind === kind).map(({ id }) => id);
  const sources = await db.query<Subject & { personId: string }>(sql`
    select 'SOURCE_PATIENT' as kind, id, person_id as "personId" from source_patients
    where id = any (${idsOfKind('SOURCE_PATIENT')}::bigint[]) order by id for update`);
  const listings = await db.query<Subject & { personId: string }>(sql`
    select 'ROSTER_PATIENT' as kind, id, person_id as "personId" from roster_patients
    where id = any (${idsOfKind('ROSTER_PATIENT')}::bigint[]) order by id for update`);
  return new Map([...sources.rows, ...listings.rows].map((row) => [subjectKey(row), row.personId]));
}

/**
 * Whether a link holds regardless of demographics: a reviewer made it, the facility merged the record numbers, or a reviewer
 * undid a link that the matcher had made.
 */
export function isPinned(link: Link | undefined): boolean {
  if (link === undefined) return false;
  if (link.outcome === 'undone') return link.evidence.was === 'matched' || link.evidence.was === 'merged';
  return link.outcome === 'decided' || link.outcome === 'merged';
}
