/** Whether a stay at a nursing facility says that it may need a three-day waiver, from the messages to the story. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();
const BORN = { birthDate: '1941-03-14' };

type Scene = Awaited<ReturnType<typeof storyScene>>;
const notices = async ({ story }: Scene): Promise<boolean[]> =>
  (await story()).filter(({ setting }) => setting === 'SNF').map((stay) => stay.is3dWaiverEncounter);

test.each([
  ['someone of 85 whose payer is unknown', BORN, {}, true],
  ['someone with Medicare', { birthDate: '1994-03-14' }, { payer: 'MEDICARE PART A' }, true],
  ['someone of 32 with another payer', { birthDate: '1994-03-14' }, { payer: 'Aetna PPO' }, false],
  ['someone of 32 whose payer is unknown', { birthDate: '1994-03-14' }, {}, false],
])('a stay without a known hospital stay may need a waiver, or not: %s', async (_, born, more, expected) => {
  const scene = await storyScene(app, born);
  const oak = await scene.facility('SNF', 'SNF');
  await oak.stay(scene.before(3), null, more);
  expect(await notices(scene)).toEqual([expected]);
});

test('a stay that has ended, and one of someone who has died, need no waiver any more', async () => {
  const scene = await storyScene(app, BORN);
  const { facility, before } = scene;
  const oak = await facility('SNF', 'SNF');
  await oak.stay(before(103), before(3));
  await oak.stay(before(2), null);
  expect(await notices(scene)).toEqual([true, false]);
  await oak.send('A31', before(1), { noVisit: true, deceased: true });
  expect(await notices(scene)).toEqual([false, false]);
});

test.each([true, false])(
  'three nights in a hospital count when the resident comes back, leave sent: %s',
  async (sent) => {
    const scene = await storyScene(app, BORN);
    const { facility, before } = scene;
    const [oak, mercy] = [await facility('SNF', 'SNF'), await facility()];
    const of = { visit: await oak.stay(before(20), null), admitted: before(20) };
    expect(await notices(scene)).toEqual([true]);
    if (sent) await oak.send('A21', before(9), of);
    await mercy.stay(before(9), before(6), { disposition: '03' });
    if (sent) await oak.send('A22', before(6), of);
    expect(await notices(scene)).toEqual([false]);
  },
);

test.each(['LTAC', 'REHAB_HOS'] as const)('nights in a hospital of type %s count', async (type) => {
  const scene = await storyScene(app, BORN);
  const { facility, before } = scene;
  const [oak, willow] = [await facility('SNF', 'SNF'), await facility('ADMITTING', type)];
  await willow.stay(before(24), before(3), { disposition: '03' });
  await oak.stay(before(3), null);
  expect(await notices(scene)).toEqual([false]);
});

test('a return to skilled nursing within 30 days needs no new hospital stay', async () => {
  const scene = await storyScene(app, BORN);
  const { facility, before } = scene;
  const [oak, mercy] = [await facility('SNF', 'SNF'), await facility()];
  await mercy.stay(before(70), before(65), { disposition: '03' });
  await oak.stay(before(65), before(20), { disposition: '02' });
  await mercy.stay(before(20), before(19), { disposition: '03' });
  await oak.stay(before(19), null);
  expect(await notices(scene)).toEqual([false, false]);
});
