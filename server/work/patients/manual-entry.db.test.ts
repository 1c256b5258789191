import { expect, test } from 'vitest';
import type { EventCode } from '#contract/event-codes.ts';
import { signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make, database } = app;
app.queue.start();

/** Makes a nursing facility without a feed and signs in one of its nurses. */
async function facility() {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId, type: 'SNF' });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const { username } = await make.user({ team, added: ['canEditPatientsAndEvents', 'canViewPatients'] });
  return { groupId, client: await signIn(app, username) };
}

const resident = {
  firstName: 'Ngozi',
  lastName: 'Achterberg',
  dateOfBirth: '03/14/1941',
  gender: 'Female',
  status: 'ADMIT',
  eventDate: '2026-11-18',
  relationship: 'TREATMENT',
} as const;

const eventsAt = async (groupId: string) =>
  (
    await database.pipeline.query(
      `select e.code, e.event_precision as precision, e.event_day as day from events e
       join encounters n on n.id = e.encounter_id where n.group_id = $1 order by e.event_at`,
      [groupId],
    )
  ).rows;

test('a patient entered manually appears at once, as does the next event, with dates kept as dates', async () => {
  const { groupId, client } = await facility();
  const { patientId } = await client.call('POST /api/cohort/:groupId/patients', {
    params: { groupId },
    body: { ...resident },
  });
  const patient = await client.call('GET /api/patients/:id', { params: { id: patientId } });
  expect(patient).toMatchObject({ lastName: 'Achterberg', currentPingEncounter: { admittedDate: '2026-11-18' } });
  await client.call('POST /api/patients/:id/events', {
    params: { id: patientId },
    body: { status: 'DISCHARGE', eventDate: '2026-11-19' },
  });
  expect(await eventsAt(groupId)).toEqual([
    { code: 'ADMIT', precision: 'day', day: '2026-11-18' },
    { code: 'DISCHARGE', precision: 'day', day: '2026-11-19' },
  ]);
});

test('an entry is refused at a foreign facility, in the future, with an unreadable character, or for a visit now linked to another person', async () => {
  const { groupId, client } = await facility();
  const elsewhere = await facility();
  const enter = (group: string, over = {}) =>
    client.call('POST /api/cohort/:groupId/patients', { params: { groupId: group }, body: { ...resident, ...over } });
  await expect(enter(elsewhere.groupId)).rejects.toMatchObject({ status: 404 });
  await expect(enter(groupId, { eventDate: '2026-11-22' })).rejects.toMatchObject({ status: 400 });
  await expect(enter(groupId, { eventDate: '0001-01-01' })).rejects.toMatchObject({ status: 400 });
  await expect(enter(groupId, { status: 'DISCHARGE' })).rejects.toMatchObject({ status: 400 });
  await expect(enter(groupId, { firstName: 'Ada\u0000' })).rejects.toMatchObject({ status: 400 });
  const { patientId } = await enter(groupId);
  const [, encounterId] = patientId.split('_');
  const { id: another } = await make.person();
  await database.pipeline.query('update encounters set person_id = $2 where id = $1', [encounterId, another]);
  const later = client.call('POST /api/patients/:id/events', {
    params: { id: patientId },
    body: { status: 'DISCHARGE', eventDate: '2026-11-19' },
  });
  await expect(later).rejects.toMatchObject({ status: 404 });
  expect(await eventsAt(groupId)).toHaveLength(1);
});

test('the same person is not added twice at a facility, unless another record number tells two apart', async () => {
  const { groupId, client } = await facility();
  const enter = (over = {}) =>
    client.call('POST /api/cohort/:groupId/patients', { params: { groupId }, body: { ...resident, ...over } });
  await enter();
  await expect(enter({ firstName: 'NGOZI' })).rejects.toMatchObject({
    status: 400,
    body: { fields: { lastName: expect.stringContaining('Your facility lists a person with this name') as string } },
  });
  await enter({ recordNumber: 'R-77' });
  const refused = enter({ firstName: 'Ada', zip: 'nope', homePhone: 'abc' });
  await expect(refused).rejects.toMatchObject({
    body: { fields: { zip: 'Not a ZIP code. Use 5 or 9 digits.', homePhone: 'Not a phone number. Use 10 digits.' } },
  });
});

