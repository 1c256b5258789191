/** A discharge to a nursing facility that home health contradicts, from the messages to the row and the patient's page. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

test('home health on the day after a discharge to skilled nursing asks where the patient went, until a facility says so', async () => {
  const { client, facility, patient, before, listing, numberOf } = await storyScene(app);
  const [mercy, nurses, oak] = [await facility(), await facility('ADMITTING', 'HHA'), await facility('SNF', 'SNF')];
  const visit = await mercy.stay(before(6), before(2), { disposition: '03' });
  const said = async () => {
    const encounterId = await numberOf(visit);
    const all = await client.call('GET /api/patients/:id/follow-ups', { params: { id: `${listing}_${encounterId}` } });
    const ofStay = all.find((one) => one.encounterId === encounterId);
    return [(await patient(visit)).card?.headline.reason?.code ?? null, ofStay?.noClock];
  };
  expect(await said()).toEqual([null, 'NOT_TO_COMMUNITY']);
  await nurses.stay(before(1), null);
  expect(await said()).toEqual(['DESTINATION_UNCLEAR', 'UNCLEAR']);
  await oak.stay(before(2, '1200'), before(1, '0800'));
  expect(await said()).toEqual([null, 'NOT_TO_COMMUNITY']);
});
