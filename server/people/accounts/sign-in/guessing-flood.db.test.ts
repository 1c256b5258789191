import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { signIn as signInAs, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { signIn } from './password-sign-in.ts';

const app = await startApp();
const { make, clock, database } = app;
const STRANGERS = 50;
const GUESSES = 10_000;
/** They come without cookies. The guesses enter behind HTTP, whose own cost is not the matter here; the owner comes the whole way. */
const NOTHING_KNOWN = {
  deviceToken: undefined,
  sessionToken: undefined,
  userAgent: undefined,
  requestId: 'r',
  publicUrl: 'http://tidings.test',
};

test('ten thousand wrong guesses from strangers: the owner signs in on her own device meanwhile, and few were evaluated', async () => {
  const { id, username } = await make.user();
  const owner = await signInAs(app, username);
  const knocks = { done: 0, refused: 0 };
  const stranger = async () => {
    for (let i = 0; i < GUESSES / STRANGERS; i++) {
      const guess = { ...NOTHING_KNOWN, username, password: `guess ${i}` };
      await signIn(database.app, guess, clock.now()).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) knocks.refused++;
      });
      knocks.done++;
    }
  };
  const strangers = Array.from({ length: STRANGERS }, stranger);
  while (knocks.done < GUESSES / 2) await sleep(20);
  const { rows } = await database.owner.query<{ evaluated: number }>(
    sql`select guesses_since_owner_acted as evaluated from users where id = ${id}`,
  );
  const begun = performance.now();
  await owner.call('POST /api/authenticate', { body: { username, password: TEST_PASSWORD } });
  const took = performance.now() - begun;
  await Promise.all(strangers);
  expect(took).toBeLessThan(2000);
  expect(rows[0]?.evaluated).toBeGreaterThan(0);
  expect(rows[0]?.evaluated).toBeLessThanOrEqual(100);
  expect(knocks.refused).toBe(GUESSES);
  expect(await lettersTo(database, username)).toHaveLength(1);
}, 180_000);
