import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, startApp } from '#server/testing/app.ts';
import { lettersTo, tokenIn } from '#server/testing/letters.ts';
import { passwordCalls } from '#server/testing/passwords.ts';
import { mailLink } from './send-letters.ts';

const app = await startApp();
const { make, clock, database } = app;
const { set, setError, change } = passwordCalls(app);
const nobody = anonymous(app);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('an invitation', () => {
  test('sets no password once the organization signs the account in', async () => {
    const { id, username } = await make.user({ passwordHash: null });
    await database.pipeline.transaction((tx) =>
      mailLink(tx, { userId: id, reason: 'invited', publicUrl: 'http://tidings.test' }, clock.now()),
    );
    const token = tokenIn((await lettersTo(database, username))[0]);
    await change(username, sql`application_experience = 'JANUS_ENTERPRISE_SSO'`);
    expect(await setError(token)).toBe('NOT_FOUND');
    await change(username, sql`application_experience = 'JANUS'`);
    await set(token);
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
