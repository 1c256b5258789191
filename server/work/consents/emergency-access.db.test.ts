/** Emergency access: who may open what, for how long, and who learns of it. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { momentOf } from '#server/testing/factories.ts';
import { startPart2App } from '#server/testing/part2.ts';

const { app, make, clock, db, scene, office } = await startPart2App();

const OPEN = 'POST /api/patients/:id/emergency-access';
const VIEW = 'GET /api/patients/:id';
const DAY = 86_400_000;

const openFor = (client: Client, id: string, isMedicalEmergency = false) =>
  client.call(OPEN, { params: { id }, body: { reason: 'Found unresponsive', isMedicalEmergency } });
const allow = (client: Client, allowsEmergencyAccess: boolean) =>
  client.call('PUT /api/admin/record-settings', { body: { allowsEmergencyAccess } });
const viewError = async (client: Client, id: string) => (await errorOf(client, VIEW, { params: { id } })).errorKey;

/** A Part 2 facility that allows emergency access, and another facility of its organization where the person was long ago. */
async function region() {
  const { facility, program, personId } = await scene();
  const { organizationId } = facility;
  const { id: clinic } = await make.group({ type: 'HOS', organizationId });
  const visit = { status: 'FINISHED' as const, dischargedAt: momentOf(new Date(clock.now().getTime() - 900 * DAY)) };
  const admittedAt = momentOf(new Date(clock.now().getTime() - 903 * DAY));
  const old = await make.encounter({ groupId: clinic, personId, visit: { ...visit, admittedAt } });
  await db.query(sql`update roster_patients set opens_from = ${clock.now()} where id = ${program.listingId}`);
  await db.query(sql`update organizations set allows_emergency_access = true where id = ${organizationId}`);
  return { facility, program, personId, oldVisit: `${program.listingId}_${old.id}` };
}

test('an emergency opens old visits for an hour, to the user who asked and to no one else of the team', async () => {
  const { program, oldVisit } = await region();
  const colleague = await signIn(app, (await make.user({ team: program.team, role: 'administrator' })).username);
  expect(await viewError(program.client, oldVisit)).toBe('NOT_FOUND');
  const opened = await openFor(program.client, program.patientId);
  expect(opened).toMatchObject({ isOffered: true, visits: [{ patientId: oldVisit, isPart2Facility: false }] });
  expect(opened.endsDate).toBe(new Date(clock.now().getTime() + 3_600_000).toISOString());
  expect((await program.client.call(VIEW, { params: { id: oldVisit } })).id).toBe(oldVisit);
  expect(await viewError(colleague, oldVisit)).toBe('NOT_FOUND');
  // A session ends after 40 minutes without a call.
  clock.advance(30 * 60_000);
  await program.client.call('GET /api/me', {});
  clock.advance(29 * 60_000);
  expect((await program.client.call(VIEW, { params: { id: oldVisit } })).id).toBe(oldVisit);
  clock.advance(60_000);
  expect(await viewError(program.client, oldVisit)).toBe('NOT_FOUND');
  const after = await program.client.call('GET /api/patients/:id/emergency-access', {
    params: { id: program.patientId },
  });
  expect(after).toEqual({ isOffered: true, endsDate: null, visits: [] });
});

test('a Part 2 facility’s visits open in a medical emergency only, and say what they are', async () => {
  const { program } = await region();
  const ordinary = await openFor(program.client, program.patientId);
  expect(ordinary.visits.map(({ isPart2Facility }) => isPart2Facility)).toEqual([false]);
  expect(await viewError(program.client, program.visitId)).toBe('NOT_FOUND');
  const medical = await openFor(program.client, program.patientId, true);
  expect(medical.visits.map(({ patientId }) => patientId)).toContain(program.visitId);
  const seen = await program.client.call(VIEW, { params: { id: program.visitId } });
  expect(seen.currentPingEncounter?.admittingFacility.isPart2Facility).toBe(true);
  // Lists are not emergencies.
  expect((await program.client.call('POST /api/pings', { body: {} })).patients).toEqual([]);
});

