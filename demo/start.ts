/** The demo region in a running server: its past on an empty database, its hospitals from then on. */
import type { Logger } from 'pino';
import type { DemoAccount } from '#server/accounts/routes.ts';
import type { Database } from '#server/database/pool.ts';
import { sql } from '#server/database/sql.ts';
import { createDirectory } from './directory.ts';
import { livePast } from './past.ts';
import { makeRegion } from './world/region.ts';
import { DEMO_PASSWORD } from './world/users.ts';
import { demoWorldOptions, makeWorld, type World } from './world/world.ts';

export interface DemoDeps {
  app: Database;
  pipeline: Database;
  log: Logger;
}

/** Seeds the region where the database holds no organisation yet; answers the world whose story goes on now. */
export async function seedDemo(deps: DemoDeps, now: Date): Promise<{ world: World; isNew: boolean }> {
  const world = makeWorld(demoWorldOptions(now.toISOString()));
  const { rows } = await deps.pipeline.query<{ isEmpty: boolean }>(
    sql`select not exists (select from organizations) as "isEmpty"`,
  );
  const isNew = rows[0]?.isEmpty ?? false;
  if (isNew) {
    const directory = await createDirectory(deps.pipeline, world.region, new Date(world.options.from));
    await livePast(deps, world, directory);
  }
  await keepAccountsOpen(deps.pipeline, now);
  return { world, isNew };
}

/** Demo accounts never expire: a demo that was left alone for a year opens as on its first day. */
async function keepAccountsOpen(db: Database, now: Date): Promise<void> {
  const usernames = makeRegion().users.map((user) => user.email);
  await db.query(sql`
    update users set password_changed_at = ${now}, activated_at = ${now},
      current_login_at = case when current_login_at is not null then ${now}::timestamptz end
    where username = any(${usernames}::text[])`);
}

/** The accounts that the sign-in page names. */
export function demoAccounts(): DemoAccount[] {
  return makeRegion()
    .users.filter((user) => user.isShownOnStart)
    .map((user) => ({ username: user.email, password: DEMO_PASSWORD, about: user.title }));
}
