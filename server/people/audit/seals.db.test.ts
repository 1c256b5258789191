import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { dropOldPartitions, ensurePartitions } from '#server/intake/messages/partitions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { testDatabase } from '#server/testing/database.ts';
import { sealEntries } from './seal-entries.ts';
import { verifySeals } from './verify-seals.ts';
import { writeAuditAs } from './write-audit.ts';

const { owner, pipeline, adminUrl } = await testDatabase();
const now = new Date('2026-11-20T15:00:00Z');
await ensurePartitions(pipeline, now);

const entry = (subjectId: string, at = now) =>
  ({
    action: 'patient.view',
    subject: 'patient',
    subjectId,
    detail: { asked: { id: subjectId } },
    requestId: 'r',
    now: at,
  }) as const;
const write = (subjectId: string, at = now, db: Parameters<typeof writeAuditAs>[0] = pipeline) =>
  writeAuditAs(db, { userId: '7', teamId: '3' }, entry(subjectId, at));
const problems = async () => (await verifySeals(pipeline, now)).problems;

/** Two batches: entries about patients 1 to 3, and 4 to 5. */
beforeEach(async () => {
  await owner.query('truncate audit_entries, audit_seals, audit_keys restart identity');
  await owner.query(sql`insert into audit_keys values (${Buffer.alloc(32, 1)})`);
  for (const patient of ['1', '2', '3']) await write(patient);
  await sealEntries(pipeline, now);
  for (const patient of ['4', '5']) await write(patient);
  await sealEntries(pipeline, new Date(now.getTime() + 300_000));
});

test('an untouched log is intact, and entries since the last seal are counted', async () => {
  await write('6');
  expect(await verifySeals(pipeline, now)).toMatchObject({
    seals: 2,
    entries: 5,
    unsealed: 1,
    newest: { id: '2', sealedAt: '2026-11-20T15:05:00.000Z' },
    problems: [],
  });
  expect(await sealEntries(pipeline, now)).toBe(1);
  expect(await sealEntries(pipeline, now)).toBe(0);
});

test.each([
  ['changed', 'update audit_entries set user_id = 8 where subject_id = 2', 'Batch 1', 'their contents were changed'],
  [
    'changed in a detail',
    `update audit_entries set detail = '{"asked": {"id": "9"}}' where subject_id = 5`,
    'Batch 2',
    'contents',
  ],
  ['removed', 'delete from audit_entries where subject_id = 3', 'Batch 1', 'there were 3, now 2'],
])('an entry that was %s is found in its batch', async (_, statement, batch, what) => {
  await owner.query(statement);
  const found = await problems();
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(batch);
  expect(found[0]).toContain(what);
});

test('an entry that is added with an old id, or before the first, is found', async () => {
  await owner.query('delete from audit_entries where subject_id = 2');
  await owner.query(
    `insert into audit_entries (id, at, action, subject) overriding system value values (2, '2026-11-20', 'x', 'user'), (-1, '2026-11-20', 'x', 'user')`,
  );
  expect(await problems()).toEqual([
    expect.stringContaining('Batch 1'),
    '1 entries have an id below those of the first seal.',
  ]);
});

test('a seal that was changed or removed is found, and so is a chain that was made anew', async () => {
  const { newest } = await verifySeals(pipeline, now);
  await owner.query("update audit_seals set sealed_at = sealed_at - interval '1 day' where id = 1");
  expect(await problems()).toEqual(['Seal 1 itself was changed, or one before it.']);
  await owner.query('update audit_seals set key_hash = null where id = 2');
  expect(await problems()).toContain('Seal 2 itself was changed, or one before it.');
  await owner.query('delete from audit_seals where id = 1');
  expect(await problems()).toContain('The seals between 0 and 2 are missing.');
  await owner.query('truncate audit_seals');
  await owner.query('update audit_entries set user_id = 8');
  await sealEntries(pipeline, now);
  expect(await problems()).toEqual([]);
  expect((await verifySeals(pipeline, now, newest ?? undefined)).problems).toEqual(['Seal 2 is missing.']);
  await write('6');
  await sealEntries(pipeline, now);
  expect((await verifySeals(pipeline, now, newest ?? undefined)).problems).toEqual([
    'Seal 2 is not the one that was noted elsewhere.',
  ]);
});

test('an entry that commits late is sealed too, never left behind a seal', async () => {
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let hasWritten = () => {};
  const written = new Promise<void>((resolve) => {
    hasWritten = resolve;
  });
  const late = pipeline.transaction(async (tx) => {
    await write('6', now, tx);
    hasWritten();
    await held;
  });
  await written;
  await write('7');
  expect(await sealEntries(pipeline, now)).toBe(0);
  finish();
  await late;
  expect(await sealEntries(pipeline, now)).toBe(2);
  expect(await problems()).toEqual([]);
});

