import { expect, test } from 'vitest';
import { DatabaseBusyError } from '#server/platform/database/errors.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { route } from './route.ts';

let running = 0;
let most = 0;
let gate = Promise.resolve();
let open = () => {};
/** Lets calls of the test's route wait until `open()`. */
function close(): void {
  most = 0;
  gate = new Promise((resolve) => {
    open = resolve;
  });
}

const app = await startApp({
  userCallsPerMinute: 400,
  routes: () => [
    route('GET /api/pings/count/:kind', async () => {
      running += 1;
      most = Math.max(most, running);
      await gate;
      running -= 1;
      return { count: 0 };
    }),
    route('GET /api/patients/count', () => {
      throw new DatabaseBusyError('no connection is free');
    }),
  ],
});
const newClient = async () =>
  signIn(app, (await app.make.user({ team: await app.make.team(), role: 'administrator' })).username);
const count = (client: Awaited<ReturnType<typeof newClient>>, init: RequestInit = {}) =>
  client.fetch('/api/pings/count/open', init);

test('six calls of a user run at the same time, the others wait; other users do not', async () => {
  const [client, other] = [await newClient(), await newClient()];
  close();
  const calls = Array.from({ length: 20 }, () => count(client));
  await expect.poll(() => running).toBe(6);
  const ofOther = count(other);
  await expect.poll(() => running).toBe(7);
  open();
  for (const call of [...calls, ofOther]) expect((await call).status).toBe(200);
  expect(most).toBe(7);
});

test('calls that were given up leave their turn to others', async () => {
  const client = await newClient();
  close();
  const abort = new AbortController();
  const calls = Array.from({ length: 12 }, () => count(client, { signal: abort.signal }).catch(() => null));
  await expect.poll(() => running).toBe(6);
  abort.abort();
  await Promise.all(calls);
  open();
  await expect.poll(() => running).toBe(0);
  for (let round = 0; round < 20; round += 1) expect((await count(client)).status).toBe(200);
});

test('too many calls that wait are refused', async () => {
  const client = await newClient();
  close();
  const calls = Array.from({ length: 120 }, () => count(client));
  let refused = 0;
  for (const call of calls) void call.then(({ status }) => (refused += status === 429 ? 1 : 0));
  await expect.poll(() => refused, { timeout: 10_000 }).toBe(14);
  open();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(106);
});

test('opening streams takes turns like calls do, but an open stream does not keep its turn', async () => {
  const team = await app.make.team();
  const client = await signIn(app, (await app.make.user({ team, role: 'administrator' })).username);
  const streams = await Promise.all(Array.from({ length: 120 }, () => client.fetch(`/api/live?teamId=${team.id}`)));
  const statuses = streams.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(6);
  expect(statuses).toContain(429);
  for (const { body } of streams) await body?.cancel();
});

test('a user may make only so many calls a minute, and others still may', async () => {
  const [client, other] = [await newClient(), await newClient()];
  const statuses: number[] = [];
  // A minute may begin while these run, so this is enough calls for two of them.
  for (let calls = 0; calls < 900 && !statuses.includes(429); calls += 20)
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, async () => (await count(client)).status))));
  expect(statuses).toContain(429);
  expect((await count(other)).status).toBe(200);
});

test('a call that finds the database busy is answered with 503 and when to try again', async () => {
  const response = await (await newClient()).fetch('/api/patients/count');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3']);
  expect(await response.json()).toMatchObject({ errorKey: 'BUSY' });
});
