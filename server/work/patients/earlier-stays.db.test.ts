/** What a row says of the stays before it, from the messages to the reason. Today is November 20, 2026. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

test('a readmission names the discharge before it, however many there were', async () => {
  const { facility, patient, before } = await storyScene(app);
  const mercy = await facility();
  const reasonOf = async (visit: string) =>
    (await patient(visit)).currentPingEncounter?.pings.find(({ status }) => status === 'ADMIT')?.reason?.label;
  const first = await mercy.stay(before(50), before(30));
  const second = await mercy.stay(before(20), before(15));
  const third = await mercy.stay(before(12), before(11), { disposition: '07' });
  const now = await mercy.stay(before(5), null);
  expect(await Promise.all([first, second, third, now].map(reasonOf))).toEqual([
    undefined,
    'Readmitted 10 days after discharge on 10/21/2026',
    'Readmitted 3 days after discharge on 11/05/2026',
    'Readmitted 6 days after discharge on 11/09/2026',
  ]);
});

test('a row that was left open says when the stay before it ended, not how long ago that seemed then', async () => {
  const { facility, patient, before } = await storyScene(app);
  const mercy = await facility();
  await mercy.stay(before(60), before(53));
  const visit = await mercy.stay(before(39, '0800'), before(39, '1200'), { patientClass: 'E' });
  const pings = (await patient(visit)).currentPingEncounter?.pings ?? [];
  expect(pings.find(({ status }) => status === 'PRESENTED')?.reason?.label).toBe(
    'Discharged from a hospital 14 days before, 09/28/2026',
  );
});