test('the facility’s organization decides, and its refusal closes what is open', async () => {
  const { facility, program, oldVisit } = await region();
  await openFor(program.client, program.patientId);
  expect(await allow(facility.client, false)).toMatchObject({ allowsEmergencyAccess: false });
  expect(await viewError(program.client, oldVisit)).toBe('NOT_FOUND');
  await db.query(sql`update organizations set allows_emergency_access = false`);
  const body = { reason: 'Found unresponsive', isMedicalEmergency: true };
  const refusal = await errorOf(program.client, OPEN, { params: { id: program.patientId }, body });
  expect(refusal.errorKey).toBe('NOT_PERMITTED');
  await allow(facility.client, true);
  const { rows } = await db.query(sql`
    select detail from audit_entries where action = 'organization.record-settings' and subject_id = ${facility.organizationId} order by id`);
  expect(rows.map(({ detail }) => detail)).toEqual([
    { changes: { allowsEmergencyAccess: [true, false] } },
    { changes: { allowsEmergencyAccess: [false, true] } },
  ]);
});

test('a team that does not list the person now opens nothing, and a reason is required', async () => {
  const { program, personId } = await region();
  const stranger = await office('PROGRAM');
  const body = { reason: 'Found unresponsive', isMedicalEmergency: true };
  const call = { params: { id: program.patientId }, body };
  expect((await errorOf(stranger.client, OPEN, call)).errorKey).toBe('NOT_FOUND');
  const former = await office('PROGRAM');
  const left = await make.rosterPatient({ groupId: former.groupId, personId, left_at: clock.now() });
  const gone = { params: { id: `${left.id}_0` }, body };
  expect((await errorOf(former.client, OPEN, gone)).errorKey).toBe('NOT_FOUND');
  const empty = { ...call, body: { ...body, reason: '  ' } };
  expect((await errorOf(program.client, OPEN, empty)).fields).toHaveProperty('reason');
});

/** How often the subject was mailed to the user, and how many accesses the user has. */
async function counted(userId: string, recipient: string, subject = 'Emergency access to patient records') {
  const { rows } = await db.query<{ letters: number; accesses: number }>(sql`
    select (select count(*)::int from outbox where outbox.recipient = ${recipient} and outbox.subject = ${subject}) as letters,
      (select count(*)::int from emergency_accesses where user_id = ${userId}) as accesses`);
  return rows[0];
}

test('a reason says something', async () => {
  const { program } = await region();
  for (const reason of ['a', '..............', 'aaaaaaaaaaaaaa', 'emergency']) {
    const call = { params: { id: program.patientId }, body: { reason, isMedicalEmergency: true } };
    expect((await errorOf(program.client, OPEN, call)).fields, reason).toEqual({
      reason: 'Say what the emergency is, in at least 10 letters.',
    });
  }
});

test('while an access is in force, asking again keeps it: one letter, one access, also when the calls race', async () => {
  const { facility, program } = await region();
  const opened = await openFor(program.client, program.patientId, true);
  clock.advance(5 * 60_000);
  const again = await Promise.all(Array.from({ length: 5 }, () => openFor(program.client, program.patientId, true)));
  for (const answer of again) expect(answer).toEqual(opened);
  expect(await openFor(program.client, program.patientId)).toEqual(opened);
  expect(await counted(program.userId, facility.username)).toEqual({ letters: 1, accesses: 1 });
  const { program: other, facility: otherFacility } = await region();
  await Promise.all(Array.from({ length: 5 }, () => openFor(other.client, other.patientId, true)));
  expect(await counted(other.userId, otherFacility.username)).toEqual({ letters: 1, accesses: 1 });
});

test('a medical emergency opens what an access in force does not', async () => {
  const { facility, program } = await region();
  await openFor(program.client, program.patientId);
  const medical = await openFor(program.client, program.patientId, true);
  expect(medical.visits.map(({ patientId }) => patientId)).toContain(program.visitId);
  await openFor(program.client, program.patientId, true);
  expect(await counted(program.userId, facility.username)).toEqual({ letters: 1, accesses: 2 });
});

