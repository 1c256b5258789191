/** What later messages correct, and what dispositions mean, from the messages to what a team reads. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { hospital } from '#server/testing/hospital.ts';
import { patientStory } from '#server/testing/patient-story.ts';

const app = await startApp();
const hosp = hospital(app.database, app.clock.now, app.make);

const admission = { 'PV1-44': '202611190900' };
const left = { ...admission, 'PV1-45': '202611200800' };

test('another PV1-44 in an A08 moves the admission and its ping', async () => {
  const { send, told } = await patientStory(app, hosp);
  await send('A01', '202611190900', admission);
  expect((await send('A08', '202611191200', { 'PV1-44': '202611182115' })).reason).toBe('Updated: admission');
  expect(await told()).toMatchObject([{ admitted: '11-19 02:15', pings: ['ADMIT INPATIENT 11-19 02:15 AMENDED'] }]);
});

test('an amended event says what it said before its latest change, also after other changes, and if it is as at first again', async () => {
  const { send, client, listing } = await patientStory(app, hosp);
  await send('A01', '202611190900', admission);
  await send('A03', '202611200800', { ...left, 'PV1-36': '01' });
  const discharge = async () => {
    const { patients } = await client.call('POST /api/pings', { body: {} });
    const { currentPingEncounter: stay } = patients.find(({ id }) => id.startsWith(`${listing}_`)) ?? {};
    return stay?.pings.find(({ status }) => status === 'DISCHARGE');
  };
  expect(await discharge()).not.toHaveProperty('was');
  const home = { eventDate: '2026-11-20T13:00:00.000Z', setting: 'INPATIENT', dischargedTo: 'Home' };
  await send('A08', '202611200900', { ...left, 'PV1-36': '03' });
  const nursing = { ...home, dischargedTo: 'Skilled nursing facility' };
  expect(await discharge()).toMatchObject({ dischargedTo: nursing.dischargedTo, state: 'AMENDED', was: home });
  await send('A08', '202611200930', { ...left, 'PV1-36': '06' });
  expect(await discharge()).toMatchObject({ dischargedTo: 'Home with home health', was: nursing });
  const later = { ...left, 'PV1-45': '202611200845' };
  await send('A08', '202611200940', { ...later, 'PV1-36': '06' });
  const atHome = { ...home, dischargedTo: 'Home with home health' };
  expect(await discharge()).toMatchObject({ eventDate: '2026-11-20T13:45:00.000Z', was: atHome });
  await send('A08', '202611200945', { ...left, 'PV1-36': '01' });
  const was = { ...atHome, eventDate: '2026-11-20T13:45:00.000Z' };
  expect(await discharge()).toMatchObject({ dischargedTo: 'Home', state: 'AMENDED', was });
});

test('an amended event goes on saying what it said before while only what it did not say then changes', async () => {
  const { send, client, listing } = await patientStory(app, hosp);
  const admit = async () => {
    const { patients } = await client.call('POST /api/pings', { body: {} });
    return patients.find(({ id }) => id.startsWith(`${listing}_`))?.currentPing;
  };
  await send('A01', '202611190900', admission);
  await send('A08', '202611191000', { 'PV1-44': '202611182115' });
  const was = { eventDate: '2026-11-19T14:00:00.000Z', setting: 'INPATIENT', dischargedTo: null };
  expect(await admit()).toMatchObject({ admittedFrom: null, was });
  await send('A01', '202611191100', { 'PV1-44': '202611182115', 'PV1-14': '7' });
  expect(await admit()).toMatchObject({ admittedFrom: 'Emergency department', was });
});

test('disposition 09 on an ED account is no discharge, and the admission has an account of its own', async () => {
  const { send, told } = await patientStory(app, hosp);
  const inEmergency = { 'PV1-2': 'E', 'PV1-44': '202611200700' };
  await send('A04', '202611200700', inEmergency);
  const { reason } = await send('A03', '202611200800', { ...inEmergency, 'PV1-45': '202611200800', 'PV1-36': '09' });
  expect(reason).toBe('No new event: admitted as an inpatient (PV1-36 is 09)');
  await send('A01', '202611200810', { 'PV1-19': 'V-2', 'PV1-44': '202611200810' });
  expect(await told()).toMatchObject([
    {
      visit: 'FINISHED EMERGENCY',
      discharged: null,
      disposition: 'Admitted to this hospital',
      pings: ['PRESENTED EMERGENCY 11-20 12:00 ACTIVE'],
    },
    { visit: 'IN_PROGRESS INPATIENT', pings: ['ADMIT INPATIENT 11-20 13:10 ACTIVE'] },
  ]);
});

test.each([
  ['EXPIRED', 'Died', 'DECEASED INPATIENT 11-20 13:00 ACTIVE DECEASED'],
  ['Expired in medical facility', 'Died', 'DECEASED INPATIENT 11-20 13:00 ACTIVE DECEASED'],
  ['DECEASED', 'Died', 'DECEASED INPATIENT 11-20 13:00 ACTIVE DECEASED'],
  ['HOME W/ SELF CARE', 'Home', 'DISCHARGE INPATIENT 11-20 13:00 ACTIVE FOLLOW_UP_DUE'],
  ['Left AMA', 'Left against medical advice', 'DISCHARGE INPATIENT 11-20 13:00 ACTIVE FOLLOW_UP_DUE'],
  ['ELOPED', 'Left without telling staff (eloped)', 'DISCHARGE INPATIENT 11-20 13:00 ACTIVE FOLLOW_UP_DUE'],
  ['LWBS', 'Left without being seen', 'DISCHARGE INPATIENT 11-20 13:00 ACTIVE FOLLOW_UP_DUE'],
  ['07', 'Left against medical advice', 'DISCHARGE INPATIENT 11-20 13:00 ACTIVE FOLLOW_UP_DUE'],
])('a discharge to %s is %s', async (sent, disposition, ping) => {
  // A table of the feed's own doesn't hide what the words say.
  const { send, told } = await patientStory(app, hosp, { settings: { dispositionMap: { LOUNGE: '01' } } });
  await send('A01', '202611190900', admission);
  await send('A03', '202611200800', { ...left, 'PV1-36': sent });
  expect(await told()).toMatchObject([{ disposition, pings: [expect.stringMatching(/^ADMIT/), ping] }]);
});

test('a disposition that the feed does not know warns, in the reason of its message', async () => {
  const { send } = await patientStory(app, hosp);
  const { reason } = await send('A03', '202611200800', { ...left, 'PV1-36': 'LOUNGE', 'PV1-2': 'X' });
  expect(reason).toBe(
    "Created: discharge; PV1-2 isn't in the feed's class map (setting unknown); PV1-36 isn't in the feed's disposition map (shown as sent)",
  );
});

test('a class that becomes observation after the discharge corrects the visit and what its pings say', async () => {
  const { send, told } = await patientStory(app, hosp);
  await send('A01', '202611190900', admission);
  await send('A03', '202611200800', { ...left, 'PV1-36': '01' });
  await send('A08', '202611200930', { ...left, 'PV1-36': '01', 'PV1-2': 'O', 'PV1-18': 'OBS' });
  expect(await told()).toMatchObject([
    {
      visit: 'FINISHED OBSERVATION',
      pings: ['ADMIT OBSERVATION 11-19 14:00 AMENDED', 'DISCHARGE OBSERVATION 11-20 13:00 AMENDED FOLLOW_UP_DUE'],
    },
  ]);
});

test('a stay that was first heard of by its discharge goes on when that is canceled, whichever arrives first', async () => {
  const discharged = { 'PV1-2': 'I', 'PV1-44': '202611180900', 'PV1-45': '202611200800' };
  const stay = { visit: 'IN_PROGRESS INPATIENT', admitted: '11-18 14:00', discharged: null };
  const one = await patientStory(app, hosp);
  await one.send('A03', '202611200800', discharged);
  await one.send('A13', '202611200801', discharged);
  expect(await one.told()).toEqual([
    { ...stay, disposition: null, pings: ['DISCHARGE INPATIENT 11-20 13:00 CANCELLED RETRACTED'] },
  ]);
  const other = await patientStory(app, hosp);
  await other.send('A13', '202611200801', discharged);
  await other.send('A03', '202611200800', discharged);
  expect(await other.told()).toMatchObject([stay]);
});
