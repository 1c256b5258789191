/** The demo region in a running server: its past on an empty database, its hospitals from then on. */
import type { Logger } from 'pino';
import type { DemoAccount } from '#server/people/accounts/routes.ts';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { sql } from '#server/platform/database/sql.ts';
import { createDirectory, loadDirectory } from './directory.ts';
import { livePast } from './past.ts';
import { makeRegion } from './world/region.ts';
import { DEMO_PASSWORD } from './world/users.ts';
import { demoWorldOptions, makeWorld, type World } from './world/world.ts';

const YEAR = 365 * 86_400_000;
const MINUTE = 60_000;

/**
 * Seeds the region where the database holds no organisation yet, or goes on where an earlier start was killed while it did; answers
 * the world whose story goes on now.
 */
export async function seedDemo(urls: RoleUrls, log: Logger, now: Date): Promise<World> {
  const app = openDatabase(urls.app, { applicationName: 'tidings demo' });
  const pipeline = openDatabase(urls.pipeline, { applicationName: 'tidings demo' });
  try {
    const { begunAt, isComplete } = await progressOf(pipeline);
    const end = begunAt === null ? Math.floor(now.getTime() / MINUTE) * MINUTE : Date.parse(begunAt) + YEAR;
    const world = makeWorld(demoWorldOptions(new Date(end).toISOString()));
    if (!isComplete) {
      const { region, options } = world;
      const directory = await pipeline.transaction((tx) =>
        begunAt === null ? createDirectory(tx, region, new Date(options.from)) : loadDirectory(tx, region),
      );
      await livePast({ app, pipeline, log }, world, directory);
    }
    await keepAccountsOpen(pipeline, now);
    return world;
  } finally {
    await app.close();
    await pipeline.close();
  }
}

/** The organisations are the first thing that is made, and what coordinators did with the pings the last. */
async function progressOf(db: Database): Promise<{ begunAt: string | null; isComplete: boolean }> {
  const { rows } = await db.query<{ begunAt: string | null; isComplete: boolean }>(sql`
    select (select min(created_at) from organizations) as "begunAt",
      exists (select from management_statuses where user_id is not null) as "isComplete"`);
  return rows[0] ?? { begunAt: null, isComplete: false };
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
