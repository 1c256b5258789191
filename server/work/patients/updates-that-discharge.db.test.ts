/** Discharges that an A08 or A31 reports, from the messages to what a team reads. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { hospital } from '#server/testing/hospital.ts';
import { patientStory } from '#server/testing/patient-story.ts';

const app = await startApp();
const hosp = hospital(app.database, app.clock.now, app.make);

const admission = { 'PV1-44': '202611150900' };
const coded = { ...admission, 'PV1-45': '202611191030', 'PV1-36': '01' };
const ADMITTED = 'ADMIT INPATIENT 11-15 14:00 ACTIVE late';

test('an A08 with discharge time and disposition ends the stay, sends Discharged, and starts the follow-up', async () => {
  for (const trigger of ['A08', 'A31']) {
    const { send, told } = await patientStory(app, hosp);
    await send('A01', '202611150900', admission);
    expect((await send(trigger, '202611191200', coded)).reason).toBe('Created: discharge');
    expect(await told()).toMatchObject([
      {
        visit: 'FINISHED INPATIENT',
        discharged: '11-19 15:30',
        disposition: 'Home',
        pings: [ADMITTED, 'DISCHARGE INPATIENT 11-19 15:30 ACTIVE FOLLOW_UP_DUE'],
      },
    ]);
  }
});

test('an expected discharge in PV1-45 ends nothing', async () => {
  const { send, told } = await patientStory(app, hosp);
  await send('A01', '202611150900', admission);
  await send('A08', '202611180900', coded);
  expect(await told()).toMatchObject([{ visit: 'IN_PROGRESS INPATIENT', discharged: null, disposition: null }]);
});

test('an A13 reopens the stay that an A08 ended, and retracts the ping', async () => {
  const { send, told } = await patientStory(app, hosp);
  await send('A01', '202611150900', admission);
  await send('A08', '202611191200', coded);
  expect((await send('A13', '202611191300', admission)).reason).toBe('Cancels A08');
  expect(await told()).toMatchObject([
    {
      visit: 'IN_PROGRESS INPATIENT',
      discharged: null,
      pings: [ADMITTED, 'DISCHARGE INPATIENT 11-19 15:30 CANCELLED RETRACTED'],
    },
  ]);
});

test('an A08 that repeats a discharge does not keep it when an A13 cancels the A03', async () => {
  const { send, told } = await patientStory(app, hosp);
  await send('A01', '202611150900', admission);
  await send('A03', '202611191030', coded);
  await send('A08', '202611191200', coded);
  expect((await send('A13', '202611191300', admission)).reason).toBe('Cancels A03, A08');
  expect(await told()).toMatchObject([{ visit: 'IN_PROGRESS INPATIENT', discharged: null }]);
});

test('a late coding A08 on the first day of a feed is a finished visit, and nobody reads "Admitted"', async () => {
  const { send, told } = await patientStory(app, hosp);
  const left = { ...coded, 'PV1-45': '202611161030' };
  await send('A08', '202611200100', left);
  expect(await told()).toMatchObject([
    {
      visit: 'FINISHED INPATIENT',
      admitted: '11-15 14:00',
      discharged: '11-16 15:30',
      pings: ['DISCHARGE INPATIENT 11-16 15:30 ACTIVE late FOLLOW_UP_OVERDUE'],
    },
  ]);
});

test('an update from before the discharge that comes after it sends no "Admitted" either', async () => {
  const stay = { 'PV1-44': '202611192300' };
  const { send, told } = await patientStory(app, hosp);
  await send('A08', '202611200900', { ...stay, 'PV1-45': '202611200800', 'PV1-36': '01' });
  await send('A08', '202611200200', stay);
  expect(await told()).toMatchObject([
    { visit: 'FINISHED INPATIENT', pings: ['DISCHARGE INPATIENT 11-20 13:00 ACTIVE FOLLOW_UP_DUE'] },
  ]);
});
