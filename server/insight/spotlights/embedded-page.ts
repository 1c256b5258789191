import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Returns the address of the page that the actor's organization embeds; null for none, and for one at a host that is no longer allowed. */
export async function embeddedPage(db: Database, actor: Actor, hosts: readonly string[]): Promise<string | null> {
  const { rows } = await asActor(
    db,
    actor,
    'canViewSpotlightsWithTableau',
    (tx) =>
      tx.query<{ url: string | null }>(
        sql`select embedded_spotlights as url from organizations where id = ${actor.organizationId}`,
      ),
    { readOnly: true },
  );
  const url = rows[0]?.url ?? null;
  return url !== null && hosts.includes(new URL(url).host) ? url : null;
}
