/** Seeds the demo region's past into a server's empty database. From then on, its hospitals keep sending. */
import type { Logger } from 'pino';
import { ConfigError } from '#server/config.ts';
import type { DemoAccount } from '#server/people/accounts/routes.ts';
import { completeDemo, holdsDemo, holdsPartOfDemo, markDemo } from '#server/platform/database/demo-data.ts';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { sql } from '#server/platform/database/sql.ts';
import { createDirectory } from './directory.ts';
import { replayPast } from './past.ts';
import { makeRegion } from './world/region.ts';
import { DEMO_PASSWORD } from './world/users.ts';
import { demoWorldOptions, makeWorld, type World } from './world/world.ts';

const YEAR = 365 * 86_400_000;
const MINUTE = 60_000;

/** Whether a seeding was interrupted. Another one has to begin on an empty database: what this one wrote would be written twice. */
export async function wasInterrupted(urls: RoleUrls): Promise<boolean> {
  const pipeline = openDatabase(urls.pipeline, { applicationName: 'tidings demo' });
  try {
    return await holdsPartOfDemo(pipeline);
  } finally {
    await pipeline.close();
  }
}

/**
 * Seeds the region if the database has no organization yet. Returns the world, for the live feed to continue. Throws ConfigError if the
 * database holds anything else: a demo would open its mail to everyone.
 */
export async function seedDemo(
  urls: RoleUrls,
  { log, now, publicUrl }: { log: Logger; now: Date; publicUrl: string },
): Promise<World> {
  const app = openDatabase(urls.app, { applicationName: 'tidings demo' });
  const pipeline = openDatabase(urls.pipeline, { applicationName: 'tidings demo' });
  try {
    const begunAt = await firstOrganization(pipeline);
    if (begunAt !== null && !(await holdsDemo(pipeline))) {
      throw new ConfigError(
        "The database holds data that isn't the demo's. Set TIDINGS_DEMO=off, or TIDINGS_DATA_DIR to another folder for the demo.",
      );
    }
    const end = begunAt === null ? Math.floor(now.getTime() / MINUTE) * MINUTE : Date.parse(begunAt) + YEAR;
    const world = makeWorld(demoWorldOptions(new Date(end).toISOString()));
    if (begunAt === null) {
      const { region, options } = world;
      const directory = await pipeline.transaction(async (tx) => {
        await markDemo(tx, now);
        return createDirectory(tx, region, new Date(options.from));
      });
      await replayPast({ app, pipeline, log, publicUrl }, world, directory);
      await completeDemo(pipeline);
    }
    await keepAccountsOpen(pipeline, now);
    return world;
  } finally {
    await app.close();
    await pipeline.close();
  }
}

/** Seeding creates the organizations first, as they were when the region's past begins. */
async function firstOrganization(db: Database): Promise<string | null> {
  const { rows } = await db.query<{ at: string | null }>(sql`select min(created_at) as at from organizations`);
  return rows[0]?.at ?? null;
}

/** Keeps demo accounts and their passwords from expiring, even if the demo was not used for a year. */
async function keepAccountsOpen(db: Database, now: Date): Promise<void> {
  const usernames = makeRegion().users.map((user) => user.email);
  await db.query(sql`
    update users set password_changed_at = ${now}, activated_at = ${now} where username = any(${usernames}::text[])`);
}

/** Returns the accounts that the sign-in page shows. */
export function demoAccounts(): DemoAccount[] {
  return makeRegion()
    .users.filter((user) => user.isShownOnStart)
    .map((user) => ({ username: user.email, password: DEMO_PASSWORD, about: user.title }));
}
