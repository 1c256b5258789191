/** What of a single patient depends on permissions beyond canViewPatients, and how many statements it takes. */
import { expect, test } from 'vitest';
import { loadActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { signIn } from '#server/testing/app.ts';
import { ADA, addTo, startCareApp } from '#server/testing/care.ts';
import { momentOf } from '#server/testing/factories.ts';
import { getPatientDetails } from './patient-details.ts';

const { app, make, scene } = await startCareApp();
const { database, clock } = app;

test('instructions, their forms and care plans are shown with canViewCarePlans, and contacts are counted without it', async () => {
  const { ours, theirs } = await scene();
  await addTo(theirs.client, theirs.id);
  const { id: instructionId } = await theirs.client.call('POST /api/patients/:id/instructions', {
    params: { id: theirs.id },
    body: { kind: 'ADMIT', instruction: 'Call us first.' },
  });
  await database.pipeline.query(
    `insert into care_files (instruction_id, file_name, content_type, size, uploaded_at) values ($1, 'form.pdf', 'application/pdf', 4, $2)`,
    [instructionId, clock.now()],
  );
  const seenBy = (client: typeof ours.client) => client.call('GET /api/patients/:id', { params: { id: ours.id } });
  const reader = await seenBy(ours.client);
  expect(reader.admitInstructions).toMatchObject([{ id: instructionId, instruction: 'Call us first.' }]);
  expect(reader.admitCareInstructionForms).toMatchObject([{ instruction: 'Call us first.', fileName: 'form.pdf' }]);
  expect(reader.dischargeInstructions).toEqual([]);
  expect(reader.patientCarePlanInfo).toEqual([{ organization: theirs.organizationName, programName: ADA.program }]);
  expect(reader.communityOfCare).toMatchObject({ numberOfCareCoordinators: 1, totalSizeOfCommunity: 1 });
  const user = await make.user({ team: ours.team });
  const removed = ['canViewCarePlans'] as const;
  const more = { role: 'care coordinator', removed } as const;
  await grantRole(database.pipeline, { userId: user.id, teamId: ours.team.id, groupId: ours.groupId, ...more });
  const other = await seenBy(await signIn(app, user.username));
  expect([other.admitInstructions, other.admitCareInstructionForms, other.patientCarePlanInfo]).toEqual([[], [], []]);
  expect(other.communityOfCare).toEqual(reader.communityOfCare);
});

test("why a facility's record is linked is shown to its administrators, for records from a feed", async () => {
  const { id: organizationId } = await make.organization();
  const feedFacility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS', isAutomated: true });
  const byHand = await make.group({ organizationId, type: 'SNF', facilityType: 'SNF', isAutomated: false });
  const foreign = await make.group({ type: 'HOS', facilityType: 'HOS', isAutomated: true });
  const team = await make.team({ organizationId, groupIds: [feedFacility.id, byHand.id] });
  const { id: personId } = await make.person();
  const listing = await make.rosterPatient({ groupId: feedFacility.id, personId });
  for (const { id: groupId } of [feedFacility, byHand, foreign]) {
    const source = await make.sourcePatient({ groupId, personId });
    await database.pipeline.query(
      `insert into person_links (subject, subject_id, person_id, outcome, rule_id, evidence, created_at)
       values ('SOURCE_PATIENT', $1, $2, 'matched', 'score', $3, $4)`,
      [
        source.id,
        personId,
        { version: '7', fields: { family: 'exact', given: 'nickname', zip: 'differs' } },
        clock.now(),
      ],
    );
  }
  const seenBy = async (role: 'administrator' | 'care coordinator') => {
    const client = await signIn(app, (await make.user({ team, role })).username);
    return (await client.call('GET /api/patients/:id', { params: { id: `${listing.id}_0` } })).links;
  };
  expect(await seenBy('administrator')).toEqual([
    expect.objectContaining({
      groupId: feedFacility.id,
      outcome: 'matched',
      agreement: expect.objectContaining({ family: 'same', given: 'similar', zip: 'different', phone: 'unknown' }),
    }),
  ]);
  expect(await seenBy('care coordinator')).toEqual([]);
});

test('a role that views pings alone opens the patient of a ping, and no other', async () => {
  const { id: organizationId } = await make.organization();
  const { id: pinged } = await make.group({ organizationId });
  const { id: listed } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [pinged, listed] });
  const user = await make.user({ team, role: 'viewer' });
  const of = (groupId: string) => ({ userId: user.id, teamId: team.id, groupId, role: 'viewer' }) as const;
  await grantRole(database.pipeline, { ...of(pinged), removed: ['canViewPatients'] });
  await grantRole(database.pipeline, { ...of(listed), removed: ['canViewPatients', 'canViewPings'] });
  const client = await signIn(app, user.username);
  const open = (id: string) => client.fetch(`/api/patients/${id}?teamId=${team.id}`);
  const { patientId } = await make.ping({ groupId: pinged });
  const [listing = ''] = patientId.split('_');
  const other = await make.rosterPatient({ groupId: pinged });
  const hidden = await make.ping({ groupId: listed });
  const patient = await client.call('GET /api/patients/:id', { params: { id: patientId } });
  expect(patient.currentPingEncounter?.pings).toHaveLength(1);
  expect([patient.address, patient.insurancePlans, patient.admitInstructions]).toEqual([null, [], []]);
  for (const id of [`${listing}_0`, `${other.id}_0`, hidden.patientId]) expect((await open(id)).status).toBe(404);
  await grantRole(database.pipeline, of(listed));
  expect((await open(hidden.patientId)).status).toBe(200);
  expect((await open(patientId)).status).toBe(200);
  expect((await open(`${other.id}_0`)).status).toBe(404);
});

