/** Persons with a link that an earlier version of the matcher made and this one would not make (`doubtful_links`, docs/matching.md). */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { KNOWN_RECORD } from '#server/record/scoring/decide.ts';

/**
 * Condition on `doubtful_links d`: the link is still in force. It is not if the matcher has made it since from other facts, or if a person confirmed it
 * or took it back; if only its known record number keeps it, it is.
 */
export const IS_IN_FORCE: Sql = sql`exists (
  select from (
    select l.id, l.outcome, l.rule_id, l.person_id from person_links l
    where l.subject = d.subject and l.subject_id = d.subject_id order by l.id desc limit 1) newest
  where newest.outcome = 'matched' and newest.person_id = d.person_id
    and (newest.id = d.link_id or newest.rule_id = ${KNOWN_RECORD}))`;

/** Returns those of the persons that have such a link. */
export async function doubtfulPersons(db: Queryable, personIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(sql`
    select distinct d.person_id as id from doubtful_links d where d.person_id = any (${personIds}::bigint[]) and ${IS_IN_FORCE}`);
  return new Set(rows.map(({ id }) => id));
}
