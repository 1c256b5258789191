import { expect, test } from 'vitest';
import { buildHttp } from '#server/http.ts';
import { createLog } from '#server/platform/http/log.ts';
import { startApp } from '#server/testing/app.ts';
import { route } from './route.ts';

const app = await startApp();

/** A server on which looking a session up takes until `release`. */
async function start() {
  const { routes } = await import('#contract/routes.ts');
  const state = { running: 0, most: 0 };
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const http = await buildHttp({
    config: { publicUrl: 'https://tidings.test', trustedProxies: ['127.0.0.0/8'] },
    log: createLog('silent'),
    db: app.database.app,
    sessions: {
      find: async () => {
        state.running += 1;
        state.most = Math.max(state.most, state.running);
        await promise;
        state.running -= 1;
        return null;
      },
    },
    audit: app.audit,
    routes: (Object.keys(routes) as (keyof typeof routes)[]).map((key) => route(key, () => ({}))),
    webRoot: 'nothing-built',
  });
  const call = async (address: string) => {
    const headers = { cookie: '__Host-tidings_session=invented', 'x-forwarded-for': address };
    return (await http.inject({ url: '/api/me', headers })).statusCode;
  };
  return { http, state, release, call };
}

test('an address has four sessions looked up at a time, and others do not wait for it', async () => {
  const { http, state, release, call } = await start();
  const ofOne = Array.from({ length: 300 }, () => call('203.0.113.7'));
  await expect.poll(() => state.running).toBe(4);
  const ofOther = call('203.0.113.8');
  await expect.poll(() => state.running).toBe(5);
  release();
  expect(await ofOther).toBe(401);
  const statuses = await Promise.all(ofOne);
  expect([401, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([204, 96]);
  expect(state.most).toBe(5);
  await http.close();
});
