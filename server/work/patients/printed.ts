import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/** Names the patients of a print-out in the audit's entry about the call. Errors: NOT_FOUND for one who is on none of the actor's lists. */
export async function notePrinted(db: Database, actor: Actor, patientIds: readonly string[]): Promise<void> {
  const ids = new Set(patientIds.map((id) => id.split('_')[0] ?? ''));
  const found = new Set<string>();
  for (const flag of ['canViewPatients', 'canViewPings'] as const) {
    const { rows } = await asActor(
      db,
      actor,
      flag,
      (tx) =>
        tx.query<{ id: string }>(sql`
          select r.id from roster_patients r where r.id = any (${[...ids]}::bigint[]) and ${mayReadListing(tx.groupIds)}`),
      { readOnly: true },
    );
    for (const { id } of rows) found.add(id);
  }
  if (found.size < ids.size) throw new ApiError('NOT_FOUND');
  notePatients([...ids]);
}
