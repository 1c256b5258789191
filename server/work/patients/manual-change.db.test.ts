import { describe, expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const app = await startApp();
const { make, database } = app;
app.queue.start();

const EDITOR: Permission[] = ['canEditPatientsAndEvents', 'canViewPatients', 'canViewAllPatientDetails'];

/** A nursing facility without a feed, with a nurse who may enter what is not old. It is November 20, 2026, in the morning. */
async function facility(added: Permission[] = EDITOR) {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId, type: 'SNF' });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const member = async (flags: Permission[]) =>
    signIn(app, (await make.user({ team, role: 'viewer', added: flags })).username);
  return { groupId, member, client: await member(added) };
}

/** Enters a new person with an admission on the day. */
async function enter(client: Client, groupId: string, over: Record<string, unknown> = {}): Promise<string> {
  const { family, given, birthDate } = newPerson();
  const body = {
    firstName: given,
    lastName: family,
    dateOfBirth: birthDate,
    gender: 'Female' as const,
    status: 'ADMIT' as const,
    eventDate: '2026-11-16',
    relationship: 'TREATMENT' as const,
    ...over,
  };
  return (await client.call('POST /api/cohort/:groupId/patients', { params: { groupId }, body })).patientId;
}

const addEvent = (client: Client, id: string, status: 'DISCHARGE' | 'DECEASED' | 'TRANSFER', eventDate: string) =>
  client.call('POST /api/patients/:id/events', { params: { id }, body: { status, eventDate } });

const patientOf = (client: Client, id: string) => client.call('GET /api/patients/:id', { params: { id } });

/** The events of the visit, oldest first, as 'ADMIT 2026-11-16 ACTIVE'. */
async function eventsOf(client: Client, id: string) {
  const { currentPingEncounter: visit } = await patientOf(client, id);
  return (visit?.pings ?? [])
    .map(({ status, eventDate, state }) => `${status} ${eventDate} ${state}`)
    .toSorted((a, b) => (a < b ? -1 : 1));
}

const eventId = async (client: Client, id: string, code: string): Promise<string> => {
  const { currentPingEncounter: visit } = await patientOf(client, id);
  return visit?.pings.find(({ status, state }) => status === code && state !== 'CANCELLED')?.eventIdentifier ?? '';
};

const changeEvent = async (client: Client, id: string, code: string, body: Record<string, string>) =>
  client.call('PATCH /api/patients/:id/events/:eventId', {
    params: { id, eventId: await eventId(client, id, code) },
    body,
  });

const encounterParams = (id: string) => ({ id, encounterId: id.split('_')[1] ?? '' });

test('a corrected event shows its new day at once, and the entry before it stays in the history', async () => {
  const { groupId, client } = await facility();
  const id = await enter(client, groupId);
  await addEvent(client, id, 'DISCHARGE', '2026-11-19');
  expect(await changeEvent(client, id, 'DISCHARGE', { eventDate: '2026-11-18' })).toEqual({
    patientId: id,
    isListed: true,
  });
  expect(await eventsOf(client, id)).toEqual(['ADMIT 2026-11-16 ACTIVE', 'DISCHARGE 2026-11-18 AMENDED']);
  await changeEvent(client, id, 'DISCHARGE', { status: 'TRANSFER' });
  expect(await eventsOf(client, id)).toEqual([
    'ADMIT 2026-11-16 ACTIVE',
    'DISCHARGE 2026-11-18 CANCELLED',
    'TRANSFER 2026-11-18 ACTIVE',
  ]);
  await changeEvent(client, id, 'ADMIT', { eventDate: '2026-11-17T10:30:00-05:00' });
  const { currentPingEncounter: visit } = await patientOf(client, id);
  expect(visit).toMatchObject({ status: 'IN_PROGRESS', admittedDate: '2026-11-17T15:30:00Z', dischargedDate: null });
  const { rows } = await database.pipeline.query<{ source: string; reason: string }>(
    `select source, reason from messages where sending_facility = $1 order by id`,
    [groupId],
  );
  expect(rows.map(({ source }) => source)).toEqual(Array.from({ length: 5 }, () => 'MANUAL'));
});

