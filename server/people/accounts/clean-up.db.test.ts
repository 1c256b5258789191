import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { forgetExpired } from './clean-up.ts';

const app = await startApp();
const DAY = 86_400_000;

test('deletes old sessions, letters and guesses at unknown usernames, and keeps what is in use', async () => {
  const { pipeline } = app.database;
  const user = await app.make.user({ team: await app.make.team() });
  const now = app.clock.now();
  const ago = (days: number) => new Date(now.getTime() - days * DAY);
  const session = (token: string, seen: Date, ended: Date | null) =>
    pipeline.query(
      'insert into sessions (token_hash, user_id, created_at, last_seen_at, ended_at) values (sha256(convert_to($1::text, $2)), $3, $4, $4, $5)',
      [token, 'UTF8', user.id, seen, ended],
    );
  await session('long ended', ago(100), ago(95));
  await session('long unused', ago(100), null);
  await session('ended lately', ago(100), ago(5));
  await session('in use', ago(1), null);
  for (const days of [100, 10])
    await pipeline.query(
      "insert into outbox (channel, recipient, subject, body, created_at) values ('e-mail', 'a@tidings.test', $1, '', $2)",
      [`${days} days`, ago(days)],
    );
  for (const [name, days] of [
    [user.username.toLowerCase(), 100],
    ['nobody', 100],
    ['nobody of late', 10],
  ] as const)
    await pipeline.query(
      "insert into sign_in_places (account, place, wrong_in_a_row, tried_at) values (sha256(convert_to($1, 'UTF8')), '', 3, $2)",
      [name, ago(days)],
    );
  await forgetExpired(pipeline, now);
  const count = async (text: string) => (await pipeline.query<{ count: number }>(text, [user.id])).rows[0]?.count;
  expect(await count('select count(*)::int from sessions where user_id = $1')).toBe(2);
  const { rows } = await pipeline.query<{ subject: string }>('select subject from outbox');
  expect(rows.map(({ subject }) => subject)).toEqual(['10 days']);
  expect((await pipeline.query('select from sign_in_places')).rowCount).toBe(2);
});
