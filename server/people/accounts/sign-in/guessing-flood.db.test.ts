import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forPurpose } from '#server/platform/database/settings.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { signIn as signInAs, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { signIn } from './password-sign-in.ts';

const app = await startApp();
const { make, clock, database } = app;
const STRANGERS = 50;
const GUESSES = 10_000;
/** Strangers have no cookies. They skip HTTP, whose cost is not measured here; the owner signs in over HTTP. */
const UNKNOWN_BROWSER = {
  deviceToken: undefined,
  sessionToken: undefined,
  userAgent: undefined,
  address: '203.0.113.9',
  requestId: 'r',
  publicUrl: 'http://tidings.test',
};

test('during ten thousand guesses by strangers the owner signs in on a known device, and at most a hundred are checked', async () => {
  const { id, username } = await make.user({ passwordHash: await hashPassword(TEST_PASSWORD) });
  const owner = await signInAs(app, username);
  const guesses = { done: 0, refused: 0 };
  const stranger = async () => {
    for (let i = 0; i < GUESSES / STRANGERS; i++) {
      const guess = { ...UNKNOWN_BROWSER, username, password: `guess ${i}` };
      await forPurpose('sign-in', () => signIn({ db: database.app, isProduction: false }, guess, clock.now())).catch(
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 401) guesses.refused++;
        },
      );
      guesses.done++;
    }
  };
  const strangers = Array.from({ length: STRANGERS }, stranger);
  while (guesses.done < GUESSES / 2) await sleep(20);
  const { rows } = await database.owner.query<{ checked: number }>(
    sql`select guesses_since_owner_acted as checked from users where id = ${id}`,
  );
  const startedAt = performance.now();
  await owner.call('POST /api/authenticate', { body: { username, password: TEST_PASSWORD } });
  const took = performance.now() - startedAt;
  await Promise.all(strangers);
  expect(took).toBeLessThan(2000);
  expect(rows[0]?.checked).toBeGreaterThan(0);
  expect(rows[0]?.checked).toBeLessThanOrEqual(100);
  expect(guesses.refused).toBe(GUESSES);
  expect(await lettersTo(database, username)).toHaveLength(1);
}, 180_000);