test('ids of transactions that were rolled back leave gaps without harm', async () => {
  await pipeline
    .transaction(async (tx) => {
      await write('6', now, tx);
      throw new Error('undone');
    })
    .catch(() => {});
  await write('7');
  expect(await sealEntries(pipeline, now)).toBe(1);
  expect(await problems()).toEqual([]);
});

test('the chain stays verifiable after months past their retention were dropped, and only then', async () => {
  await owner.query('truncate audit_entries, audit_seals restart identity');
  await ensurePartitions(pipeline, now, new Date('2018-05-01T00:00:00Z'));
  for (const at of ['2018-05-20T00:00:00Z', '2020-12-20T00:00:00Z', '2026-11-01T00:00:00Z']) {
    await write('1', new Date(at));
    await sealEntries(pipeline, new Date(at));
  }
  const before2019 = new Date('2024-12-31T00:00:00Z');
  expect(await dropOldPartitions(pipeline, before2019)).toContain('audit_entries_2018_05');
  expect(await verifySeals(pipeline, now)).toMatchObject({ seals: 3, entries: 2, droppedBatches: 1, problems: [] });
  await owner.query('drop table audit_entries_2020_12');
  expect(await problems()).toEqual([expect.stringContaining('there were 1, now 0')]);
});

const hour = 3_600_000;

test('entries that no seal covers although their time has passed are a problem', async () => {
  await write('6');
  expect((await verifySeals(pipeline, new Date(now.getTime() + hour / 6))).problems).toEqual([]);
  const overdue = [expect.stringMatching(/^1 entries from 2026-11-20T15:00 on are not sealed/)];
  expect((await verifySeals(pipeline, new Date(now.getTime() + hour / 2))).problems).toEqual(overdue);
  await owner.query('truncate audit_seals');
  await owner.query(`delete from audit_entries where subject_id < 3`);
  expect((await verifySeals(pipeline, new Date(now.getTime() + hour))).problems).toEqual([
    expect.stringMatching(/^4 entries from /),
  ]);
});

test('a chain that was made anew long after its entries is noted', async () => {
  expect((await verifySeals(pipeline, now)).notes).toEqual([]);
  await owner.query('truncate audit_seals');
  await owner.query(`delete from audit_entries where subject_id < 3`);
  await sealEntries(pipeline, new Date(now.getTime() + 2 * hour));
  const { problems: found, notes } = await verifySeals(pipeline, now);
  expect(found).toEqual([]);
  expect(notes).toEqual([expect.stringContaining('Seal 1 was made 2 hours after its oldest entry')]);
});

test('a key of the hashes that was replaced or removed is found', async () => {
  await owner.query(`update audit_keys set key = '\\x00'`);
  expect(await problems()).toEqual([
    'The key of the hashes is not the one that seal 2 names, made 2026-11-20T15:05. Searches from before can no longer be found.',
  ]);
  await write('6');
  await sealEntries(pipeline, new Date(now.getTime() + 2 * 300_000));
  expect(await problems()).toEqual([expect.stringContaining('seal 2 names')]);
  await owner.query('delete from audit_keys');
  expect(await problems()).toEqual([expect.stringContaining('seal 3 names')]);
});

/** Runs a command of the installation, and returns what it printed and its code if that is not 0. */
function runScript(name: string, args: readonly string[], input = '') {
  const ran = promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../../scripts', name), ...args], {
    env: { ...process.env, DATABASE_URL: adminUrl },
  });
  ran.child.stdin?.end(input);
  return ran.catch((error: unknown) => error as { code: number; stdout: string; stderr: string });
}

test('npm run audit:searches says that a key was replaced, instead of finding nothing', async () => {
  const run = () => runScript('audit-searches.ts', [], 'Daniel Al-Masri');
  expect(await run()).not.toHaveProperty('code');
  await owner.query(sql`update audit_keys set key = ${Buffer.alloc(32, 9)}`);
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('seal 2 names') });
});

test('npm run audit:verify prints the newest seal and exits with 1 if the log was tampered with', async () => {
  const run = (...seal: string[]) => runScript('audit-verify.ts', seal);
  const intact = await run();
  expect(intact.stdout).toContain('2 seals over 5 unchanged entries; 0 entries are not sealed yet.');
  expect(intact.stdout).toContain('The audit log is intact.');
  const seal = /: (2:[\da-f]{64})/.exec(intact.stdout)?.[1] ?? '';
  expect(await run(seal)).not.toHaveProperty('code');
  expect(await run('2')).toMatchObject({ code: 1, stderr: expect.stringContaining('64 hexadecimal digits') });
  await owner.query(sql`update audit_entries set subject_id = 9 where subject_id = 1`);
  expect(await run()).toMatchObject({ code: 1, stdout: expect.stringContaining('Batch 1') });
});
