import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { guessWrong, trySignIn } from '#server/testing/sign-ins.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { unlockAccount } from './lockout.ts';

const app = await startApp();
const { make, database } = app;

describe('a lock', () => {
  test('comes with the third wrong password in a row and refuses even the right one', async () => {
    const { username } = await make.user();
    expect(await guessWrong(anonymous(app), username, 4)).toEqual([
      'WRONG_PASSWORD',
      'WRONG_PASSWORD',
      'LOCKED',
      'LOCKED',
    ]);
    expect(await trySignIn(anonymous(app), username, TEST_PASSWORD)).toBe('LOCKED');
  });

  test('is the same for a username without an account', async () => {
    expect(await guessWrong(anonymous(app), 'nobody@tidings.test', 4)).toEqual([
      'WRONG_PASSWORD',
      'WRONG_PASSWORD',
      'LOCKED',
      'LOCKED',
    ]);
  });

  test('does not come if the right password came between the wrong ones', async () => {
    const { username } = await make.user();
    const client = anonymous(app);
    for (let round = 0; round < 3; round++) {
      client.cookies.clear();
      expect(await guessWrong(client, username, 2)).toEqual(['WRONG_PASSWORD', 'WRONG_PASSWORD']);
      expect(await trySignIn(client, username, TEST_PASSWORD)).toBe('home');
    }
  });

  test('of unknown devices does not affect a known one, nor a known device’s the others', async () => {
    const { username } = await make.user();
    const known = await signIn(app, username);
    await guessWrong(anonymous(app), username, 3);
    expect(await trySignIn(known, username, TEST_PASSWORD)).toBe('home');
    expect(await trySignIn(anonymous(app), username, TEST_PASSWORD)).toBe('LOCKED');

    const other = await make.user();
    const [first, second] = [await signIn(app, other.username), await signIn(app, other.username)];
    expect(await guessWrong(first, other.username, 3)).toContain('LOCKED');
    expect(await trySignIn(first, other.username, TEST_PASSWORD)).toBe('LOCKED');
    expect(await trySignIn(second, other.username, TEST_PASSWORD)).toBe('home');
  });

  test('treats a shared browser as known to both its users, and as unknown to a third', async () => {
    const [one, two, stranger] = [await make.user(), await make.user(), await make.user()];
    const shared = await signIn(app, one.username);
    await trySignIn(shared, two.username, TEST_PASSWORD);
    for (const { username } of [one, two, stranger]) await guessWrong(anonymous(app), username, 3);
    expect(await trySignIn(shared, one.username, TEST_PASSWORD)).toBe('home');
    expect(await trySignIn(shared, two.username, TEST_PASSWORD)).toBe('home');
    expect(await trySignIn(shared, stranger.username, TEST_PASSWORD)).toBe('LOCKED');
  });

  test('counts guesses made in parallel', async () => {
    const { username } = await make.user({ passwordHash: await hashPassword(TEST_PASSWORD) });
    const guesses = Array.from({ length: 12 }, (_, i) => trySignIn(anonymous(app), username, `wrong ${i}`));
    const answers = await Promise.all(guesses);
    expect(answers.filter((answer) => answer === 'WRONG_PASSWORD')).toHaveLength(2);
    expect(answers.filter((answer) => answer === 'LOCKED')).toHaveLength(10);
  });

  test('does not come if the right password is sent many times at once', async () => {
    const { username } = await make.user({ passwordHash: await hashPassword(TEST_PASSWORD) });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => trySignIn(anonymous(app), username, TEST_PASSWORD)),
    );
    expect(new Set(answers)).toEqual(new Set(['home']));
  });

  test('comes everywhere after a hundred guesses, known devices included, until the owner acts', async () => {
    const { id, username } = await make.user();
    const known = await signIn(app, username);
    await database.owner.query(sql`update users set guesses_since_owner_acted = 99 where id = ${id}`);
    expect(await trySignIn(known, username, 'wrong')).toBe('WRONG_PASSWORD');
    expect(await trySignIn(known, username, TEST_PASSWORD)).toBe('LOCKED');
    await unlockAccount(database.pipeline, id, username);
    expect(await trySignIn(known, username, TEST_PASSWORD)).toBe('home');
    const { rows } = await database.owner.query(sql`select guesses_since_owner_acted as n from users where id = ${id}`);
    expect(rows).toEqual([{ n: 0 }]);
  });
});
