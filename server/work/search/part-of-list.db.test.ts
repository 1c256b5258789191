/** Pages of a list that is still being loaded: from what is loaded so far, the newest pings first, and never from before a changed disclosure. */
import { expect, test } from 'vitest';
import { Snapshot } from '#server/platform/changes/change-log.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { ScopeStore } from './scope-store.ts';

const database = await testDatabase();
const now = new Date('2026-11-20T15:00:00Z');
const make = factories(database.pipeline, () => now);

/** A store whose first statement, which looks for everyone, waits until it is released. */
async function loading() {
  const { id: groupId } = await make.group();
  const pinged = await make.ping({ groupId });
  for (let n = 0; n < 2; n += 1) await make.rosterPatient({ groupId, personId: (await make.person()).id });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let transactions = 0;
  const db: Database = {
    ...database.app,
    transaction: async (fn, options) => {
      transactions += 1;
      if (transactions === 1) await released;
      return database.app.transaction(fn, options);
    },
  };
  const scope = { teamId: '1', groupIds: [groupId], partialGrants: {} };
  const store = new ScopeStore(scope, new Snapshot('1:1:'), { db, now: () => now.getTime(), log: () => {} });
  return { store, release, pinged };
}

test('who takes a part gets the newest pings before everyone is read, others wait for all', async () => {
  const { store, release, pinged } = await loading();
  const whole = store.table('ALL');
  const part = await store.table('PINGS', 10);
  expect(part).toMatchObject({ isWhole: false, table: { size: 1 } });
  expect(part.table.has(Number(pinged.id))).toBe(true);
  expect(await store.table('ALL', 10)).toMatchObject({ isWhole: false, table: { size: 1 } });
  release();
  expect(await whole).toMatchObject({ isWhole: true, table: { size: 3 } });
  expect(await store.table('PINGS', 10)).toMatchObject({ isWhole: true, table: { size: 1 } });
});

test('the event feed takes a part too, whose events are those of the newest pings', async () => {
  const { store, release, pinged } = await loading();
  const part = await store.table('EVENTS', 10);
  expect(part).toMatchObject({ isWhole: false, table: { size: 1 } });
  expect(part.table.has(Number(pinged.eventId))).toBe(true);
  release();
  expect(await store.table('EVENTS')).toMatchObject({ isWhole: true, table: { size: 1 } });
});

test('who would wait shortly gets the whole list', async () => {
  const { store, release } = await loading();
  const asked = store.table('ALL', 10_000);
  release();
  expect(await asked).toMatchObject({ isWhole: true, table: { size: 3 } });
});

test('after a change of what may be disclosed, no part from before it is shown', async () => {
  const { store, release } = await loading();
  await store.table('PINGS', 10);
  store.receive([{ kind: 'person', change: 'disclosure', groupId: null, subjectId: '1' }], new Snapshot('2:2:'));
  const asked = store.table('PINGS', 10);
  const early = await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 200, 'nothing yet'))]);
  expect(early).toBe('nothing yet');
  release();
  expect(await asked).toMatchObject({ isWhole: true });
});
