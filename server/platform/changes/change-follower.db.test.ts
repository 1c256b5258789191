import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '#server/platform/http/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { databaseProxy } from '#server/testing/database-proxy.ts';
import { ChangeFollower } from './change-follower.ts';
import { logChanges } from './change-log.ts';

const database = await testDatabase();

test('a follower that loses the database reconnects at a steady pace, and receives changes again once it is back', async () => {
  const proxy = await databaseProxy(database.urls.app);
  const follower = new ChangeFollower(database.app, proxy.url, createLog('silent'));
  await follower.start();
  onTestFinished(() => follower.stop());
  const listener = vi.fn();
  follower.subscribe(listener);
  proxy.cut();
  await sleep(3200);
  expect(proxy.attempts()).toBeGreaterThan(2);
  expect(proxy.attempts()).toBeLessThan(9);
  proxy.mend();
  const now = new Date('2026-11-20T15:00:00Z');
  await logChanges(database.pipeline, [{ kind: 'group', change: 'reload', groupId: '1', subjectId: null }], now);
  await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1), { timeout: 5000 });
});