test('what comes from other visits is left out for a role that views pings alone', async () => {
  const team = await make.team();
  const [groupId = ''] = team.groupIds;
  const { encounterId, patientId } = await make.ping({ groupId });
  const { rows } = await database.pipeline.query<{ personId: string }>(
    'select person_id as "personId" from encounters where id = $1',
    [encounterId],
  );
  const hospital = await make.group({ type: 'HOS', facilityType: 'HOS' });
  const ended = momentOf(new Date(clock.now().getTime() - 86_400_000));
  const other = await make.encounter({
    groupId: hospital.id,
    personId: rows[0]?.personId ?? '',
    visit: { status: 'FINISHED', admittedAt: ended, dischargedAt: ended },
  });
  await make.event({ encounterId: other.id, code: 'DISCHARGE' });
  const seenBy = async (removed: ('canViewPatients' | 'canViewRisingRiskFlag')[]) => {
    const user = await make.user({ team, role: 'viewer' });
    await grantRole(database.pipeline, { userId: user.id, teamId: team.id, groupId, role: 'viewer', removed });
    const client = await signIn(app, user.username);
    const {
      lastHospitalDischargeEncounter: last,
      copEvent,
      onlyPing,
    } = await client.call('GET /api/patients/:id', {
      params: { id: patientId },
    });
    return [last?.id, copEvent?.eventStatus, onlyPing];
  };
  expect(await seenBy([])).toEqual([other.id, 'DISCHARGE', undefined]);
  expect(await seenBy(['canViewPatients'])).toEqual([undefined, undefined, true]);
});

test('takes as many statements for many visits as for one', async () => {
  const team = await make.team();
  const [groupId = ''] = team.groupIds;
  const actor = await loadActor(database.app, (await make.user({ team })).id, team.id);
  if (!actor) throw new Error('The user has no team');
  const { id, personId } = await make.rosterPatient({ groupId });
  const statements = async (encounterId: string) => {
    let count = 0;
    await asActor(database.app, actor, 'canViewPatients', (tx) => {
      const query = (...parameters: [never]) => {
        count += 1;
        return tx.query(...parameters);
      };
      return getPatientDetails({ ...tx, query }, `${id}_${encounterId}`, clock.now());
    });
    return count;
  };
  const encounters = [];
  let first: number | undefined;
  for (let day = 30; day > 0; day -= 1) {
    const admittedAt = momentOf(new Date(clock.now().getTime() - day * 86_400_000));
    encounters.push(
      await make.encounter({ personId, visit: { status: 'FINISHED', admittedAt, dischargedAt: admittedAt } }),
    );
    first ??= await statements(encounters[0]?.id ?? '');
  }
  expect(await statements(encounters[0]?.id ?? '')).toBe(first);
  expect(first).toBe(22);
});