/** Lists other people at the program, each with a visit at the facility. */
async function others(facility: { groupId: string }, program: { groupId: string }, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id, personId } = await make.rosterPatient({ groupId: program.groupId, opens_from: clock.now() });
    await make.encounter({ groupId: facility.groupId, personId });
    ids.push(`${id}_0`);
  }
  return ids;
}

test('a user opens five patients an hour and fifteen a day; then administrators on both sides are mailed once', async () => {
  const { facility, program } = await region();
  const patients = await others(facility, program, 25);
  const refusals = async (ids: string[]) => {
    const body = { reason: 'Found unresponsive', isMedicalEmergency: true };
    const answers = await Promise.allSettled(ids.map((id) => program.client.call(OPEN, { params: { id }, body })));
    return answers.filter(({ status }) => status === 'rejected').length;
  };
  expect(await refusals(patients.slice(0, 7))).toBe(2);
  expect(await refusals(patients.slice(7, 9))).toBe(2);
  const call = {
    params: { id: patients[9] as string },
    body: { reason: 'Found unresponsive', isMedicalEmergency: true },
  };
  const refusal = await errorOf(program.client, OPEN, call);
  expect(refusal).toMatchObject({ errorKey: 'EMERGENCY_LIMIT' });
  expect(refusal.message).toContain('5 patients an hour and 15 a day');
  expect(await counted(program.userId, facility.username, 'Limit of emergency access reached')).toEqual({
    letters: 1,
    accesses: 5,
  });
  const own = `Limit of emergency access reached by user ${program.userId}`;
  expect(await counted(program.userId, program.username, own)).toMatchObject({ letters: 1 });
  const { rows } = await db.query(sql`
    select subject_id as id from audit_entries where action = 'user.emergency-limit' and user_id = ${program.userId}`);
  expect(rows).toHaveLength(5);
  for (const [from, refused] of [
    [10, 0],
    [15, 0],
    [20, 5],
  ] as const) {
    clock.advance(61 * 60_000);
    program.client = await signIn(app, program.username);
    expect(await refusals(patients.slice(from, from + 5)), `from ${from}`).toBe(refused);
  }
  expect(await counted(program.userId, facility.username, 'Limit of emergency access reached')).toEqual({
    letters: 1,
    accesses: 15,
  });
});

test('the reason is kept, the audit names the facilities, and their administrators get a mail without patient data', async () => {
  const { facility, program, personId } = await region();
  await openFor(program.client, program.patientId, true);
  const { rows: kept } = await db.query(
    sql`select reason, is_medical_emergency as medical from emergency_accesses where user_id = ${program.userId}`,
  );
  expect(kept).toEqual([{ reason: 'Found unresponsive', medical: true }]);
  const { rows: audited } = await db.query<{ detail: { facilityIds: string[] } }>(sql`
    select detail from audit_entries where action = 'emergency.open' and subject_id = ${program.listingId}`);
  expect(audited[0]?.detail.facilityIds).toContain(facility.groupId);
  const { rows: mails } = await db.query<{ subject: string; body: string }>(
    sql`select subject, body from outbox where recipient = ${facility.username}`,
  );
  expect(mails).toMatchObject([{ subject: 'Emergency access to patient records' }]);
  const { rows: names } = await db.query<{ name: string }>(sql`
    select unnest(array[first_name, last_name, member_id, id::text]) as name from roster_patients where person_id = ${personId}`);
  for (const { name } of names) if (name.length > 3) expect(mails[0]?.body).not.toContain(name);
  expect(mails[0]?.body).toContain('/admin/accesses');
  const [listed, ...others] = await facility.client.call('GET /api/emergency-accesses', {});
  expect(others).toEqual([]);
  expect(listed).toMatchObject({
    facilities: [facility.name],
    patientId: `${facility.listingId}_0`,
    reason: 'Found unresponsive',
    isMedicalEmergency: true,
  });
  expect(JSON.stringify(listed)).not.toContain(program.username);
  expect(await program.client.call('GET /api/emergency-accesses', {})).toEqual([]);
});
