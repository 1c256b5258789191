import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { logChanges } from '#server/database/change-log.ts';
import { createLog } from '#server/http/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { LiveHub } from './hub.ts';

const database = await testDatabase();

/** A way to the database that can be cut: then it takes connections and ends them at once, as a server that recovers does. */
async function cuttableUrl() {
  const target = new URL(database.urls.app);
  const { port, hostname } = target;
  const sockets = new Set<Socket>();
  const way = { url: '', isCut: false, attempts: 0, cut: () => {} };
  const proxy = createServer((socket) => {
    way.attempts += 1;
    socket.on('error', () => {});
    if (way.isCut) return void socket.destroy();
    const onward = connect(Number(port), hostname);
    onward.on('error', () => socket.destroy());
    for (const each of [socket, onward]) sockets.add(each);
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  afterAll(() => proxy.close());
  target.port = String((proxy.address() as AddressInfo).port);
  way.url = target.href;
  way.cut = () => {
    way.isCut = true;
    way.attempts = 0;
    for (const socket of sockets) socket.destroy();
  };
  return way;
}

test('while the database is away it is asked for twice a second, however long, and listened to again afterwards', async () => {
  const way = await cuttableUrl();
  const hub = new LiveHub(database.app, way.url, createLog('silent'));
  await hub.start();
  let heard = 0;
  hub.subscribe((changes) => {
    heard += changes.length;
  });
  way.cut();
  await sleep(4000);
  expect(way.attempts).toBeGreaterThan(2);
  expect(way.attempts).toBeLessThan(10);
  way.isCut = false;
  await sleep(1000);
  await database.pipeline.transaction((tx) =>
    logChanges(
      tx,
      [{ kind: 'group', change: 'reload', groupId: null, subjectId: '1' }],
      new Date('2026-11-20T15:00:00Z'),
    ),
  );
  await expect.poll(() => heard, { timeout: 5000 }).toBe(1);
  await hub.stop();
});
