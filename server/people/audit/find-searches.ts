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
}

/** Returns the calls whose question holds every word of the text, oldest first. Reads all entries that are kept. */
export async function findSearches(db: Queryable, text: string, hash: AuditHash): Promise<FoundSearch[]> {
  const hashes = JSON.stringify(hash(text));
  const { rows } = await db.query<FoundSearch>(sql`
    select at, user_id as "userId", team_id as "teamId", address, action, request_id as "requestId"
    from audit_entries
    where detail ? 'asked' and not exists (
      select from jsonb_array_elements(${hashes}::jsonb) word
      where not jsonb_path_exists(detail, '$.asked.** ? (@ == $word)', jsonb_build_object('word', word)))
    order by at, id`);
  return rows;
}
