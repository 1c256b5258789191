import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { ADA, addTo, careTeamOf, namesIn, startCareApp } from '#server/testing/care.ts';

const { app, make, scene, listedBy } = await startCareApp();
const { pipeline } = app.database;

test('a contact is added, changed and ended, with all its fields and one id', async () => {
  const { ours } = await scene();
  const { client, id } = ours;
  const added = await addTo(client, id);
  const now = app.clock.now().toISOString();
  expect(added).toEqual({
    ...ADA,
    id: added.id,
    rosterPatientId: ours.listing.id,
    groupId: ours.groupId,
    groupName: expect.any(String) as string,
    organizationName: ours.organizationName,
    userCreatedDate: now,
    modifiedAt: now,
    hasCarePlan: true,
    version: '1',
    editable: true,
  });
  expect(await careTeamOf(client, id)).toEqual([added]);
  const params = { id, recordId: added.id };
  const body = { ...ADA, contactName: 'Ada Heron', contactFax: '', version: '1' };
  const changed = await client.call('PUT /api/patients/:id/care-team/:recordId', { params, body });
  expect(changed).toEqual({ ...added, contactName: 'Ada Heron', contactFax: null, version: '2' });
  const unread = await client.call('PUT /api/patients/:id/care-team/:recordId', { params, body: ADA });
  expect([unread.contactName, unread.version]).toEqual([ADA.contactName, '3']);
  await client.call('DELETE /api/patients/:id/care-team/:recordId', { params });
  expect(await careTeamOf(client, id)).toEqual([]);
  expect((await errorOf(client, 'DELETE /api/patients/:id/care-team/:recordId', { params })).errorKey).toBe(
    'NOT_FOUND',
  );
  const { rows } = await pipeline.query(sql`
    select action from audit_entries where patient_ids = array[${ours.listing.id}::bigint] and route like '%care-team%'
      and action like 'care-team.%' order by id`);
  expect(rows.map(({ action }) => action)).toEqual([
    'care-team.add',
    'care-team.view',
    'care-team.change',
    'care-team.change',
    'care-team.end',
    'care-team.view',
  ]);
});

test('a number that cannot be called and an address that is none are refused by name', async () => {
  const { client, id } = (await scene()).ours;
  const body = { ...ADA, contactPhone: 'not a phone', contactEmail: 'foo', contactFax: '12' };
  const refused = await errorOf(client, 'POST /api/patients/:id/care-team', { params: { id }, body });
  expect(refused.fields).toEqual({
    contactPhone: 'Enter a phone number of at least 7 digits.',
    contactEmail: 'Enter an email address.',
    contactFax: 'Enter a phone number of at least 7 digits.',
  });
  const { contactPhone } = await addTo(client, id, { contactPhone: '906-555-0151 ext. 4' });
  expect(contactPhone).toBe('906-555-0151 ext. 4');
});

test('one contact of a group is called first, and stands before the others', async () => {
  const { client, id } = (await scene()).ours;
  await addTo(client, id, { contactName: 'Zoe', isCalledFirst: true });
  await addTo(client, id, { contactName: 'Bo', isCalledFirst: false });
  expect(await namesIn(client, id)).toEqual(['Zoe', 'Bo']);
  await Promise.all(['Al', 'Cy'].map((contactName) => addTo(client, id, { contactName })));
  const team = await careTeamOf(client, id);
  expect(team.map(({ isCalledFirst }) => isCalledFirst)).toEqual([true, false, false, false]);
  expect(['Al', 'Cy']).toContain(team[0]?.contactName);
});

test('a change over someone else’s is refused, with their name', async () => {
  const { client, id, member } = (await scene()).ours;
  const { id: recordId } = await addTo(client, id);
  const params = { id, recordId };
  await client.call('PUT /api/patients/:id/care-team/:recordId', { params, body: { ...ADA, version: '1' } });
  const late = await errorOf(await member(), 'PUT /api/patients/:id/care-team/:recordId', {
    params,
    body: { ...ADA, contactPhone: null, version: '1' },
  });
  expect([late.errorKey, late.standing?.version, late.standing?.last?.name]).toEqual([
    'CHANGED_BY_OTHER',
    '2',
    'Ama Osei',
  ]);
});

test('contacts are shared with every team that lists the person now; only the own group changes them', async () => {
  const { ours, theirs } = await scene();
  const record = await addTo(ours.client, ours.id);
  const [seen] = await careTeamOf(theirs.client, theirs.id);
  expect(seen).toEqual({ ...record, content: null, editable: false });
  const params = { id: theirs.id, recordId: record.id };
  const body = { ...ADA, version: '1' };
  expect((await errorOf(theirs.client, 'PUT /api/patients/:id/care-team/:recordId', { params, body })).errorKey).toBe(
    'NOT_FOUND',
  );
  expect((await errorOf(theirs.client, 'DELETE /api/patients/:id/care-team/:recordId', { params })).errorKey).toBe(
    'NOT_FOUND',
  );
  await addTo(theirs.client, theirs.id, { contactName: 'Bo' });
  expect(await namesIn(theirs.client, theirs.id)).toEqual(['Bo', 'Ada Kestrel']);
  expect(await namesIn(ours.client, ours.id)).toEqual(['Ada Kestrel', 'Bo']);
});

