/** Finds who asked for a name, a birth date or a number, from the hashes that the audit log keeps of what was typed. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { AuditHash } from './audit-hash.ts';

/** A call that asked for the words. */
export interface FoundSearch {
  at: string;
  userId: string | null;
  teamId: string | null;
  address: string | null;
  action: string;
  requestId: string | null;
  /** Whether the question holds every word. If not, one of its texts holds only some of them, and no other word. */
  isWhole: boolean;
}

/**
 * Returns the calls whose question holds every word of the text, or has a text of fewer words that are all among them, such as the family name
 * alone, oldest first. Reads all entries that are kept.
 */
export async function findSearches(db: Queryable, text: string, hash: AuditHash): Promise<FoundSearch[]> {
  const hashes = JSON.stringify(hash(text));
  const { rows } = await db.query<FoundSearch>(sql`
    select at, user_id as "userId", team_id as "teamId", address, action, request_id as "requestId", "isWhole"
    from audit_entries cross join lateral (
      select not exists (
        select from jsonb_array_elements(${hashes}::jsonb) word
        where not jsonb_path_exists(detail, '$.asked.** ? (@ == $word)', jsonb_build_object('word', word))) as "isWhole") found
    where detail ? 'asked' and ("isWhole" or exists (
      select from jsonb_path_query(detail, 'strict $.asked.** ? (@.type() == "array" && @.size() > 0)', silent => true) text
      where text <@ ${hashes}::jsonb))
    order by at, id`);
  return rows;
}
