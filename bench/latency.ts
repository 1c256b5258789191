/** Measures the time from the last byte of a message to the event on an open page's stream, with the complete server process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { TEAM_HEADER } from '#contract/constants.ts';
import { createDirectory, idOf } from '#demo/directory.ts';
import { openSender } from '#demo/live-feed.ts';
import { uploadRosters } from '#demo/past.ts';
import { DEMO_PASSWORD } from '#demo/world/users.ts';
import { expectedPings, makeWorld, type World } from '#demo/world/world.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { freePort } from '#server/platform/database/embedded/postmaster.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { quantile, table } from './table.ts';

const GROUP = 'lakeshore-aco';
const MEASURED = 100;
const TIMEOUT = 2000;

/** Returns the messages that cause a ping for the group, each as `visit step`. */
function messagesWithPing(world: World): Set<string> {
  const stepOf = new Map(
    world.truth.visits.flatMap(({ visit, events }) =>
      events.map(({ code, at, step }) => [`${visit} ${code} ${at}`, `${visit} ${step}`] as const),
    ),
  );
  const steps = expectedPings(world)
    .filter(({ group, precision }) => group === GROUP && precision === 'minute')
    .map(({ visit, code, at }) => stepOf.get(`${visit} ${code} ${at}`) ?? '');
  return new Set(steps);
}

/** Opens a team's live stream, calls `onPing` for each ping, and returns a function that closes the stream. */
async function openStream(url: string, username: string, teamId: string, onPing: () => void): Promise<() => void> {
  const signIn = await fetch(`${url}/api/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username, password: DEMO_PASSWORD }),
  });
  if (!signIn.ok) throw new Error(`The demo account could not sign in: ${signIn.status}`);
  const cookie = signIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const aborted = new AbortController();
  const stream = await fetch(`${url}/api/live?teamId=${teamId}`, {
    headers: { cookie, [TEAM_HEADER]: teamId },
    signal: aborted.signal,
  });
  if (!stream.ok || !stream.body) throw new Error(`The stream could not be opened: ${stream.status}`);
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream.body as AsyncIterable<Uint8Array>)
      for (const line of decoder.decode(chunk, { stream: true }).split('\n')) if (line === 'event: ping') onPing();
  };
  void read().catch(() => {});
  return () => aborted.abort();
}

/** Runs the bench and prints a table. */
export async function benchLatency(adminUrl: string, urls: RoleUrls): Promise<void> {
  const to = '2026-11-20T00:00:00.000Z';
  const world = makeWorld({ seed: 'latency', people: 2000, visits: 2400, from: '2025-11-20T00:00:00.000Z', to });
  const db = { app: openDatabase(urls.app, { max: 3 }), pipeline: openDatabase(urls.pipeline, { max: 3 }) };
  await ensurePartitions(db.pipeline, new Date(to), new Date(world.options.from));
  // Dated today, because users who have not signed in for 90 days are locked out.
  const directory = await createDirectory(db.pipeline, world.region, new Date());
  await uploadRosters(db, world, directory, new Date(world.options.from));
  await Promise.all([db.app.close(), db.pipeline.close()]);

  const [web, mllp] = [await freePort(), await freePort()];
  const database = new URL(adminUrl);
  database.pathname = new URL(urls.app).pathname;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: database.href,
      PORT: String(web),
      MLLP_PORT: String(mllp),
      TIDINGS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      TIDINGS_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  await once(child.stdout, 'data');
  const team = world.region.teams.find(({ groups }) => groups.includes(GROUP));
  const user = world.region.users.find(
    ({ isShownOnStart, grants }) => isShownOnStart && grants.some((grant) => grant.team === team?.key),
  );
  if (!team || !user) throw new Error(`The demo region has no sign-in account for ${GROUP}`);
  let onPing = () => {};
  const close = await openStream(`http://127.0.0.1:${web}`, user.email, idOf(directory.teams, team.key), () =>
    onPing(),
  );
  const sender = await openSender('127.0.0.1', mllp);
  const withPing = messagesWithPing(world);
  const times: number[] = [];
  let missed = 0;
  for (const message of world.messages) {
    if (times.length === MEASURED) break;
    if (message.isDuplicate || !withPing.has(`${message.visit} ${message.step}`)) {
      await sender.send(message.bytes);
      continue;
    }
    const arrived = new Promise<boolean>((resolve) => {
      onPing = () => resolve(true);
      setTimeout(() => resolve(false), TIMEOUT);
    });
    const start = performance.now();
    const acknowledged = sender.send(message.bytes);
    if (await arrived) times.push(performance.now() - start);
    else missed += 1;
    onPing = () => {};
    await acknowledged;
  }
  close();
  sender.close();
  child.kill();
  await once(child, 'exit');
  const ms = (part: number) => `${quantile(times, part).toFixed(0)} ms`;
  table(
    'From the last byte of a message to its event on an open stream, one message at a time',
    ['pings', 'p50', 'p99', 'max', `none within ${TIMEOUT} ms`],
    [[String(times.length), ms(0.5), ms(0.99), ms(1), String(missed)]],
  );
}