test('where staff say that a patient went counts as in messages, and no death hides in it', async () => {
  const { groupId, client } = await facility();
  const left = async (dischargedTo: string) => {
    const id = await enter(client, groupId);
    const body = { status: 'DISCHARGE' as const, eventDate: '2026-11-19', dischargedTo };
    await client.call('POST /api/patients/:id/events', { params: { id }, body });
    const { currentPingEncounter: visit } = await patientOf(client, id);
    return visit?.dischargeDisposition;
  };
  expect(await left('AMA')).toBe('Left against medical advice');
  expect(await left('home')).toBe('Home');
  const id = await enter(client, groupId);
  const body = { status: 'DISCHARGE' as const, eventDate: '2026-11-19', dischargedTo: 'expired' };
  const { fields } = await errorOf(client, 'POST /api/patients/:id/events', { params: { id }, body });
  expect(fields).toEqual({ dischargedTo: 'If the patient died, choose Deceased as the status.' });
});

test('a deleted event is canceled, and a deleted death takes the death back', async () => {
  const { groupId, client } = await facility();
  const id = await enter(client, groupId);
  await addEvent(client, id, 'DECEASED', '2026-11-19');
  expect(await patientOf(client, id)).toMatchObject({ deceased: true });
  const params = { id, eventId: await eventId(client, id, 'DECEASED') };
  await client.call('DELETE /api/patients/:id/events/:eventId', { params });
  expect(await patientOf(client, id)).toMatchObject({
    deceased: false,
    deceasedDate: null,
    currentPingEncounter: { status: 'IN_PROGRESS' },
  });
  expect(await eventsOf(client, id)).toEqual(['ADMIT 2026-11-16 ACTIVE', 'DECEASED 2026-11-19 CANCELLED']);
  expect((await errorOf(client, 'DELETE /api/patients/:id/events/:eventId', { params })).errorKey).toBe('NOT_FOUND');
});

test('an event outside the order of its visit is refused, and so is the deletion of a beginning', async () => {
  const { groupId, client } = await facility();
  const id = await enter(client, groupId);
  const refused = async (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      (error: { status: number }) => error.status,
    );
  expect(await refused(addEvent(client, id, 'DISCHARGE', '2026-11-15'))).toBe(400);
  await addEvent(client, id, 'DISCHARGE', '2026-11-18');
  expect(await refused(changeEvent(client, id, 'DISCHARGE', { eventDate: '2026-11-15' }))).toBe(400);
  expect(await refused(changeEvent(client, id, 'ADMIT', { eventDate: '2026-11-19' }))).toBe(400);
  expect(await refused(changeEvent(client, id, 'ADMIT', { status: 'DISCHARGE' }))).toBe(400);
  expect(await refused(changeEvent(client, id, 'DISCHARGE', { status: 'ADMIT' }))).toBe(400);
  expect(await refused(changeEvent(client, id, 'DISCHARGE', { eventDate: '2026-11-23' }))).toBe(400);
  const params = { id, eventId: await eventId(client, id, 'ADMIT') };
  expect(await refused(client.call('DELETE /api/patients/:id/events/:eventId', { params }))).toBe(400);
  expect(await eventsOf(client, id)).toEqual(['ADMIT 2026-11-16 ACTIVE', 'DISCHARGE 2026-11-18 ACTIVE']);
});

describe('a deleted visit', () => {
  test('takes a patient without another one off the list, and can be entered again', async () => {
    const { groupId, client } = await facility();
    const id = await enter(client, groupId, { recordNumber: 'R-1' });
    await addEvent(client, id, 'DISCHARGE', '2026-11-18');
    const answer = await client.call('DELETE /api/patients/:id/encounters/:encounterId', {
      params: encounterParams(id),
    });
    expect(answer).toEqual({ patientId: id, isListed: false });
    const patient = await patientOf(client, id);
    expect(patient.currentPingEncounter?.status).toBe('CANCELLED');
    expect(patient.listings.every(({ leftAt }) => leftAt !== null)).toBe(true);
    expect(await eventsOf(client, id)).toEqual(['ADMIT 2026-11-16 CANCELLED', 'DISCHARGE 2026-11-18 CANCELLED']);
    const again = { params: encounterParams(id) };
    expect((await errorOf(client, 'DELETE /api/patients/:id/encounters/:encounterId', again)).errorKey).toBe(
      'NOT_FOUND',
    );
    const late = { params: { id }, body: { status: 'TRANSFER', eventDate: '2026-11-18' } } as const;
    expect((await errorOf(client, 'POST /api/patients/:id/events', late)).errorKey).toBe('BAD_REQUEST');
    const { patientId } = await client.call('POST /api/patients/:id/events', {
      params: { id },
      body: { status: 'ADMIT', eventDate: '2026-11-20' },
    });
    expect(await eventsOf(client, patientId)).toEqual(['ADMIT 2026-11-20 ACTIVE']);
    expect((await patientOf(client, patientId)).listings[0]?.leftAt).toBeNull();
  });

  test('leaves a patient with another visit on the list', async () => {
    const { groupId, client } = await facility();
    const first = await enter(client, groupId);
    const { patientId: second } = await client.call('POST /api/patients/:id/events', {
      params: { id: first },
      body: { status: 'ADMIT', eventDate: '2026-11-20' },
    });
    expect(second).not.toBe(first);
    const params = { id: first, encounterId: second.split('_')[1] ?? '' };
    expect(await client.call('DELETE /api/patients/:id/encounters/:encounterId', { params })).toMatchObject({
      isListed: true,
    });
    expect(await eventsOf(client, first)).toEqual(['ADMIT 2026-11-16 ACTIVE']);
  });
});

