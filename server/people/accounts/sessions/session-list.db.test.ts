import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, type Client, signIn, startApp } from '#server/testing/app.ts';
import { FIREFOX_ON_LINUX, signInWith } from '#server/testing/browsers.ts';
import { errorOf } from '#server/testing/calls.ts';

const app = await startApp();
const { make, clock, database } = app;
const MINUTE = 60_000;

const statusOf = async (client: Client) => (await client.fetch('/api/me')).status;
const profileOf = (client: Client) => client.call('GET /api/users/profile', {});

describe('the list of sessions', () => {
  test('names the devices, newest first, and leaves out ended sessions', async () => {
    const { username } = await make.user();
    const gone = await signIn(app, username);
    await gone.call('POST /api/logout', {});
    await signInWith(app, username, 'curl/8');
    clock.advance(MINUTE);
    const client = await signInWith(app, username, FIREFOX_ON_LINUX);
    const { sessions } = await profileOf(client);
    expect(sessions.map(({ device, isCurrent }) => [device, isCurrent])).toEqual([
      ['Firefox on Linux', true],
      ['Unknown browser', false],
    ]);
    clock.advance(39 * MINUTE);
    expect((await profileOf(client)).sessions).toHaveLength(1);
  });

  test('carries ids that open nothing', async () => {
    const client = await signIn(app, (await make.user()).username);
    const [session] = (await profileOf(client)).sessions;
    const thief = anonymous(app);
    thief.cookies.set('tidings_session', session?.id ?? '');
    expect(await statusOf(thief)).toBe(401);
  });

  test('lets only their owner end them', async () => {
    const { id, username } = await make.user();
    const [client, other] = [await signIn(app, username), await signIn(app, username)];
    const stranger = await signIn(app, (await make.user()).username);
    const params = { id: (await profileOf(other)).sessions.find(({ isCurrent }) => isCurrent)?.id ?? '' };
    expect((await errorOf(stranger, 'DELETE /api/users/sessions/:id', { params })).errorKey).toBe('NOT_FOUND');
    expect(await statusOf(other)).toBe(200);
    await client.call('DELETE /api/users/sessions/:id', { params });
    expect([await statusOf(client), await statusOf(other)]).toEqual([200, 401]);
    expect((await errorOf(client, 'DELETE /api/users/sessions/:id', { params })).errorKey).toBe('NOT_FOUND');
    const { rows } = await database.owner.query(
      sql`select action from audit_entries where subject_id = ${id} and action = 'session.end'`,
    );
    expect(rows).toHaveLength(1);
  });

  test('ends the live streams of an ended session at once', async () => {
    const { username } = await make.user({ team: await make.team() });
    const [client, other] = [await signIn(app, username), await signIn(app, username)];
    const stream = await other.fetch(`/api/live?teamId=${other.teamId}`);
    const text = stream.text();
    const params = { id: (await profileOf(other)).sessions.find(({ isCurrent }) => isCurrent)?.id ?? '' };
    await client.call('DELETE /api/users/sessions/:id', { params });
    expect(await text).toContain('event: ended');
  });
});
