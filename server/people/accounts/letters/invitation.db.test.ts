import { describe, expect, test } from 'vitest';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { anonymous, startApp } from '#server/testing/app.ts';
import { lettersTo, tokenIn } from '#server/testing/letters.ts';
import { passwordCalls } from '#server/testing/passwords.ts';
import { mailLink } from './send-letters.ts';

const app = await startApp();
const { make, clock, database } = app;
const { set, setError } = passwordCalls(app);
const nobody = anonymous(app);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('an invitation', () => {
  test('sets no password once an identity provider has the user’s verified domain, and again without it', async () => {
    const { id, username, organizationId } = await make.user({ passwordHash: null });
    await database.pipeline.transaction((tx) =>
      mailLink(tx, { userId: id, reason: 'invited', publicUrl: 'http://tidings.test' }, clock.now()),
    );
    const token = tokenIn((await lettersTo(database, username))[0]);
    const connection = await make.connection({ organizationId, domains: ['tidings.test'] });
    const turn = (assignment: Sql) =>
      database.owner.query(sql`update sso_connections set ${assignment} where id = ${connection.id}`);
    expect(await setError(token)).toBe('MANAGED_ELSEWHERE');
    const asked = nobody.call('GET /api/users/tokens/:token', { params: { token } });
    await expect(asked).rejects.toMatchObject({ body: { errorKey: 'MANAGED_ELSEWHERE' } });
    const mailed = await database.pipeline.transaction((tx) =>
      mailLink(tx, { userId: id, reason: 'invited', publicUrl: 'http://tidings.test', unlimited: true }, clock.now()),
    );
    expect(mailed).toBe(false);
    await turn(sql`is_enabled = false`);
    expect((await nobody.call('GET /api/users/tokens/:token', { params: { token } })).username).toBe(username);
    await turn(sql`is_enabled = true, domains = '{another.test}'`);
    await set(token);
  });

  test('is not refused for an experience that no connection gives', async () => {
    const { id } = await make.user({ passwordHash: null, applicationExperience: 'JANUS_ENTERPRISE_SSO' });
    const mailed = await database.pipeline.transaction((tx) =>
      mailLink(tx, { userId: id, reason: 'invited', publicUrl: 'http://tidings.test' }, clock.now()),
    );
    expect(mailed).toBe(true);
  });

  test('works for seven days, and an administrator may send it again at once', async () => {
    const { id, username } = await make.user({ passwordHash: null });
    const invite = () =>
      database.pipeline.transaction((tx) =>
        mailLink(tx, { userId: id, reason: 'invited', publicUrl: 'http://tidings.test', unlimited: true }, clock.now()),
      );
    expect([await invite(), await invite()]).toEqual([true, true]);
    const [first, second] = await lettersTo(database, username);
    expect(first?.body).toContain('A Tidings account has been created for you.');
    clock.advance(7 * DAY - MINUTE);
    const { purpose } = await nobody.call('GET /api/users/tokens/:token', { params: { token: tokenIn(first) } });
    expect(purpose).toBe('ACCOUNT_ACTIVATION');
    clock.advance(MINUTE);
    expect(await setError(tokenIn(second))).toBe('NOT_FOUND');
  });
});
