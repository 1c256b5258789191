import { expect, test } from 'vitest';
import { ERRORS, WITHOUT_MAIL } from '#contract/errors.ts';
import { sql } from '#server/platform/database/sql.ts';
import { startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { passwordCalls } from '#server/testing/passwords.ts';

const mailless = await startApp({ config: { smtp: null } });
const mailing = await startApp();
const DAY = 86_400_000;

for (const [app, texts] of [
  [mailless, WITHOUT_MAIL],
  [mailing, { LOCKED: ERRORS.LOCKED[1], PASSWORD_EXPIRED: ERRORS.PASSWORD_EXPIRED[1] }],
] as const) {
  const { make, clock, database } = app;
  const { signInError, change, set } = passwordCalls(app);
  const sends = app === mailing;

  test(`a locked account ${sends ? 'is mailed the link' : 'is promised no mail'} that its message names`, async () => {
    const { username } = await make.user();
    for (const _ of [1, 2]) await signInError(username, 'wrong');
    expect(await signInError(username, 'wrong')).toEqual(['LOCKED', texts.LOCKED]);
    const letters = await lettersTo(database, username);
    expect(letters.map(({ subject }) => subject)).toEqual(['Unlock your Tidings account']);
  });

  test(`an account unused for 90 days ${sends ? 'is mailed the link' : 'is promised no mail'} too`, async () => {
    const { username } = await make.user();
    const past = new Date(clock.now().getTime() - 91 * DAY);
    await change(username, sql`activated_at = ${past}, password_changed_at = ${past}`);
    expect(await signInError(username, TEST_PASSWORD)).toEqual(['PASSWORD_EXPIRED', texts.PASSWORD_EXPIRED]);
  });

  if (sends)
    test('an account that is locked again after its link was used is mailed another one at once', async () => {
      const { username } = await make.user();
      for (const round of [1, 2]) {
        for (const _ of [1, 2, 3]) await signInError(username, 'wrong');
        const links = (await lettersTo(database, username)).filter(({ subject }) => subject.startsWith('Unlock'));
        expect(links).toHaveLength(round);
        await set(/#token=([\w-]+)/.exec(links.at(-1)?.body ?? '')?.[1] ?? '', `violet otter at noon ${round}`);
      }
    });
}
