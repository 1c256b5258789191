/** How a stay ended, from the messages to the story: a stay that the patient left alive never ends in the death that came later. */
import { expect, test } from 'vitest';
import type { StoryEncounter } from '#contract/story.ts';
import { startApp } from '#server/testing/app.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

const ending = ({ endPing, dischargeTo, dischargedDate }: StoryEncounter | undefined = {} as StoryEncounter) => [
  endPing?.status ?? null,
  dischargeTo,
  dischargedDate?.slice(0, 10),
];

test('a stay that the patient left alive ends with that discharge, wherever and whenever the death is reported', async () => {
  const { facility, story, patient, before } = await storyScene(app);
  const [mercy, other] = [await facility(), await facility()];
  const of = { visit: await mercy.stay(before(9), before(5)), admitted: before(9) };
  const home = ['DISCHARGE', 'Home', '2026-11-15'];
  await mercy.send('A31', before(3), { noVisit: true, deceased: true, diedAt: before(4) });
  expect(ending((await story())[0])).toEqual(home);
  expect((await patient()).deceasedDate).toBe('2026-11-16');
  await mercy.send('A08', before(2), { ...of, deceased: true, diedAt: before(4) });
  expect(ending((await story())[0])).toEqual(home);
  const died = { deceased: true, disposition: '20', discharged: before(4), diedAt: before(4) };
  await other.stay(before(4, '0700'), before(4), died);
  expect((await story()).map(ending)).toEqual([['DECEASED', 'Died', '2026-11-16'], home]);
});

test('a stay ends in a death that falls inside it, and says the time of death', async () => {
  const { facility, story, before } = await storyScene(app);
  const mercy = await facility();
  await mercy.stay(before(9), before(5, '1400'), { disposition: '' });
  await mercy.send('A31', before(4), { noVisit: true, deceased: true, diedAt: before(5, '0830') });
  const [stay] = await story();
  expect(stay?.endPing?.status).toBe('DECEASED');
});

test('a team that got no ping of the discharge is not told that the stay ended in the death after it', async () => {
  const { facility, story, before, hosp, groupId } = await storyScene(app);
  const mercy = await facility();
  await mercy.stay(before(9), before(5));
  await app.database.pipeline.query(
    `delete from pings p using events e where e.id = p.event_id and e.code = 'DISCHARGE' and p.group_id = $1`,
    [groupId],
  );
  await mercy.send('A31', before(3), { noVisit: true, deceased: true, diedAt: before(4) });
  expect(await hosp.pings(groupId)).toEqual(['ADMIT ACTIVE late', 'DECEASED ACTIVE current late']);
  expect(ending((await story())[0])).toEqual([null, 'Home', '2026-11-15']);
});

test('banner and event have one date of death, marked as reported where it is only the time of the message', async () => {
  const { facility, story, patient, before } = await storyScene(app);
  const mercy = await facility();
  const visit = await mercy.stay(before(9), before(5));
  await mercy.send('A31', before(3, '2330'), { noVisit: true, deceased: true });
  const { currentPing, ...shown } = await patient(visit);
  expect(shown).toMatchObject({ deceasedDate: '2026-11-17', isDeceasedDateReported: true });
  expect(currentPing).toMatchObject({ status: 'DECEASED', datedByReport: true, eventDate: expect.stringMatching(/T/) });
  expect(ending((await story())[0])).toEqual(['DISCHARGE', 'Home', '2026-11-15']);
  await mercy.send('A31', before(2), { noVisit: true, deceased: true, diedAt: before(4) });
  const later = await patient(visit);
  expect(later).toMatchObject({ deceasedDate: '2026-11-16' });
  expect(later.isDeceasedDateReported).toBeUndefined();
  expect(later.currentPing?.datedByReport).toBeUndefined();
});

test('a death that the discharge reports is dated by it, in the banner too', async () => {
  const { facility, patient, before } = await storyScene(app);
  const visit = await (await facility()).stay(before(9), before(5), { disposition: '20' });
  const { deceasedDate, isDeceasedDateReported, currentPing } = await patient(visit);
  expect([deceasedDate, isDeceasedDateReported, currentPing?.datedByReport]).toEqual([
    '2026-11-15',
    undefined,
    undefined,
  ]);
});

test('a discharge with "still a patient" leaves the stay open, and row, story and explanation say so until it has an end', async () => {
  const { facility, story, patient, client, before } = await storyScene(app);
  const mercy = await facility();
  const visit = await mercy.stay(before(4), null);
  const of = { visit, admitted: before(4), discharged: before(1) };
  await mercy.send('A03', before(1), { ...of, disposition: '30' });
  const [open] = await story();
  expect(open).toMatchObject({ status: 'IN_PROGRESS', dischargedDate: null, dischargeContradicted: true });
  const { id, card, currentPing } = await patient(visit);
  expect(card?.headline.reason).toEqual({
    code: 'DISCHARGE_UNCLEAR',
    label: 'Discharge sent with “still a patient”. Confirm with the facility',
    severity: 'caution',
  });
  const params = { id, eventId: currentPing?.eventIdentifier ?? '' };
  const { stay } = await client.call('GET /api/patients/:id/events/:eventId/explanation', { params });
  expect(stay?.dischargeContradicted).toBe(true);
  await mercy.send('A03', before(1, '1000'), { ...of, discharged: before(1, '1000'), disposition: '01' });
  const [left] = await story();
  expect(left).toMatchObject({ status: 'FINISHED', dischargeTo: 'Home' });
  expect(left?.dischargeContradicted).toBeUndefined();
});

test('a death that a later stay contradicts is no fact on any page of the patient, and the stay goes on', async () => {
  const { facility, story, patient, before } = await storyScene(app);
  const [mercy, other] = [await facility(), await facility()];
  const first = await mercy.stay(before(9), before(5), { disposition: '20' });
  expect((await patient(first)).isDeathInDoubt).toBeUndefined();
  await other.send('A01', before(2), { visit: 'N-1', admitted: before(2) });
  for (const visit of [first, 'N-1'])
    expect(await patient(visit)).toMatchObject({ deceased: true, isDeathInDoubt: true });
  const [stay] = await story();
  expect(stay).toMatchObject({ lengthOfStay: 2, visitDuration: '2 days' });
  expect((await patient(first)).nowAt?.since).toBe(stay?.admittedDate);
});

test('a death that its sender takes back by PID-30 is in doubt', async () => {
  const { facility, story, patient, before } = await storyScene(app);
  const mercy = await facility();
  const of = { visit: await mercy.stay(before(6), null), admitted: before(6) };
  await mercy.send('A08', before(4), { ...of, deceased: true });
  expect((await story())[0]?.lengthOfStay).toBe(2);
  await mercy.send('A08', before(1), of, { 'PID-30': 'N' });
  expect(await patient(of.visit)).toMatchObject({ deceased: true, isDeathInDoubt: true });
  expect((await story())[0]?.lengthOfStay).toBe(6);
});