test('what is more than 30 days ago needs a flag of its own: entering, changing, deleting, and the patient', async () => {
  const { groupId, client, member } = await facility();
  const senior = await member([...EDITOR, 'canEditOldManualPatientsAndEvents']);
  const old = await errorOf(client, 'POST /api/cohort/:groupId/patients', {
    params: { groupId },
    body: { ...person('Old'), eventDate: '2026-10-20' },
  });
  expect([old.errorKey, old.message]).toEqual(['NOT_PERMITTED', expect.stringContaining('30 days')]);
  const id = await enter(senior, groupId, { eventDate: '2026-10-20' });
  const params = { id, eventId: await eventId(senior, id, 'ADMIT') };
  const isEditable = async (by: Client) => (await patientOf(by, id)).currentPingEncounter?.pings[0]?.editable;
  expect([await isEditable(client), await isEditable(senior)]).toEqual([false, true]);
  const keys = [
    await errorOf(client, 'PATCH /api/patients/:id/events/:eventId', { params, body: { eventDate: '2026-11-01' } }),
    await errorOf(client, 'DELETE /api/patients/:id/events/:eventId', { params }),
    await errorOf(client, 'DELETE /api/patients/:id/encounters/:encounterId', { params: encounterParams(id) }),
    await errorOf(client, 'PATCH /api/patients/:id', { params: { id }, body: { lastName: 'Else' } }),
  ].map(({ errorKey }) => errorKey);
  expect(keys).toEqual(Array.from({ length: 4 }, () => 'NOT_PERMITTED'));

  await senior.call('PATCH /api/patients/:id/events/:eventId', { params, body: { eventDate: '2026-10-21' } });
  expect([await isEditable(client), await isEditable(senior)]).toEqual([true, true]);
  const back = { params, body: { eventDate: '2026-10-20' } };
  expect((await errorOf(client, 'PATCH /api/patients/:id/events/:eventId', back)).errorKey).toBe('NOT_PERMITTED');
  await client.call('PATCH /api/patients/:id', { params: { id }, body: { lastName: 'Else' } });
});

const person = (lastName: string) =>
  ({
    firstName: 'Ngozi',
    lastName,
    dateOfBirth: '03/14/1941',
    gender: 'Female',
    status: 'ADMIT',
    eventDate: '2026-11-16',
    relationship: 'TREATMENT',
  }) as const;

describe('a corrected patient', () => {
  test('stays the same patient with another name and birth date, and fields that are not sent stay', async () => {
    const { groupId, client } = await facility();
    const id = await enter(client, groupId, {
      address1: '1 Elm St',
      city: 'Fairhaven',
      zip: '12345',
      homePhone: '585-555-0134',
    });
    await addEvent(client, id, 'DISCHARGE', '2026-11-18');
    const change = (body: Record<string, string | null>) =>
      client.call('PATCH /api/patients/:id', { params: { id }, body });
    await change({ firstName: 'Johanna', lastName: 'Quarles', dateOfBirth: '02/03/1944', gender: 'Other', city: null });
    expect(await patientOf(client, id)).toMatchObject({
      id,
      firstName: 'Johanna',
      lastName: 'Quarles',
      dateOfBirth: '1944-02-03',
      gender: 'Other',
      address: { address1: '1 Elm St', city: null, zip: '12345', homePhone: '585-555-0134' },
    });
    await change({ lastName: 'Quarles-Diaz', homePhone: null });
    expect(await patientOf(client, id)).toMatchObject({
      firstName: 'Johanna',
      lastName: 'Quarles-Diaz',
      address: { homePhone: null },
    });
    expect(await eventsOf(client, id)).toEqual(['ADMIT 2026-11-16 ACTIVE', 'DISCHARGE 2026-11-18 ACTIVE']);
    const { rows } = await database.pipeline.query('select id from source_patients where group_id = $1', [groupId]);
    expect(rows).toHaveLength(1);
  });

  test('is refused in the future, as a guess of details, and at a facility that has a feed now', async () => {
    const { groupId, client } = await facility();
    const id = await enter(client, groupId);
    const refused = async (body: Record<string, string>) =>
      (await errorOf(client, 'PATCH /api/patients/:id', { params: { id }, body })).errorKey;
    expect(await refused({ dateOfBirth: '2027-01-01' })).toBe('BAD_REQUEST');
    expect(await refused({ group: '1' })).toBe('BAD_REQUEST');
    const outcomes: string[] = [];
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const call = client.call('PATCH /api/patients/:id', { params: { id }, body: { dateOfBirth: `1950-05-1${n}` } });
      outcomes.push(
        await call.then(
          () => 'changed',
          (error: { status: number }) => String(error.status),
        ),
      );
    }
    expect(outcomes).toContain('429');
    await database.pipeline.query('update groups set is_automated = true where id = $1', [groupId]);
    expect(await refused({ lastName: 'Other' })).toBe('NOT_FOUND');
  });
});

