import { expect, test } from 'vitest';
import type { Transaction } from '#server/platform/database/pool.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import {
  type Change,
  ChangeReader,
  KINDS_OF_ROWS,
  logChanges,
  READ_CHANGES,
  Snapshot,
  trimChanges,
} from './change-log.ts';

const { app, pipeline } = await testDatabase();
const change = (subjectId: string): Change => ({ kind: 'ping', change: 'arrived', groupId: '1', subjectId });
const now = new Date('2026-11-20T12:00:00Z');

/** Begins a transaction that logs a change and stays open until `end` is called. */
function openTransaction(subjectId: string): { end: () => Promise<void>; begun: Promise<void> } {
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

test('each commit is read once, however long another transaction stays open', async () => {
  await logChanges(pipeline, [change('1')], now);
  const reader = await ChangeReader.start(app);
  expect(await reader.read()).toEqual([]);
  const slow = openTransaction('2');
  await slow.begun;
  await logChanges(pipeline, [change('3')], now);
  expect(subjects(await reader.read())).toEqual(['3']);
  const slower = openTransaction('4');
  await slower.begun;
  expect(await reader.read()).toEqual([]);
  await slow.end();
  expect(subjects(await reader.read())).toEqual(['2']);
  await logChanges(pipeline, [change('5')], now);
  await slower.end();
  expect(subjects(await reader.read())).toEqual(['4', '5']);
  expect(await reader.read()).toEqual([]);
});

test('a change that was rolled back is never read', async () => {
  const reader = await ChangeReader.start(app);
  await pipeline
    .transaction(async (tx) => {
      await logChanges(tx, [change('6')], now);
      throw new Error('rolled back');
    })
    .catch(() => {});
  expect(await reader.read()).toEqual([]);
});

test('reading scans the index on the transaction id, never the whole log', async () => {
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

test('a snapshot knows which transactions it includes', () => {
  const snapshot = new Snapshot('10:20:12,15');
  expect(['9', '10', '12', '15', '19', '20'].map((xid) => snapshot.includes(xid))).toEqual([
    true,
    true,
    false,
    false,
    true,
    false,
  ]);
});

test('a write to a row of a person logs the person once per transaction, except in a bulk change', async () => {
  const make = factories(pipeline, () => now);
  const { personId, encounterId, rosterPatientId, eventId } = await make.ping();
  const { id: other } = await make.person();
  const reader = await ChangeReader.start(app, KINDS_OF_ROWS);
  const logged = async (...statements: [string, string[]][]) => {
    await pipeline.transaction(async (tx) => {
      for (const [text, values] of statements) await tx.query(text, values);
    });
    return (await reader.read()).map(({ kind, subjectId }) => [kind, subjectId]);
  };
  const moved: [string, string[]] = ['update encounters set person_id = $1 where id = $2', [other, encounterId]];
  const both = await logged(moved);
  expect(new Set(both.map(String))).toEqual(new Set([`person,${other}`, `person,${personId}`]));
  const renamed: [string, string[]] = [
    'update roster_patients set city = $1 where id = $2',
    ['Fairhaven', rosterPatientId],
  ];
  const resolved: [string, string[]] = [
    "update pings set management_status = 'RESOLVED' where event_id = $1",
    [eventId],
  ];
  expect(await logged(renamed, resolved, renamed)).toEqual([['person', personId]]);
  expect(await logged(["update events set state = 'AMENDED' where id = $1", [eventId]])).toEqual([['person', other]]);
  expect(await logged(["select set_config('tidings.bulk', 'on', true)", []], renamed, moved)).toEqual([]);
});

test('a reader notices that the database was replaced or restored', async () => {
  const { app, owner } = await testDatabase();
  const reader = await ChangeReader.start(app);
  expect(await reader.read()).toEqual([]);
  await owner.query('alter table change_log rename to change_log_before');
  await owner.query('create table change_log (like change_log_before including all)');
  await owner.query('grant select on change_log to tidings_app');
  expect(await reader.read()).toEqual([{ kind: 'epoch', change: 'reload', groupId: null, subjectId: null }]);
  expect(await reader.read()).toEqual([]);
});
