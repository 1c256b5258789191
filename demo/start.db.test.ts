/** Demo data and a server without the demo, and the other way round: neither starts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ConfigError } from '#server/config.ts';
import { completeDemo, holdsPartOfDemo, markDemo } from '#server/platform/database/demo-data.ts';
import { createLog } from '#server/platform/http/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { seedDemo } from './start.ts';

const now = new Date('2026-11-20T15:00:00Z');

test('a server without the demo does not start on a database that holds it', async () => {
  const { adminUrl, pipeline } = await testDatabase();
  await markDemo(pipeline, now);
  await markDemo(pipeline, now);
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: adminUrl,
      PORT: '0',
      MLLP_PORT: '0',
      TIDINGS_LOG_LEVEL: 'silent',
      TIDINGS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(said).toMatch(/^The database holds the demo region, whose password is public/);
  expect(code).toBe(1);
});

test('a seeding is known as interrupted until it is complete', async () => {
  const { pipeline } = await testDatabase();
  expect(await holdsPartOfDemo(pipeline)).toBe(false);
  await markDemo(pipeline, now);
  expect(await holdsPartOfDemo(pipeline)).toBe(true);
  await completeDemo(pipeline);
  expect(await holdsPartOfDemo(pipeline)).toBe(false);
});

test('the demo does not start on a database with other data, whose mail it would show', async () => {
  const { urls, pipeline } = await testDatabase();
  await factories(pipeline, () => now).organization();
  await expect(seedDemo(urls, { log: createLog('silent'), now, publicUrl: 'http://127.0.0.1' })).rejects.toBeInstanceOf(
    ConfigError,
  );
});
