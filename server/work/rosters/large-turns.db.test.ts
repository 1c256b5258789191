import { expect, test } from 'vitest';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { fileOf, line, startRosterApp } from '#server/testing/rosters.ts';
import { LargeTurns } from './large-turns.ts';

const app = await startRosterApp();
const { database, deps, make, post } = app;
const db = database.pipeline;

/** An upload of another group. */
async function uploadElsewhere({ isLarge }: { isLarge: boolean }): Promise<string> {
  const team = await make.team();
  const client = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  client.teamId = team.id;
  const answer = await post(fileOf(line('A1')), { group: team.groupIds[0] ?? '', as: client });
  const { jobId } = (await answer.json()) as { jobId: string };
  if (isLarge) await db.query(sql`update roster_uploads set total_rows = 100000 where id = ${jobId}`);
  return jobId;
}
const statusOf = async (jobId: string): Promise<unknown> =>
  (await db.query<{ status: string }>(sql`select status from roster_uploads where id = ${jobId}`)).rows[0]?.status;

test('while a large file is worked on, a small one goes through, and another large one waits for its turn', async () => {
  const [large, other, small] = [
    await uploadElsewhere({ isLarge: true }),
    await uploadElsewhere({ isLarge: true }),
    await uploadElsewhere({ isLarge: false }),
  ];
  const turns = new LargeTurns();
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const slow: Database = {
    ...db,
    transaction: async (fn, options) => {
      begun.resolve();
      await held.promise;
      return db.transaction(fn, options);
    },
  };
  // Its turn ends after the first step.
  const first = turns.work(slow, large, deps, 0);
  await begun.promise;
  expect(await turns.work(db, other, deps)).toBeInstanceOf(Date);
  expect(await turns.work(db, small, deps)).toBeNull();
  expect(await statusOf(small)).toBe('DONE');
  held.resolve();
  expect(await first).toBeInstanceOf(Date);
  expect(await statusOf(large)).toBe('VALIDATING');
  expect(await statusOf(other)).toBe('RECEIVED');
  expect(await turns.work(db, other, deps)).toBeNull();
  expect(await turns.work(db, large, deps)).toBeNull();
  expect([await statusOf(large), await statusOf(other)]).toEqual(['DONE', 'DONE']);
});
