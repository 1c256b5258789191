/**
 * After any creations, moves and deletions, a list has the order of a plain array after the same steps, numbered 1 to n. If two clients of
 * one user act at the same time, it has the order of one step after the other.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSession } from '#server/people/accounts/sessions/sessions.ts';
import { anonymous, CallError, type Client, startApp } from '#server/testing/app.ts';
import { savedFilterRoutes } from './routes.ts';

const app = await startApp({
  routes: ({ database, clock }) =>
    savedFilterRoutes({
      db: database.app,
      clock: clock.now,
      countEvents: async () => ({ pings: 0, patients: 0 }),
      countFound: async () => 0,
    }),
});
const { make, database, clock } = app;
const team = await make.team();

/** `at` chooses an existing filter; `to` is a position, possibly beyond the last. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('create' as const), to: fc.option(fc.integer({ min: 1, max: 9 })) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('move' as const), at: fc.nat(20), to: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('delete' as const), at: fc.nat(20) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
/** A step on a filter by its name, which does not depend on its position. */
type Act = { what: Step['what']; name: string; to: number | null };

let count = 0;
function actOf(each: Step, names: readonly string[]): Act {
  const to = 'to' in each ? each.to : null;
  const chosen = 'at' in each ? names[each.at % names.length] : undefined;
  return { what: each.what, name: chosen ?? `Filter ${++count}`, to };
}

/** Applies a step to a plain array. A step on a missing filter changes nothing. */
function apply(names: readonly string[], { what, name, to }: Act): string[] {
  if (what !== 'create' && !names.includes(name)) return [...names];
  const others = names.filter((each) => each !== name);
  return what === 'delete' ? others : others.toSpliced(to === null ? others.length : to - 1, 0, name);
}

async function carryOut(client: Client, { what, name, to }: Act, ids: Map<string, string>): Promise<void> {
  const body = to === null ? { name } : { name, orderNum: to };
  if (what === 'create') {
    ids.set(name, (await client.call('POST /api/patient-search-params', { body })).id);
    return;
  }
  const params = { id: ids.get(name) ?? '1' };
  try {
    if (what === 'move') await client.call('PUT /api/patient-search-params/:id', { params, body });
    else await client.call('DELETE /api/patient-search-params/:id', { params });
  } catch (error) {
    if (!(error instanceof CallError) || error.body.errorKey !== 'NOT_FOUND') throw error;
  }
}

/** Opens two browsers of a new user. */
async function clients(): Promise<[Client, Client]> {
  const user = await make.user({ team });
  const open = async () => {
    const client = anonymous(app);
    client.cookies.set('tidings_session', await createSession(database.pipeline, user.id, clock.now()));
    client.teamId = team.id;
    return client;
  };
  return [await open(), await open()];
}

async function namesOf(client: Client): Promise<string[]> {
  const filters = await client.call('GET /api/patient-search-params', {});
  expect(filters.map(({ orderNum }) => orderNum)).toEqual(filters.map((_, index) => index + 1));
  return filters.map(({ name }) => name);
}

test('any sequence of steps results in the order of a plain array', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const [client] = await clients();
      const ids = new Map<string, string>();
      let names: string[] = [];
      for (const each of steps) {
        const act = actOf(each, names);
        await carryOut(client, act, ids);
        names = apply(names, act);
        expect(await namesOf(client)).toEqual(names);
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);

test('two concurrent clients end with the order of one step after the other', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, step), { minLength: 3, maxLength: 12 }), async (pairs) => {
      const both = await clients();
      const ids = new Map<string, string>();
      let names: string[] = [];
      for (const pair of pairs) {
        const acts = pair.map((each) => actOf(each, names)) as [Act, Act];
        await Promise.all(both.map((client, index) => carryOut(client, acts[index as 0 | 1], ids)));
        const [first, second] = acts;
        const either = [apply(apply(names, first), second), apply(apply(names, second), first)];
        names = await namesOf(both[0]);
        expect(either).toContainEqual(names);
        const isOrderVisible = JSON.stringify(either[0]) !== JSON.stringify(either[1]);
        if (isOrderVisible) outcomes.add(JSON.stringify(either[0]) === JSON.stringify(names) ? 'first' : 'second');
      }
    }),
    { numRuns: 25 },
  );
  // The test is meaningful only if the order mattered for some pairs.
  expect(outcomes.size).toBeGreaterThan(0);
}, 120_000);
