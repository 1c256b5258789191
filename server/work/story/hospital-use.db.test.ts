/** ED visits and stays as a patient's page counts them, from the messages. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();

test('an ED account that ends in an admission is one ED visit with the stay, and a nursing facility has none', async () => {
  const { facility, before, listing, client } = await storyScene(app);
  const [mercy, oak] = [await facility(), await facility('SNF', 'SNF')];
  for (const day of [40, 9]) {
    const of = { visit: `E-${day}`, patientClass: 'E', admitted: before(day, '0900') };
    await mercy.send('A04', before(day, '0900'), of);
    await mercy.send('A03', before(day, '1300'), { ...of, disposition: '09', discharged: before(day, '1300') });
    await mercy.stay(before(day, '1300'), before(day - 4), { disposition: '03' }, { 'PV1-14': '7' });
  }
  await oak.stay(before(5), null, {}, { 'PV1-14': '7' });
  const { risingRiskInfo, ...patient } = await client.call('GET /api/patients/:id', { params: { id: `${listing}_0` } });
  expect(patient).toMatchObject({
    emergencyRoomVisitCount: 2,
    emergencyRoomCount: 1,
    encounterCounts: { emergency: 2, inpatient: 2, postAcute: 1 },
    huFlag: null,
  });
  expect(risingRiskInfo).toMatchObject({ emergencyVisits: 2, inpatientStays: 2 });
});

test('ED visits in 60 days are counted by their arrivals, however long the stays were that followed', async () => {
  const { facility, before, story } = await storyScene(app);
  const mercy = await facility();
  const arrive = (visit: string, day: number) =>
    mercy.send('A04', before(day, '0900'), { visit, patientClass: 'E', admitted: before(day, '0900') });
  await arrive('E-1', 80);
  await mercy.send('A06', before(80, '1200'), { visit: 'E-1', admitted: before(80, '0900') });
  await mercy.send('A03', before(52), { visit: 'E-1', disposition: '01', discharged: before(52) });
  for (const day of [39, 12, 1]) {
    await arrive(`E-${day}`, day);
    const end = { visit: `E-${day}`, patientClass: 'E', disposition: '01', discharged: before(day, '1100') };
    await mercy.send('A03', before(day, '1100'), end);
  }
  const arrivals = (await story()).map(
    ({ events }) => events.find(({ status }) => status === 'PRESENTED')?.reason?.label,
  );
  // The newest first. The others came after an inpatient stay, or are the first.
  expect(arrivals[0]).toBe('3rd ED visit in 60 days');
  expect(arrivals.slice(1).filter((label) => label?.includes('ED visit'))).toEqual([]);
});
