import { expect, test } from 'vitest';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { momentOf } from '#server/testing/factories.ts';

const app = await startApp();
const { make, database, clock } = app;

test('a similar patient is shown with a member id only from groups whose details the actor may see', async () => {
  const { id: organizationId } = await make.organization();
  const { id: open } = await make.group({ organizationId });
  const { id: closed } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [open, closed] });
  const user = await make.user({ team, role: 'viewer' });
  const more = { role: 'viewer', added: ['canViewAllPatientDetails'] } as const;
  await grantRole(database.pipeline, { userId: user.id, teamId: team.id, groupId: open, ...more });
  const shown = await make.rosterPatient({ groupId: open, memberId: 'OPEN-1' });
  const hidden = await make.rosterPatient({ groupId: closed, memberId: 'CLOSED-1' });
  const client = await signIn(app, user.username);

  const similarTo = async ({ id }: { id: string }) =>
    (await client.call('GET /api/patients/:id', { params: { id: `${id}_0` } })).similarPatients;
  expect(await similarTo(shown)).toEqual([expect.objectContaining({ id: `${hidden.id}_0`, memberId: null })]);
  expect(await similarTo(hidden)).toEqual([expect.objectContaining({ id: `${shown.id}_0`, memberId: 'OPEN-1' })]);
  const { rows } = await database.pipeline.query(
    `select subject_id as id, patient_ids as shown from audit_entries where action = 'patient.view' and user_id = $1 order by audit_entries.id`,
    [user.id],
  );
  expect(rows).toEqual([
    { id: shown.id, shown: [shown.id, hidden.id] },
    { id: hidden.id, shown: [hidden.id, shown.id] },
  ]);
});

test('the payer of a stay is hidden, like other insurance, from users who may not see details', async () => {
  const team = await make.team();
  const [groupId = ''] = team.groupIds;
  const payers = [{ code: 'LM', company: 'Lantern Mutual', plan: 'Gold', memberId: null }];
  const encounter = await make.encounter({ visit: { payers } });
  const event = await make.event({
    encounterId: encounter.id,
    code: 'PAYOR_CHANGE',
    detail: { payer: 'Lantern Mutual' },
  });
  const { patientId } = await make.ping({ groupId, encounter, eventId: event.id });
  const seenBy = async (role: 'viewer' | 'clinician') => {
    const client = await signIn(app, (await make.user({ team, role })).username);
    const patient = await client.call('GET /api/patients/:id', { params: { id: patientId } });
    const { currentPing, currentPingEncounter: stay } = patient;
    return [patient.detailsVisible, currentPing?.payor, stay?.payors, stay?.pings.map(({ payor }) => payor)];
  };
  expect(await seenBy('clinician')).toEqual([true, 'Lantern Mutual', ['Lantern Mutual · Gold'], ['Lantern Mutual']]);
  expect(await seenBy('viewer')).toEqual([false, null, [], [null]]);
});

test("a facility's own patient is shown with the events of the visit, as in the list, although it gets no pings", async () => {
  const organization = await make.organization();
  const facility = await make.group({ type: 'HOS', facilityType: 'HOS', organizationId: organization.id });
  const team = await make.team({ organizationId: organization.id, groupIds: [facility.id] });
  const encounter = await make.encounter({ groupId: facility.id });
  const at = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000);
  for (const [code, hours, state] of [
    ['ADMIT', 9, 'ACTIVE'],
    ['DISCHARGE', 2, 'ACTIVE'],
    ['TRANSFER', 1, 'CANCELLED'],
  ] as const)
    await make.event({ encounterId: encounter.id, code, at: at(hours), state });
  const listing = await make.rosterPatient({ groupId: facility.id, personId: encounter.personId });
  const client = await signIn(app, (await make.user({ team })).username);
  client.teamId = team.id;
  const id = `${listing.id}_${encounter.id}`;
  const [row] = (await client.call('POST /api/patients/search', { body: {} })).patients;
  expect([row?.id, row?.currentPing?.status]).toEqual([id, 'DISCHARGE']);
  const patient = await client.call('GET /api/patients/:id', { params: { id } });
  expect(patient.currentPing).toEqual(row?.currentPing);
  expect(patient.currentPingEncounter?.pings.map(({ status }) => status)).toEqual(['DISCHARGE', 'ADMIT', 'TRANSFER']);
});

test('a visit duration is in minutes under an hour, in hours under two days, then in days', async () => {
  const team = await make.team();
  const [groupId = ''] = team.groupIds;
  const client = await signIn(app, (await make.user({ team })).username);
  const durationOf = async (minutes: number) => {
    const now = clock.now();
    const admittedAt = momentOf(new Date(now.getTime() - minutes * 60_000));
    const encounter = await make.encounter({ visit: { status: 'FINISHED', admittedAt, dischargedAt: momentOf(now) } });
    const { patientId } = await make.ping({ groupId, encounter });
    const patient = await client.call('GET /api/patients/:id', { params: { id: patientId } });
    return patient.currentPingEncounter?.visitDuration;
  };
  expect([await durationOf(25), await durationOf(61), await durationOf(47 * 60), await durationOf(96 * 60)]).toEqual([
    '25 minutes',
    '1 hour',
    '47 hours',
    '4 days',
  ]);
});
