/** Which stores a thread keeps: unused stores are dropped and loaded again on demand. */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { makeActor } from '#server/people/access/actor.ts';
import { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import { KINDS_OF_ROWS } from '#server/platform/changes/change-log.ts';
import { createLog } from '#server/platform/http/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { scopeOf } from './access-scope.ts';
import { StoreCache } from './store-cache.ts';

const database = await testDatabase();
const make = factories(database.pipeline, () => new Date('2026-11-20T15:00:00Z'));
const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));
afterEach(() => void vi.useRealTimers());

/** Makes a cache with a memory limit in bytes, and two groups with one person each. */
async function thread(memory: number) {
  const groups = [await make.group(), await make.group()] as const;
  for (const group of groups) await make.rosterPatient({ groupId: group.id, personId: (await make.person()).id });
  const follower = new ChangeFollower(database.app, database.urls.app, createLog('silent'), {
    kinds: KINDS_OF_ROWS,
    notifiesAlways: true,
  });
  await follower.start();
  let now = Date.now();
  let loads = 0;
  const stores = new StoreCache(follower, memory, { db: database.app, now: () => now, log: () => void (loads += 1) });
  onTestFinished(async () => {
    stores.close();
    await follower.stop();
  });
  /** Asks for the group and returns how often it was loaded for the answer. */
  const loadsOf = async (group: 0 | 1) => {
    const before = loads;
    const permissions = new Map([[groups[group].id, new Set<Permission>(['canViewPatients'])]]);
    const { id: organizationId } = await make.organization();
    const who = {
      userId: '1',
      username: 'ama@tidings.test',
      displayName: 'Ama Osei',
      timeZone: 'America/New_York',
      isOperator: false,
    };
    const scope = scopeOf(makeActor({ ...who, teamId: '1', organizationId, permissions }), 'ALL');
    const question = { kind: 'count', condition: { filters: [], where: [] } } as const;
    expect(await stores.answer({ id: 1, scope, context: 'ALL', question, after: null, takesPart: false, now })).toEqual(
      { total: 1 },
    );
    return loads - before;
  };
  return { loadsOf, pass: (ms: number) => void (now += ms) };
}

test('a store that is unused for 15 minutes is dropped, others stay', async () => {
  const { loadsOf, pass } = await thread(1e9);
  expect([await loadsOf(0), await loadsOf(1), await loadsOf(0)]).toEqual([1, 1, 0]);
  pass(10 * MINUTE);
  expect(await loadsOf(1)).toBe(0);
  pass(6 * MINUTE);
  vi.advanceTimersByTime(1000);
  expect([await loadsOf(0), await loadsOf(1)]).toEqual([1, 0]);
});

test('above the memory limit, the store unused for longest is dropped and the last used one stays', async () => {
  const { loadsOf, pass } = await thread(1);
  expect(await loadsOf(0)).toBe(1);
  pass(1);
  expect(await loadsOf(1)).toBe(1);
  vi.advanceTimersByTime(1000);
  expect([await loadsOf(1), await loadsOf(0)]).toEqual([0, 1]);
});