test('a team that no longer lists the person reads its own contacts only, unless the person is at its facility', async () => {
  const { personId, ours, theirs } = await scene({ type: 'SNF', facilityType: 'SNF' });
  await addTo(ours.client, ours.id);
  await addTo(theirs.client, theirs.id, { contactName: 'Bo' });
  await pipeline.query(sql`update roster_patients set left_at = ${app.clock.now()} where id = ${theirs.listing.id}`);
  expect(await namesIn(theirs.client, theirs.id)).toEqual(['Bo']);
  const { id } = await make.encounter({ groupId: theirs.groupId, personId });
  expect(await namesIn(theirs.client, theirs.id)).toEqual(['Bo', 'Ada Kestrel']);
  await pipeline.query(sql`update encounters set status = 'FINISHED' where id = ${id}`);
  expect(await namesIn(theirs.client, theirs.id)).toEqual(['Bo']);
});

test('what a Part 2 facility writes is never shared, not even with a consent', async () => {
  const { personId, ours, theirs } = await scene({ type: 'HOS', facilityType: 'HOS', isPart2Facility: true });
  await addTo(theirs.client, theirs.id, { contactName: 'Recovery counselor' });
  await pipeline.query(sql`
    insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
    values (${personId}, ${theirs.groupId}, ${ours.groupId}, ${app.clock.now()})`);
  expect(await namesIn(ours.client, ours.id)).toEqual([]);
  expect(await namesIn(theirs.client, theirs.id)).toEqual(['Recovery counselor']);
});

test('a team of a Part 2 facility and of another group shares nothing about people whom the facility lists', async () => {
  const { personId, ours } = await scene();
  const { id: organizationId } = await make.organization();
  const clinic = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS', isPart2Facility: true });
  const program = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [program.id, clinic.id] });
  const both = await signIn(app, (await make.user({ team })).username);
  const { id } = await make.rosterPatient({ groupId: program.id, personId });
  await make.rosterPatient({ groupId: clinic.id, personId });
  await addTo(both, `${id}_0`, { contactName: 'Recovery counselor' });
  expect(await namesIn(both, `${id}_0`)).toEqual(['Recovery counselor']);
  expect(await namesIn(ours.client, ours.id)).toEqual([]);
});

test('programs are shared like contacts, each with its organization, and never those of a Part 2 facility', async () => {
  const { personId, ours, theirs } = await scene({}, { programs: ['Complex cases'] });
  const part2 = { type: 'HOS', facilityType: 'HOS', isPart2Facility: true } as const;
  const clinic = await listedBy(personId, part2, { programs: ['Recovery'] });
  const setOurs = sql`update roster_patients set programs = array['ACO REACH'] where id = ${ours.listing.id}`;
  await pipeline.query(setOurs);
  const seenBy = async ({ client, id }: typeof ours) =>
    (await client.call('GET /api/patients/:id/programs', { params: { id } })).map(
      ({ organization, programName }) => `${programName} of ${organization}`,
    );
  const [reach, complex] = [`ACO REACH of ${ours.organizationName}`, `Complex cases of ${theirs.organizationName}`];
  expect((await seenBy(ours)).toSorted()).toEqual([reach, complex]);
  expect((await seenBy(theirs)).toSorted()).toEqual([reach, complex]);
  expect((await seenBy(clinic)).toSorted()).toEqual([reach, complex, `Recovery of ${clinic.organizationName}`]);
  await pipeline.query(sql`update roster_patients set left_at = ${app.clock.now()} where id = ${theirs.listing.id}`);
  expect([await seenBy(ours), await seenBy(theirs)]).toEqual([[reach], []]);
});

test('contacts follow their listing when it is linked to another person', async () => {
  const { ours, theirs } = await scene();
  await addTo(ours.client, ours.id);
  expect(await namesIn(theirs.client, theirs.id)).toEqual(['Ada Kestrel']);
  const { id: someoneElse } = await make.person();
  await pipeline.query(sql`update roster_patients set person_id = ${someoneElse} where id = ${ours.listing.id}`);
  expect(await namesIn(theirs.client, theirs.id)).toEqual([]);
  expect(await namesIn(ours.client, ours.id)).toEqual(['Ada Kestrel']);
  const stranger = await listedBy(someoneElse);
  expect(await namesIn(stranger.client, stranger.id)).toEqual(['Ada Kestrel']);
});

test('the care plan takes canViewCarePlans; without it a change leaves the plan alone', async () => {
  const { ours } = await scene();
  const { client, id, member } = ours;
  const { id: recordId } = await addTo(client, id);
  const [seen] = await careTeamOf(await member('viewer'), id);
  expect([seen?.contactName, seen?.content, seen?.hasCarePlan, seen?.editable]).toEqual([
    'Ada Kestrel',
    null,
    null,
    false,
  ]);
  const blind = await member('care coordinator', { removed: ['canViewCarePlans'] });
  const { content: _, ...entry } = ADA;
  const params = { id, recordId };
  await blind.call('PUT /api/patients/:id/care-team/:recordId', { params, body: { ...entry, version: '1' } });
  expect((await careTeamOf(client, id))[0]?.content).toBe(ADA.content);
  const refused = await errorOf(await member('viewer'), 'POST /api/patients/:id/care-team', {
    params: { id },
    body: ADA,
  });
  expect(refused.errorKey).toBe('NOT_PERMITTED');
});
