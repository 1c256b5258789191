/** A hospital that admits a patient again under the number of the stay before (PV1-19), from the messages to the row, the story and the lists. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { filtering } from '#server/testing/search.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

type Step = 'admitted' | 'discharged' | 'readmitted';

test.each<[Step[]]>([
  [['admitted', 'discharged', 'readmitted']],
  [['readmitted', 'admitted', 'discharged']],
  [['admitted', 'readmitted', 'discharged']],
])('%j: two stays, a readmission, and no clock of the first', async (order) => {
  const { facility, story, client, before, listing, hosp, groupId } = await storyScene(app, {
    birthDate: '1950-03-14',
  });
  const mercy = await facility();
  const visit = { visit: 'SAME-1' };
  const send = {
    admitted: () => mercy.send('A01', before(9), { ...visit, admitted: before(9) }),
    discharged: () =>
      mercy.send('A03', before(6), { ...visit, admitted: before(9), discharged: before(6), disposition: '01' }),
    readmitted: () => mercy.send('A01', before(3), { ...visit, admitted: before(3) }),
  };
  for (const step of order) await send[step]();

  const stays = await story();
  expect(stays.map(({ status, events }) => [status, events.map(({ status: code }) => code)])).toEqual([
    ['IN_PROGRESS', ['ADMIT']],
    ['FINISHED', ['DISCHARGE', 'ADMIT']],
  ]);
  const row = { id: `${listing}_${stays[0]?.id}` };
  const { card } = await client.call('GET /api/patients/:id', { params: row });
  expect(card?.headline.reason).toMatchObject({ code: 'READMISSION' });
  const [left, ...others] = await client.call('GET /api/patients/:id/follow-ups', { params: row });
  expect(others).toEqual([]);
  expect(left).toMatchObject({ noClock: 'IN_FACILITY' });
  expect(left?.clocks.map(({ state }) => state)).not.toContain('OVERDUE');
  const overdue = await client.call('POST /api/pings', { body: filtering({ dueWork: ['OVERDUE'] }) });
  expect(overdue.patients).toEqual([]);
  expect(await hosp.pings(groupId)).toHaveLength(3);
});
