import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '#server/platform/http/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { ChangeFollower } from './change-follower.ts';
import { logChanges } from './change-log.ts';

const database = await testDatabase();

/** Returns a proxy to the database that can be cut, and counts the attempts to connect while it is. */
async function cuttableProxy(url: string) {
  const sockets = new Set<Socket>();
  let isCut = false;
  let attempts = 0;
  const { port, hostname } = new URL(url);
  const server = createServer((socket) => {
    if (isCut) {
      attempts += 1;
      socket.destroy();
      return;
    }
    const onward = connect(Number(port), hostname);
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => {});
      each.on('close', () => sockets.delete(each));
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    attempts: () => attempts,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
  };
}

test('a follower that loses the database reconnects at a steady pace, and receives changes again once it is back', async () => {
  const proxy = await cuttableProxy(database.urls.app);
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
