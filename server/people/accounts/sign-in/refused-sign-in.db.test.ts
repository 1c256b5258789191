import { describe, expect, test } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { lettersTo, tokenIn } from '#server/testing/letters.ts';
import { NEW_PASSWORD, passwordCalls } from '#server/testing/passwords.ts';

const app = await startApp();
const { make, clock, database } = app;
const { signInError, set, lock, change, audited } = passwordCalls(app);
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
await ensurePartitions(database.pipeline, new Date(clock.now().getTime() + 100 * DAY));

describe('a sign-in that is refused', () => {
  test('with the third wrong password mails a link that unlocks the account everywhere', async () => {
    const { id, username } = await make.user();
    await lock(username);
    expect(await signInError(username)).toEqual([
      'LOCKED',
      "Your account is now locked because you've entered an incorrect password 3 times. We have sent you an email to unlock your account.",
    ]);
    const letters = await lettersTo(database, username);
    expect(letters).toHaveLength(1);
    expect(letters[0]?.body).toContain('too many wrong passwords');
    clock.advance(23 * HOUR);
    await set(tokenIn(letters[0]));
    await signIn(app, username, NEW_PASSWORD);
    expect(await audited(id)).toEqual(['sign-in.locked', 'password.set', 'sign-in']);
  });

  test('mails nothing to a username without an account, and nothing for a disabled account', async () => {
    await lock('nobody-else@tidings.test');
    expect(await lettersTo(database, 'nobody-else@tidings.test')).toEqual([]);
    const { username } = await make.user();
    await change(username, sql`disabled_at = ${clock.now()}`);
    await lock(username);
    expect(await lettersTo(database, username)).toEqual([]);
  });

  test('mails no link to a user whom the organization signs in', async () => {
    const { username, organizationId } = await make.user();
    await make.connection({ organizationId, domains: ['tidings.test'] });
    await change(username, sql`password_hash = null`);
    await lock(username);
    expect(await signInError(username)).toEqual(['LOCKED', ERRORS.LOCKED[1]]);
    expect(await lettersTo(database, username)).toEqual([]);
  });

  test('after 90 idle days mails a link to unlock, but only if the password was right', async () => {
    const { username } = await make.user();
    clock.advance(91 * DAY);
    await signInError(username, 'wrong');
    expect(await lettersTo(database, username)).toEqual([]);
    expect(await signInError(username)).toEqual(['PASSWORD_EXPIRED', ERRORS.PASSWORD_EXPIRED[1]]);
    expect((await lettersTo(database, username)).map(({ subject }) => subject)).toEqual([
      'Unlock your Tidings account',
    ]);
  });

  test('for an account that is not activated mails the activation link', async () => {
    const { username } = await make.user();
    await change(username, sql`activated_at = null`);
    expect(await signInError(username)).toEqual([
      'USER_NOT_ACTIVATED',
      "Whoops, looks like you haven't finished activating your account. We've sent you an email to help you do just that.",
    ]);
    await signInError(username);
    expect((await lettersTo(database, username)).map(({ subject }) => subject)).toEqual([
      'Activate your Tidings account',
    ]);
  });

  test('for a disabled account says so', async () => {
    const { username } = await make.user();
    await change(username, sql`disabled_at = ${clock.now()}`);
    expect(await signInError(username)).toEqual(['USER_DISABLED', ERRORS.USER_DISABLED[1]]);
  });
});
