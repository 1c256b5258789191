import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { type Change, ChangeReader, logChanges, READ_CHANGES, trimChanges } from './change-log.ts';
import type { Transaction } from './pool.ts';

const { app, pipeline } = await testDatabase();
const change = (subjectId: string): Change => ({ kind: 'ping', change: 'arrived', groupId: '1', subjectId });
const now = new Date('2026-11-20T12:00:00Z');

/** A transaction that stays open until it is told to end. */
function opened(subjectId: string): { end: () => Promise<void>; begun: Promise<void> } {
  let finish = () => {};
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const whole = pipeline.transaction(async (tx: Transaction) => {
    await logChanges(tx, [change(subjectId)], now);
    begun();
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  return {
    begun: hasBegun,
    end: async () => {
      finish();
      await whole;
    },
  };
}

const subjects = (changes: Change[]) => changes.map(({ subjectId }) => subjectId);

test('each commit arrives once, however long another transaction stays open', async () => {
  await logChanges(pipeline, [change('1')], now);
  const reader = await ChangeReader.start(app);
  expect(await reader.read()).toEqual([]);
  const slow = opened('2');
  await slow.begun;
  await logChanges(pipeline, [change('3')], now);
  expect(subjects(await reader.read())).toEqual(['3']);
  const slower = opened('4');
  await slower.begun;
  expect(await reader.read()).toEqual([]);
  await slow.end();
  expect(subjects(await reader.read())).toEqual(['2']);
  await logChanges(pipeline, [change('5')], now);
  await slower.end();
  expect(subjects(await reader.read())).toEqual(['4', '5']);
  expect(await reader.read()).toEqual([]);
});

test('what was rolled back never arrives', async () => {
  const reader = await ChangeReader.start(app);
  await pipeline
    .transaction(async (tx) => {
      await logChanges(tx, [change('6')], now);
      throw new Error('rolled back');
    })
    .catch(() => {});
  expect(await reader.read()).toEqual([]);
});

test('reading scans the index on the transaction id, never the log', async () => {
  const { owner } = await testDatabase();
  await owner.query(`insert into change_log (xid, kind, change, changed_at)
    select n::text::xid8, 'ping', 'arrived', now() from generate_series(1, 20000) n`);
  await owner.query('analyze change_log');
  const { rows } = await owner.query<{ 'QUERY PLAN': string }>(
    `explain ${READ_CHANGES.replaceAll('$1', `'19990:19995:19991'`)}`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).not.toMatch(/Seq Scan/);
  expect(plan.match(/change_log_xid_idx/g)?.length).toBeGreaterThanOrEqual(2);
});

test('trimming keeps a week', async () => {
  const { pipeline } = await testDatabase();
  for (const day of ['2026-11-12', '2026-11-14'])
    await logChanges(pipeline, [change('1')], new Date(`${day}T12:00:00Z`));
  await trimChanges(pipeline, now);
  const { rows } = await pipeline.query('select changed_at::date as day from change_log');
  expect(rows).toEqual([{ day: '2026-11-14' }]);
});
