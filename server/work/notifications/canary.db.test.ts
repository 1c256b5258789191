/** No name, birth date, record number or diagnosis gets into a message, a link, the log, the queue of jobs or the audit log. */
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { createLog } from '#server/platform/http/log.ts';
import { MINUTE, startNotificationApp } from '#server/testing/notifications.ts';
import { startWorker } from '#server/worker.ts';
import { NOTIFY_TASK } from './notify.ts';
import { wakeOnPings } from './wake-on-pings.ts';

const lines: string[] = [];
const log = createLog(
  'trace',
  new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString());
      done();
    },
  }),
);
const scene = await startNotificationApp({ log });
const { app, clock, database, facility, listed, office, saveFilter, confirmNumber } = scene;

test('the worker notifies by itself of what arrives, and says nothing about the patient', async () => {
  const { client, id, groupId } = await office();
  await confirmNumber(id);
  const person = await listed([groupId], { family: 'Canaryfeather', given: 'Quillibeth', birthDate: '1944-02-17' });
  const filterId = await saveFilter(client, {
    name: 'Watch Quillibeth Canaryfeather',
    userDefinedFacetPreferences: { query: 'canaryfeather', dateOfBirth: '1944-02-17' },
  });
  const body = { email: true, text: true, timing: 'AT_ONCE', hour: 8, muted: false } as const;
  await client.call('PUT /api/notification-filter-preferences/:id', { params: { id: filterId }, body });
  const config = { smtp: null, twilio: null, demo: true, publicUrl: 'http://tidings.test' };
  const { app: asApp, pipeline, urls } = database;
  const runner = await startWorker({ database: pipeline, app: asApp, store: app.store, clock: clock.now, log, config });
  const waking = await wakeOnPings({ database: pipeline, url: urls.pipeline, log, clock: clock.now }, (task, options) =>
    runner.addJob(task, {}, { ...options, runAt: new Date(0) }),
  );
  const sent = async () =>
    (
      await database.owner.query<{ letter: string }>(sql`
      select concat_ws(' ', subject, body) as letter from outbox where user_id = ${id} and state = 'sent' order by id`)
    ).rows;
  try {
    await (await facility()).send('A01', person);
    const matched = async () => (await database.owner.query('select from notification_matches')).rowCount;
    await expect.poll(matched, { timeout: 15_000 }).toBe(1);
    clock.advance(MINUTE);
    await runner.addJob(NOTIFY_TASK, {});
    await expect.poll(async () => (await sent()).length, { timeout: 15_000 }).toBe(2);
  } finally {
    await waking.stop();
    await runner.stop();
  }
  const tables = [
    'notifications',
    'notification_matches',
    'notification_preferences',
    'audit_entries',
    'graphile_worker.jobs',
  ];
  const stored = await Promise.all(
    tables.map(async (table) =>
      JSON.stringify((await database.owner.query(`select row(t.*)::text as row from ${table} t`)).rows),
    ),
  );
  const everything = [...(await sent()).map(({ letter }) => letter), ...lines, ...stored].join('\n');
  expect(everything).toContain('1 new ping matches a saved filter');
  for (const secret of [/canaryfeather/i, /quillibeth/i, /1944-?02-?17/, /02\/17\/1944/])
    expect(everything).not.toMatch(secret);
});