test('a correction of a patient whom someone else has corrected since is refused, with who and when', async () => {
  const { groupId, client, member } = await facility();
  const other = await member(EDITOR);
  const id = await enter(client, groupId);
  const { entryVersion: version } = await patientOf(client, id);
  const change = (lastName: string, read: string | null) => ({
    params: { id },
    body: { lastName, version: read ?? undefined },
  });
  await other.call('PATCH /api/patients/:id', change('Quarles', version));
  const refused = await errorOf(client, 'PATCH /api/patients/:id', change('Diaz', version));
  expect(refused).toMatchObject({
    errorKey: 'CHANGED_BY_OTHER',
    standing: { version: '1', last: { name: expect.any(String), date: expect.stringContaining('2026-11-20') } },
  });
  expect(await patientOf(client, id)).toMatchObject({ lastName: 'Quarles', entryVersion: '1' });
  await client.call('PATCH /api/patients/:id', change('Diaz', '1'));
  expect(await patientOf(client, id)).toMatchObject({ lastName: 'Diaz', entryVersion: '2' });
});

test('of corrections that are saved at once, one is made and the others are refused', async () => {
  const { groupId, client } = await facility();
  const id = await enter(client, groupId);
  const names = ['Quarles', 'Diaz', 'Moreau', 'Stroud', 'Ibarra'];
  const saved = await Promise.allSettled(
    names.map((lastName) =>
      client.call('PATCH /api/patients/:id', { params: { id }, body: { lastName, version: '0' } }),
    ),
  );
  const made = names.filter((_, n) => saved[n]?.status === 'fulfilled');
  expect(made).toHaveLength(1);
  expect(await patientOf(client, id)).toMatchObject({ lastName: made[0], entryVersion: '1' });
});

test.each([
  ['01/01/2027', "The date of birth can't be in the future."],
  ['01/01/1850', "The date of birth can't be more than 130 years ago."],
  ['13/40/1950', 'Not a valid date of birth. Use MM/DD/YYYY.'],
])('the date of birth %s is refused: %s', async (dateOfBirth, words) => {
  const { groupId, client } = await facility();
  const body = { ...person('Born'), dateOfBirth };
  const { fields } = await errorOf(client, 'POST /api/cohort/:groupId/patients', { params: { groupId }, body });
  expect(fields).toEqual({ dateOfBirth: words });
});

test('no other facility corrects or deletes an entry, even if it lists the person', async () => {
  const ours = await facility();
  const theirs = await facility();
  const details = person('Shared');
  const id = await enter(ours.client, ours.groupId, details);
  const own = await enter(theirs.client, theirs.groupId, details);
  const encounterId = id.split('_')[1] ?? '';
  const event = await eventId(ours.client, id, 'ADMIT');
  for (const patientId of [id, own, `${own.split('_')[0]}_${encounterId}`]) {
    const params = { id: patientId, encounterId, eventId: event };
    const keys = [
      await errorOf(theirs.client, 'PATCH /api/patients/:id/events/:eventId', { params, body: { status: 'ADMIT' } }),
      await errorOf(theirs.client, 'DELETE /api/patients/:id/events/:eventId', { params }),
      await errorOf(theirs.client, 'DELETE /api/patients/:id/encounters/:encounterId', { params }),
    ].map(({ errorKey }) => errorKey);
    expect(keys).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  }
  const body = { lastName: 'Stolen' };
  expect((await errorOf(theirs.client, 'PATCH /api/patients/:id', { params: { id }, body })).errorKey).toBe(
    'NOT_FOUND',
  );
  expect(await eventsOf(ours.client, id)).toEqual(['ADMIT 2026-11-16 ACTIVE']);
});
