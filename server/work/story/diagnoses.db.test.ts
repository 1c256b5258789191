/** The diagnoses of a patient, from the messages to the story. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

test('a final diagnosis is dated by the message that made it final, and says that it was the admitting one', async () => {
  const { facility, story, before, client, listing } = await storyScene(app);
  const mercy = await facility();
  const of = { visit: 'V-1', admitted: before(4) };
  await mercy.send('A01', before(4), of, { DG1: 'DG1|1||J44.1^COPD exacerbation^I10|||A' });
  const final = 'DG1|1||I50.9^Heart failure^I10|||F\rDG1|2||J44.1^COPD exacerbation^I10|||F';
  await mercy.send('A03', before(1), { ...of, discharged: before(1), disposition: '01' }, { DG1: final });
  const [admitted, left] = [before(4), before(1)].map((at) => `${at.slice(0, 4)}-${at.slice(4, 6)}-${at.slice(6, 8)}`);
  const found = await client.call('GET /api/patients/:id/diagnosis-summary', { params: { id: `${listing}_0` } });
  const earlier = [{ type: 'A', since: admitted }];
  expect(found).toMatchObject([
    { fullCode: 'I50.9', type: 'F', firstDate: left, lastDate: left },
    { fullCode: 'J44.1', type: 'F', firstDate: admitted, lastDate: left, before: earlier },
  ]);
  const [stay] = await story();
  expect(stay?.allEncounterDiagnoses).toMatchObject([{ since: left }, { since: left, before: earlier }]);
});
