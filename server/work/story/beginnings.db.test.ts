/** How a stay began, from the messages to the story: in the ED, under observation, as an inpatient. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

test.each([
  ['of the admission', 2, undefined],
  ['of the observation', 5, '2026-11-18T14:00:00.000Z'],
])('a stay that began under observation says since when, with a PV1-44 %s', async (_, admitted, inpatientFrom) => {
  const { facility, story, before } = await storyScene(app);
  const mercy = await facility();
  const of = { visit: 'V-1', admitted: before(5) };
  await mercy.send('A01', before(5), { ...of, patientClass: 'OBS' });
  await mercy.send('A06', before(2), { ...of, admitted: before(admitted) });
  const [stay] = await story();
  expect(stay?.observedFrom).toMatch(/^2026-11-15T14:00/);
  expect(stay?.inpatientFrom).toBe(inpatientFrom);
  expect(stay?.inpatientNights).toBe(2);
});

test.each([
  ['with an arrival in the ED', 'E', '2026-11-17T20:00:00.000Z'],
  ['without one', 'OBS', '2026-11-17T15:00:00Z'],
])('a stay that was changed back to observation says when it was an inpatient one: %s', async (_, first, observed) => {
  const { facility, story, before } = await storyScene(app);
  const mercy = await facility();
  const of = { visit: 'V-1', admitted: before(3, '1000') };
  await mercy.send('A04', before(3, '1000'), { ...of, patientClass: first });
  if (first === 'E') await mercy.send('A06', before(3, '1500'), { ...of, patientClass: 'OBS' });
  await mercy.send('A06', before(2), { ...of, patientClass: 'I' });
  await mercy.send('A07', before(1, '1500'), { ...of, patientClass: 'OBS' });
  const [stay] = await story();
  expect([stay?.setting, stay?.inpatientNights]).toEqual(['OBSERVATION', 0]);
  expect([stay?.observedFrom, stay?.inpatientFrom]).toEqual([observed, '2026-11-18T14:00:00.000Z']);
});

test('a stay that was an inpatient one, under observation, and an inpatient one again was observed in between', async () => {
  const { facility, story, before } = await storyScene(app);
  const mercy = await facility();
  const of = { visit: 'V-1', admitted: before(4) };
  await mercy.send('A01', before(4), of);
  await mercy.send('A07', before(3), { ...of, patientClass: 'OBS' });
  await mercy.send('A06', before(2), { ...of, patientClass: 'I' });
  expect(await story()).toMatchObject([
    { observedFrom: '2026-11-17T14:00:00.000Z', inpatientFrom: '2026-11-18T14:00:00.000Z' },
  ]);
});

test('an outpatient who is admitted by A06 was registered, and the stay begins with the admission', async () => {
  const { facility, story, before } = await storyScene(app);
  const mercy = await facility();
  const of = { visit: 'V-1', admitted: before(2) };
  await mercy.send('A04', before(2), { ...of, patientClass: 'O' });
  await mercy.send('A06', before(1), { ...of, patientClass: 'I' });
  const [stay] = await story();
  expect([stay?.registeredDate, stay?.admittedDate]).toEqual(['2026-11-18T14:00:00Z', '2026-11-19T14:00:00Z']);
  expect([stay?.lengthOfStay, stay?.inpatientNights]).toEqual([1, 1]);
});

test('a stay whose admission is dated earlier later was not under observation', async () => {
  const { facility, story, before } = await storyScene(app);
  const mercy = await facility();
  await mercy.send('A01', before(2, '1023'), { visit: 'V-1', admitted: before(2, '1023') });
  const corrected = { visit: 'V-1', admitted: before(2, '1020'), discharged: before(1), disposition: '01' };
  await mercy.send('A03', before(1), corrected);
  const [stay] = await story();
  expect(stay?.admittedDate?.slice(11, 16)).toBe('15:20');
  expect([stay?.observedFrom, stay?.inpatientFrom]).toEqual([undefined, undefined]);
});

test('linked stays begin with the observation of the first', async () => {
  const { facility, story, before } = await storyScene(app);
  const [mercy, oak] = [await facility(), await facility('SNF', 'SNF')];
  const of = { visit: 'V-1', admitted: before(5) };
  await mercy.send('A01', before(5), { ...of, patientClass: 'OBS' });
  await mercy.send('A06', before(3), { ...of, admitted: before(3) });
  await mercy.send('A03', before(1, '0700'), {
    ...of,
    admitted: before(3),
    discharged: before(1, '0700'),
    disposition: '03',
  });
  await oak.stay(before(1), null);
  expect((await story())[0]?.fullVisitDuration).toBe('5 days');
});

test('an ED arrival keeps its time when an update makes it observation', async () => {
  const { facility, story, before } = await storyScene(app);
  const mercy = await facility();
  const of = { visit: 'V-1', patientClass: 'E', admitted: before(2, '0319') };
  await mercy.send('A04', before(2, '0319'), of);
  await mercy.send('A08', before(2, '0800'), { ...of, patientClass: 'OBS', admitted: before(2, '0719') });
  const [stay] = await story();
  expect(stay?.events.map(({ status, eventDate }) => `${status} ${eventDate.slice(11, 16)}`)).toEqual([
    'TRANSFER 12:19',
    'PRESENTED 08:19',
  ]);
});

test('a pre-admission that is canceled was only planned', async () => {
  const { facility, story, before } = await storyScene(app);
  const mercy = await facility();
  const of = { visit: 'V-1', admitted: before(-4, '0800') };
  await mercy.send('A05', before(1), of);
  await mercy.send('A38', before(0, '0800'), of);
  expect(await story()).toMatchObject([{ status: 'CANCELLED', onlyPlanned: true, events: [] }]);
});

test('an ED visit and the stay that it led to under another account number are one episode', async () => {
  const { facility, story, before } = await storyScene(app);
  const mercy = await facility();
  const emergency = { visit: 'E-1', patientClass: 'E', admitted: before(2, '0900') };
  await mercy.send('A04', before(2, '0900'), emergency);
  await mercy.send('A03', before(2, '1500'), { ...emergency, disposition: '09', discharged: before(2, '1500') });
  await mercy.stay(before(2, '1500'), null);
  const [stay, arrival] = await story();
  expect([stay?.setting, arrival?.setting]).toEqual(['INPATIENT', 'EMERGENCY']);
  expect(stay?.episodeId).toBe(arrival?.id);
  expect(stay?.admittedFromLocation).toMatch(/ \(Emergency\)$/);
  expect(stay?.fullVisitDuration).toBe('2 days');
});

test.each([
  ['0120-0400', '05:20'],
  ['0120-0500', '06:20'],
  ['0120', '06:20'],
])('an arrival at %s, registered at 1:30 AM after the clock went back, began at %s UTC', async (arrived, utc) => {
  const { facility, story } = await storyScene(app);
  const at = await facility();
  const fields = { 'EVN-6': `20261101${arrived}`, 'PV1-44': '202611010130-0500' };
  await at.send('A04', '202611010230', { visit: 'V-1', patientClass: 'E' }, fields);
  expect((await story())[0]?.pings[0]?.eventDate).toContain(`2026-11-01T${utc}:00`);
});
