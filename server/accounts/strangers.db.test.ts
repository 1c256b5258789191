import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sql } from '#server/database/sql.ts';
import { anonymous, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { lettersTo } from '#server/testing/letters.ts';

const app = await startApp();
const { make, database } = app;
const STRANGERS = 50;
const GUESSES = 10_000;

test('ten thousand wrong guesses from strangers: the owner signs in on her own device meanwhile, and few were evaluated', async () => {
  const { id, username } = await make.user();
  const owner = await signIn(app, username);
  let left = GUESSES;
  let refused = 0;
  const stranger = async () => {
    while (left-- > 0) {
      const { status } = await anonymous(app).fetch('/api/authenticate', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: `guess ${left}` }),
      });
      if (status === 401) refused++;
    }
  };
  const strangers = Array.from({ length: STRANGERS }, stranger);
  while (left > GUESSES / 2) await sleep(20);
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
  expect(refused).toBe(GUESSES);
  expect(await lettersTo(database, username)).toHaveLength(1);
});
