/** A hospital that opens an account each for the ED, observation and the stay, and ends all of them at the discharge, from the messages to counts and clocks. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { filtering } from '#server/testing/search.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

test.each([
  ['with the stay', '1000'],
  ['minutes later', '1005'],
])('accounts that end %s are one acute visit, and one discharge to follow up', async (_, ended) => {
  const { facility, story, client, before, listing, patient } = await storyScene(app, { birthDate: '1950-03-14' });
  const mercy = await facility();
  const accounts = {
    E1: { visit: 'E1', patientClass: 'E', admitted: before(6, '0800') },
    O1: { visit: 'O1', patientClass: 'OBS', admitted: before(6, '1500') },
    I1: { visit: 'I1', patientClass: 'I', admitted: before(5, '0800') },
  };
  const { E1, O1, I1 } = accounts;
  for (const account of [E1, O1]) await mercy.send('A04', account.admitted, account);
  await mercy.send('A01', I1.admitted, I1);
  const left = { disposition: '01', discharged: before(2, '1000') };
  await mercy.send('A03', before(2, '1000'), { ...I1, ...left });
  for (const account of [O1, E1])
    await mercy.send('A03', before(2, ended), { ...account, ...left, discharged: before(2, ended) });

  expect((await story()).map(({ status }) => status)).toEqual(['FINISHED', 'FINISHED', 'FINISHED']);
  const { risingRiskInfo, encounterCounts } = await patient();
  expect(risingRiskInfo?.unplannedVisits).toMatchObject({ recent: 1 });
  expect(encounterCounts).toMatchObject({ emergency: 1, inpatient: 1 });
  const due = await client.call('POST /api/pings', { body: filtering({ dueWork: ['DUE_TODAY'] }) });
  expect(due.patients.map(({ id }) => id)).toEqual([`${listing}_${(await story())[0]?.id}`]);
  const followUps = await client.call('GET /api/patients/:id/follow-ups', { params: { id: `${listing}_0` } });
  const clocks = followUps.map(({ setting, noClock }) => [setting, noClock]);
  expect(clocks).toEqual([['INPATIENT', null]]);
});
