/** A discharge whose destination is corrected after a team closed it: it is back, and says why. Today is November 20, 2026. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

/** A stay that ended two days ago. `say`: the sender corrects its discharge. `close`: everything of it is resolved. */
async function discharged(disposition: string) {
  const scene = await storyScene(app);
  const { facility, before, patient, client } = scene;
  const mercy = await facility();
  const [from, to] = [before(5), before(2)];
  const visit = await mercy.stay(from, to, { disposition });
  let said = 0;
  const say = (code: string) => {
    said += 1;
    const at = { sentAt: before(1, `100${said}`), admitted: from, discharged: to };
    return mercy.send('A03', to, { visit, disposition: code, ...at });
  };
  const card = async () => (await patient(visit)).card;
  const close = async () => {
    const { id, card: found } = await patient(visit);
    return client.call('POST /api/patients/:id/events/management-status/bulk', {
      params: { id },
      body: {
        eventIdentifiers: (found?.open ?? []).map(({ eventIdentifier }) => eventIdentifier),
        status: 'RESOLVED',
        resolutions: ['NO_ACTION_NEEDED'],
      },
    });
  };
  return { ...scene, visit, say, card, close };
}

test.each([
  ['a nursing facility to home', '03', '01', 'TCM contact due today'],
  ['home to a nursing facility', '01', '03', undefined],
])('a resolved discharge from %s comes back, each time, with who had closed it', async (_, first, second, reason) => {
  const { say, card, close, patient, visit } = await discharged(first);
  const [closed] = await close();
  expect(await card()).toMatchObject({ status: 'RESOLVED', reopened: null });
  await say(second);
  const back = await card();
  expect(back).toMatchObject({
    status: 'NEW',
    reopened: { why: 'The destination of the discharge changed.', closedBy: closed?.displayName },
    headline: { reason: reason ? { label: reason } : null },
  });
  expect(back?.open).toHaveLength(1);
  expect((await patient(visit)).currentPing).toMatchObject({ status: 'DISCHARGE', state: 'AMENDED' });
  await close();
  expect((await card())?.status).toBe('RESOLVED');
  // The first destination was right after all.
  await say(first);
  expect((await card())?.status).toBe('NEW');
});

test('another home, what the same message says again, and an open or unlisted stay change no status', async () => {
  const { say, card, close } = await discharged('01');
  await close();
  await say('06');
  await say('06');
  expect((await card())?.status).toBe('RESOLVED');
  const open = await discharged('03');
  await open.say('01');
  expect(await open.card()).toMatchObject({ status: 'NEW', reopened: null });
  const gone = await discharged('03');
  await gone.close();
  await app.database.pipeline.query('update roster_patients set left_at = now() where id = $1', [gone.listing]);
  await gone.say('01');
  expect((await gone.card())?.status).toBe('RESOLVED');
});