test('services are resumed after a leave only, and nobody on leave is admitted a second time', async () => {
  const { groupId, client } = await facility();
  const { patientId } = await client.call('POST /api/cohort/:groupId/patients', {
    params: { groupId },
    body: { ...resident, eventDate: '2026-11-16' },
  });
  const enter = (status: 'RESUMED_SERVICES' | 'MEDICAL_LEAVE_OF_ABSENCE' | 'ADMIT', eventDate: string) =>
    client.call('POST /api/patients/:id/events', { params: { id: patientId }, body: { status, eventDate } });
  await expect(enter('RESUMED_SERVICES', '2026-11-17')).rejects.toMatchObject({
    body: { fields: { status: expect.stringContaining('No leave of absence') as string } },
  });
  await enter('MEDICAL_LEAVE_OF_ABSENCE', '2026-11-18');
  await expect(enter('ADMIT', '2026-11-19')).rejects.toMatchObject({
    body: { fields: { status: expect.stringContaining('Choose Resumed Services') as string } },
  });
  await enter('RESUMED_SERVICES', '2026-11-19');
  expect((await eventsAt(groupId)).map(({ code }) => code)).toEqual([
    'ADMIT',
    'MEDICAL_LEAVE_OF_ABSENCE',
    'RESUMED_SERVICES',
  ]);
});

test('after the end of a stay nothing is entered that only a patient who is there can do, but a death is', async () => {
  const { groupId, client } = await facility();
  const { patientId } = await client.call('POST /api/cohort/:groupId/patients', {
    params: { groupId },
    body: { ...resident, eventDate: '2026-11-12' },
  });
  const enter = (status: EventCode, eventDate: string) =>
    client.call('POST /api/patients/:id/events', { params: { id: patientId }, body: { status, eventDate } });
  await enter('MEDICAL_LEAVE_OF_ABSENCE', '2026-11-13');
  await enter('DISCHARGE', '2026-11-16');
  for (const status of ['MEDICAL_LEAVE_OF_ABSENCE', 'RESUMED_SERVICES', 'TRANSFER', 'PAYOR_CHANGE'] as const)
    await expect(enter(status, '2026-11-18')).rejects.toMatchObject({
      body: { fields: { eventDate: 'The visit ended on 11/16/2026. Choose an earlier date, or start a new visit.' } },
    });
  await enter('RESUMED_SERVICES', '2026-11-14');
  await enter('DECEASED', '2026-11-19');
  expect((await eventsAt(groupId)).map(({ code }) => code)).toEqual([
    'ADMIT',
    'MEDICAL_LEAVE_OF_ABSENCE',
    'RESUMED_SERVICES',
    'DISCHARGE',
    'DECEASED',
  ]);
});

test('a patient who is entered three times at once is entered once', async () => {
  const { groupId, client } = await facility();
  const enter = () => client.call('POST /api/cohort/:groupId/patients', { params: { groupId }, body: { ...resident } });
  const entered = await Promise.allSettled([enter(), enter(), enter()]);
  expect(entered.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await eventsAt(groupId)).toHaveLength(1);
});

test('only events that fit the type of the facility are entered', async () => {
  const { groupId, client } = await facility();
  const enter = (status: 'ADMIT' | 'PRESENTED' | 'VISIT' | 'STARTED_HHA_SERVICES') =>
    client.call('POST /api/cohort/:groupId/patients', { params: { groupId }, body: { ...resident, status } });
  for (const status of ['PRESENTED', 'VISIT', 'STARTED_HHA_SERVICES'] as const)
    await expect(enter(status)).rejects.toMatchObject({ status: 400 });
  const { patientId } = await enter('ADMIT');
  const add = (status: 'PRESENTED' | 'ENDED_HHA_SERVICES' | 'ENDED_SERVICES') =>
    client.call('POST /api/patients/:id/events', {
      params: { id: patientId },
      body: { status, eventDate: '2026-11-19' },
    });
  await expect(add('PRESENTED')).rejects.toMatchObject({ status: 400 });
  await expect(add('ENDED_HHA_SERVICES')).rejects.toMatchObject({ status: 400 });
  expect((await eventsAt(groupId)).map(({ code }) => code)).toEqual(['ADMIT']);
  await add('ENDED_SERVICES');
  expect((await eventsAt(groupId)).map(({ code }) => code)).toEqual(['ADMIT', 'ENDED_SERVICES']);
});
