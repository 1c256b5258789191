/** The complete server process with the demo's region: its people, rosters and accounts, but none of its past. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { TEAM_HEADER } from '#contract/constants.ts';
import { createDirectory, idOf } from '#demo/directory.ts';
import { uploadRosters } from '#demo/past.ts';
import { DEMO_PASSWORD } from '#demo/world/users.ts';
import { makeWorld, type World } from '#demo/world/world.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { freePort } from '#server/platform/database/embedded/postmaster.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';

export interface RegionProcess {
  world: World;
  url: string;
  mllpPort: number;
  /** Of the process. */
  pid: number;
  /** Returns the id of a group of the region. */
  groupId(key: string): string;
  /** Signs in a demo account of a group: the one that is shown on start, or one with the role. Returns the headers of its calls. */
  signIn(group: string, role?: string): Promise<Caller>;
  stop(): Promise<void>;
}

export interface Caller {
  teamId: string;
  headers: Record<string, string>;
}

/** Fills the empty database of `urls` and starts the server on it. */
export async function startRegion(
  adminUrl: string,
  urls: RoleUrls,
  { seed, people = 2000, visits = 2400 }: { seed: string; people?: number; visits?: number },
): Promise<RegionProcess> {
  const to = '2026-11-20T00:00:00.000Z';
  const world = makeWorld({ seed, people, visits, from: '2025-11-20T00:00:00.000Z', to });
  const db = { app: openDatabase(urls.app, { max: 3 }), pipeline: openDatabase(urls.pipeline, { max: 3 }) };
  await ensurePartitions(db.pipeline, new Date(to), new Date(world.options.from));
  // Dated today, because users who have not signed in for 90 days are locked out.
  const directory = await createDirectory(db.pipeline, world.region, new Date());
  await uploadRosters(db, world, directory, new Date(world.options.from));
  await Promise.all([db.app.close(), db.pipeline.close()]);

  const [web, mllpPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${web}`;
  const database = new URL(adminUrl);
  database.pathname = new URL(urls.app).pathname;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: database.href,
      PORT: String(web),
      MLLP_PORT: String(mllpPort),
      TIDINGS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      TIDINGS_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  await once(child.stdout, 'data');

  async function signIn(group: string, role?: string): Promise<Caller> {
    const team = world.region.teams.find(({ groups }) => groups.includes(group));
    const user = world.region.users.find(
      ({ isShownOnStart, grants }) =>
        (isShownOnStart || role) && grants.some((grant) => grant.team === team?.key && (!role || grant.role === role)),
    );
    if (!team || !user) throw new Error(`The demo region has no sign-in account for ${group}`);
    const answer = await fetch(`${url}/api/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ username: user.email, password: DEMO_PASSWORD }),
    });
    if (!answer.ok) throw new Error(`The demo account could not sign in: ${answer.status}`);
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
    const teamId = idOf(directory.teams, team.key);
    return { teamId, headers: { cookie: cookies.join('; '), origin: url, [TEAM_HEADER]: teamId } };
  }

  return {
    world,
    url,
    mllpPort,
    pid: child.pid ?? 0,
    groupId: (key) => idOf(directory.groups, key),
    signIn,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
