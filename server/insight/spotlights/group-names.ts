import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { facilitiesOf } from '#server/work/patients/queries.ts';

/** Returns the groups for which the actor holds canViewSpotlights, by name. */
export async function groupNames(db: Database, actor: Actor): Promise<{ id: string; name: string }[]> {
  const groups = await asActor(db, actor, 'canViewSpotlights', (tx) => facilitiesOf(tx, [...tx.groupIds]), {
    readOnly: true,
  });
  return [...groups.values()].map(({ id, name }) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name));
}
