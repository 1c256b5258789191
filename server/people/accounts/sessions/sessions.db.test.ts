import { describe, expect, test } from 'vitest';
import { BACKGROUND_HEADER } from '#contract/constants.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, type Client, signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make, clock, database } = app;
const MINUTE = 60_000;

const statusOf = async (client: Client): Promise<number> => (await client.fetch('/api/me')).status;

describe('a session', () => {
  test('ends 40 minutes after the last activity, and activity extends it', async () => {
    const client = await signIn(app, (await make.user()).username);
    clock.advance(39 * MINUTE);
    expect(await statusOf(client)).toBe(200);
    clock.advance(39 * MINUTE);
    expect(await statusOf(client)).toBe(200);
    clock.advance(40 * MINUTE);
    expect(await statusOf(client)).toBe(401);
  });

  test('ends 12 hours after the sign-in, however active its user is', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const { sessionEndsAt } = await client.call('GET /api/me', {});
    expect(Date.parse(sessionEndsAt) - clock.now().getTime()).toBe(12 * 60 * MINUTE);
    for (let minutes = 0; minutes < 12 * 60 - 30; minutes += 30) {
      clock.advance(30 * MINUTE);
      expect(await statusOf(client)).toBe(200);
    }
    expect((await client.call('POST /api/session/activity', {})).endsAt).toBe(sessionEndsAt);
    const other = await signIn(app, username);
    clock.advance(30 * MINUTE);
    expect(await statusOf(client)).toBe(401);
    expect((await other.call('GET /api/users/profile', {})).sessions).toHaveLength(1);
  });

  test('writes its last activity at most once a minute', async () => {
    const user = await make.user();
    const client = await signIn(app, user.username);
    const lastSeen = async () =>
      (await database.owner.query(sql`select last_seen_at from sessions where user_id = ${user.id}`)).rows[0];
    const begun = await lastSeen();
    clock.advance(MINUTE - 1);
    await statusOf(client);
    expect(await lastSeen()).toEqual(begun);
    clock.advance(1);
    await statusOf(client);
    expect(await lastSeen()).toEqual({ last_seen_at: clock.now().toISOString() });
  });

  test('ends when its user begins twenty others, unless it was used since', async () => {
    const { username } = await make.user();
    const [unused, used] = [await signIn(app, username), await signIn(app, username)];
    clock.advance(2 * MINUTE);
    expect(await statusOf(used)).toBe(200);
    for (let count = 0; count < 18; count += 1) await signIn(app, username);
    expect(await statusOf(used)).toBe(200);
    await signIn(app, username);
    expect([await statusOf(unused), await statusOf(used)]).toEqual([401, 200]);
  });

  test('is not extended by the live stream', async () => {
    const client = await signIn(app, (await make.user({ team: await make.team() })).username);
    for (const minutes of [20, 19]) {
      clock.advance(minutes * MINUTE);
      const stream = await client.fetch(`/api/live?teamId=${client.teamId}`);
      expect(stream.status).toBe(200);
      await stream.body?.cancel();
    }
    clock.advance(MINUTE);
    expect((await client.fetch(`/api/live?teamId=${client.teamId}`)).status).toBe(401);
  });

  test('ends with a sign-out, which clears its cookie and notifies the live streams', async () => {
    const user = await make.user();
    const client = await signIn(app, user.username);
    const copy = anonymous(app);
    copy.cookies.set('tidings_session', client.cookies.get('tidings_session') ?? '');
    await client.call('POST /api/logout', {});
    expect(client.cookies.has('tidings_session')).toBe(false);
    expect(client.cookies.has('tidings_device')).toBe(true);
    expect(await statusOf(copy)).toBe(401);
    const { rows } = await database.owner.query(
      sql`select kind, change from change_log where kind = 'session' and subject_id = ${user.id}`,
    );
    expect(rows).toEqual([{ kind: 'session', change: 'ended' }]);
  });

  test('ends when the account is disabled', async () => {
    const user = await make.user();
    const client = await signIn(app, user.username);
    await database.owner.query(sql`update users set disabled_at = ${clock.now()} where id = ${user.id}`);
    expect(await statusOf(client)).toBe(401);
  });
});

describe('activity', () => {
  test('reported by the page counts to the second and returns when the session ends', async () => {
    const client = await signIn(app, (await make.user()).username);
    for (const seconds of [30, 30 * 60]) {
      clock.advance(seconds * 1000);
      const { endsAt } = await client.call('POST /api/session/activity', {});
      expect(endsAt).toBe(new Date(clock.now().getTime() + 40 * MINUTE).toISOString());
    }
    clock.advance(30_000);
    await client.call('POST /api/session/activity', {});
    clock.advance(40 * MINUTE - 1);
    expect(await statusOf(client)).toBe(200);
    clock.advance(40 * MINUTE);
    expect(await statusOf(client)).toBe(401);
  });

  test('does not include calls caused by a live event', async () => {
    const client = await signIn(app, (await make.user()).username);
    const inBackground = () => client.fetch('/api/me', { headers: { [BACKGROUND_HEADER]: '1' } });
    clock.advance(39 * MINUTE);
    expect((await inBackground()).status).toBe(200);
    clock.advance(MINUTE);
    expect((await inBackground()).status).toBe(401);
  });
});
