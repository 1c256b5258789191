/** HL7-based programs, from the messages to the lists and pages. Today is Friday, November 20, 2026. */
import { expect, test, vi } from 'vitest';
import { AFTER_HEADER } from '#contract/constants.ts';
import type { ProgramFields } from '#contract/hl7-programs.ts';
import type { Permission } from '#contract/permissions.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { type AdtParts, adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { filtering } from '#server/testing/search.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);
const { id: mercy, organizationId: hospitals } = await make.group({
  type: 'HOS',
  facilityType: 'HOS',
  name: 'Mercy General',
});
const brendan = await make.group({ type: 'HOS', facilityType: 'HOS', name: 'Brendan' });
await hosp.feed(hospitals, { MERCY: mercy });
await hosp.feed(brendan.organizationId, { BRENDAN: brendan.id });

const BUNDLE: ProgramFields = {
  hl7BasedProgramName: 'Heart failure bundle',
  admittingFacilityId: mercy,
  admittingFacilityType: null,
  diagnosesDefinition: null,
  drgCodes: ['291', '292', '293'],
  payer: 'Medicare',
  dischargeSetting: 'INPATIENT',
  dischargedTo: null,
  validityPeriod: 90,
};

interface Stay extends Partial<AdtParts> {
  drg?: string;
  diagnosis?: string;
}

const isCancel = (trigger: string) => trigger === 'A11' || trigger === 'A13';

type SearchAnswer = RouteAnswer<'POST /api/patients/search'>;

let stays = 0;
type Person = ReturnType<typeof newPerson>;
/** Sends the messages of a stay that ended; `triggers` for others. */
async function send(person: Person, { drg = '291', diagnosis = 'I50.23', ...parts }: Stay, triggers = ['A01', 'A03']) {
  const { admitted = '202611100900', discharged = '202611151500', disposition = '01', payer = 'MEDICARE' } = parts;
  const visit = parts.visit ?? `S-${++stays}`;
  for (const trigger of triggers) {
    const hasLeft = trigger === 'A03';
    const text = adt(trigger, {
      at: hasLeft ? discharged : isCancel(trigger) ? '202611161200' : admitted,
      record: `R-${person.family}`,
      person,
      ...parts,
      ...(hasLeft ? { discharged, disposition } : {}),
      admitted,
      visit,
      payer,
    });
    const coded = hasLeft ? `DG1|1||${diagnosis}^Invented^I10|||F\r${drg ? `DRG|${drg}^Invented\r` : ''}` : '';
    // Before IN1, as the standard orders segments.
    await hosp.send(text.replace('IN1|', `${coded}IN1|`));
  }
  return visit;
}

/** A team of a program, with its people. */
async function office(removed: Permission[] = []) {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const client = await signIn(app, (await make.user({ team, role: 'administrator', removed })).username);
  const person = async (...history: Stay[]) => {
    const one = newPerson({ birthDate: '1950-03-14' });
    await hosp.list(groupId, one);
    for (const stay of history) await send(one, stay);
    return one;
  };
  const define = (over: Partial<ProgramFields> = {}) =>
    client.call('POST /api/admin/hl7-programs', { body: { ...BUNDLE, ...over } });
  const without = async (...flags: Permission[]) =>
    signIn(app, (await make.user({ team, role: 'administrator', removed: flags })).username);
  return { team, groupId, organizationId, client, person, define, without };
}

/** Searches as a page does that was notified of a change. */
async function listOf(client: Client, program = BUNDLE.hl7BasedProgramName): Promise<SearchAnswer> {
  const response = await client.fetch('/api/patients/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json', [AFTER_HEADER]: 'now' },
    body: JSON.stringify(filtering({ program })),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as SearchAnswer;
}
const familiesIn = async (client: Client, program?: string) =>
  (await listOf(client, program)).patients.map(({ lastName }) => lastName).sort();
const programsOf = async (client: Client, id: string) =>
  client.call('GET /api/patients/:id/hl7-based-programs', { params: { id } });

test('someone discharged from Mercy General with DRG 291 and Medicare is in the bundle for 90 days', async () => {
  const { client, person, define } = await office();
  await define();
  const ann = await person({});
  await person({ drg: '190' });
  const { patients, facets } = await listOf(client);
  expect(patients.map(({ lastName, programs }) => [lastName, programs])).toEqual([
    [ann.family, [{ name: 'Heart failure bundle' }]],
  ]);
  expect(facets.program?.options.map(({ label, count }) => [label, count])).toContainEqual(['Heart failure bundle', 1]);
  const { id } = patients[0] as { id: string };
  const short = { hl7BasedProgramName: 'Heart failure bundle', admittingFacilityName: 'Mercy General' };
  const info = { ...short, payer: 'MEDICARE', validTo: '2027-02-12' };
  const patient = await client.call('GET /api/patients/:id', { params: { id } });
  expect(patient.patientHl7BasedProgramsInfo).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{16}$/), ...info }]);
  expect(patient.cohorts.filter(({ type }) => type === 'HL7_PROGRAM')).toEqual([
    {
      id: patient.patientHl7BasedProgramsInfo[0]?.id,
      parentId: expect.any(String),
      name: 'Heart failure bundle',
      type: 'HL7_PROGRAM',
      metaData: { state: null, admittingFacilityName: 'Mercy General', payer: 'MEDICARE', validTo: '2027-02-12' },
    },
  ]);
  const { admittingFacilityId: _, ...definition } = BUNDLE;
  expect(await programsOf(client, id)).toEqual([
    {
      id: expect.any(String),
      ...info,
      definition: { ...definition, admittingFacilityName: 'Mercy General' },
      validFrom: '2026-11-15',
      encounterId: id.split('_')[1],
      drg: '291',
      isPart2: false,
    },
  ]);
});

const NOT_ENROLLED: Record<string, [Stay, string[]?]> = {
  'a stay at another hospital': [{ facility: 'BRENDAN' }],
  'another payer': [{ payer: 'GREAT LANTERN' }],
  'Medicare Advantage': [{ payer: 'Pines Medicare Advantage' }],
  'no DRG': [{ drg: '' }],
  'an ED visit': [{ patientClass: 'E' }],
  'a stay that goes on': [{}, ['A01']],
  'a discharge that was canceled': [{}, ['A01', 'A03', 'A13']],
  'a stay that was canceled': [{}, ['A01', 'A03', 'A11']],
  'a death in the hospital': [{ disposition: '20' }],
  'a discharge long ago': [{ admitted: '202607010900', discharged: '202607051500' }],
};

test('stays that miss a condition, go on, were canceled, ended in death or long ago enroll no one', async () => {
  const { client, person, define } = await office();
  await define();
  const cases = new Map<string, string>();
  for (const [name, [stay, triggers]] of Object.entries(NOT_ENROLLED)) {
    const one = await person();
    await send(one, stay, triggers);
    cases.set(one.family, name);
  }
  const enrolled = await person({});
  const found = await familiesIn(client);
  expect(found.map((family) => cases.get(family) ?? 'the bundle')).toEqual(['the bundle']);
  expect(found).toEqual([enrolled.family]);
});

test('a corrected DRG, a death, a later stay and the end of the period change who is enrolled', async () => {
  const { client, person, define } = await office();
  await define();
  const ann = await person();
  const visit = await send(ann, { drg: '190' });
  expect(await familiesIn(client)).toEqual([]);
  await hosp.send(
    adt('A08', {
      at: '202611161000',
      record: `R-${ann.family}`,
      person: ann,
      visit,
      admitted: '202611100900',
      discharged: '202611151500',
      disposition: '01',
      payer: 'MEDICARE',
    }).replace('IN1|', 'DRG|291\rIN1|'),
  );
  expect(await familiesIn(client)).toEqual([ann.family]);

  const bob = await person({ admitted: '202609010900', discharged: '202609051500' });
  const [patient] = (await listOf(client)).patients.filter(({ lastName }) => lastName === bob.family);
  expect((await programsOf(client, patient?.id ?? ''))[0]?.validTo).toBe('2026-12-03');
  await send(bob, {});
  expect((await programsOf(client, patient?.id ?? ''))[0]?.validTo).toBe('2027-02-12');

  await send(ann, { admitted: '202611180900', discharged: '202611191500', disposition: '20', facility: 'BRENDAN' });
  expect(await familiesIn(client)).toEqual([bob.family]);
});

test("a program is its organization's: its teams see who is in it, and a change or its end shows at once", async () => {
  const mine = await office();
  const theirs = await office();
  const { family } = await mine.person({ payer: 'GREAT LANTERN' });
  const other = await theirs.person({ payer: 'GREAT LANTERN' });
  const { id, version } = await mine.define();
  expect([await familiesIn(mine.client), await familiesIn(theirs.client)]).toEqual([[], []]);
  const body = { ...BUNDLE, payer: 'Lantern', version };
  await mine.client.call('PUT /api/admin/hl7-programs/:id', { params: { id }, body });
  expect([await familiesIn(mine.client), await familiesIn(theirs.client)]).toEqual([[family], []]);
  expect(await theirs.client.call('GET /api/admin/hl7-programs', {})).toEqual([]);
  const [listed] = (await listOf(mine.client)).patients;
  expect((await errorOf(theirs.client, 'GET /api/patients/:id/hl7-based-programs', byId(listed))).errorKey).toBe(
    'NOT_FOUND',
  );
  for (const key of ['PUT /api/admin/hl7-programs/:id', 'DELETE /api/admin/hl7-programs/:id'] as const)
    expect((await errorOf(theirs.client, key, { params: { id }, body: BUNDLE })).errorKey).toBe('NOT_FOUND');
  await mine.client.call('DELETE /api/admin/hl7-programs/:id', { params: { id } });
  expect(await familiesIn(mine.client)).toEqual([]);
  await theirs.define({ payer: 'Lantern' });
  expect(await familiesIn(theirs.client)).toEqual([other.family]);
});

const byId = (patient: { id: string } | undefined) => ({ params: { id: patient?.id ?? '0_0' } });

test('without canViewPatients there are no programs, and without canViewAllPatientDetails no payer', async () => {
  const { client, person, define, without } = await office();
  await define();
  await person({});
  const [patient] = (await listOf(client)).patients;
  const blind = await without('canViewPatients');
  const call = 'GET /api/patients/:id/hl7-based-programs';
  expect((await errorOf(blind, call, byId(patient))).errorKey).toBe('NOT_PERMITTED');
  expect((await errorOf(blind, 'POST /api/hl7-programs/preview', { body: BUNDLE })).errorKey).toBe('NOT_PERMITTED');
  const short = await without('canViewAllPatientDetails');
  expect((await short.call(call, byId(patient)))[0]).toMatchObject({ payer: null, validTo: '2027-02-12' });
  const shown = await short.call('GET /api/patients/:id', byId(patient));
  expect(shown.cohorts.find(({ type }) => type === 'HL7_PROGRAM')?.metaData.payer).toBeNull();
  const preview = await short.call('POST /api/hl7-programs/preview', { body: BUNDLE });
  expect([preview.now, preview.payers]).toEqual([1, []]);
  const viewer = await without('canManageUsers');
  expect((await errorOf(viewer, 'POST /api/hl7-programs/preview', { body: BUNDLE })).errorKey).toBe('NOT_PERMITTED');
});

test('a stay at a 42 CFR Part 2 facility enrolls no one while there is no consent, in lists, pages and previews', async () => {
  const { client, groupId, person, define } = await office();
  await define({ admittingFacilityId: null });
  const ann = await person({ facility: 'BRENDAN' });
  const [patient] = (await listOf(client)).patients;
  expect(patient?.lastName).toBe(ann.family);
  const counted = async () => {
    const body = { ...BUNDLE, admittingFacilityId: null };
    const { now, year, examples } = await client.call('POST /api/hl7-programs/preview', { body });
    const { patients } = await listOf(client);
    const pages = await client.call('GET /api/patients/:id/hl7-based-programs', {
      params: { id: `${patient?.id.split('_')[0]}_0` },
    });
    return [patients.length, pages.length, now, year, examples.length];
  };
  expect(await counted()).toEqual([1, 1, 1, 1, 1]);
  const db = database.pipeline;
  await db.query(sql`update groups set is_part2_facility = true where id = ${brendan.id}`);
  try {
    await vi.waitFor(async () => expect(await counted()).toEqual([0, 0, 0, 0, 0]), 5000);
    await db.query(sql`
      insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
      select r.person_id, ${brendan.id}, r.group_id, ${clock.now()} from roster_patients r where r.group_id = ${groupId}`);
    await vi.waitFor(async () => expect(await counted()).toEqual([1, 1, 1, 1, 1]), 5000);
    const [enrollment] = await programsOf(client, patient?.id ?? '');
    expect(enrollment?.isPart2).toBe(true);
  } finally {
    await db.query(sql`update groups set is_part2_facility = false where id = ${brendan.id}`);
  }
});

test('a preview counts discharges by month, says from when DRGs are known, and shows examples', async () => {
  const { client, person } = await office();
  await person({ admitted: '202512010900', discharged: '202512051500', drg: '' });
  const ann = await person({ admitted: '202604010900', discharged: '202604051500' }, {});
  await person({ admitted: '202605010900', discharged: '202605051500', payer: 'GREAT LANTERN' });
  // An ED visit has no DRG.
  await person({ admitted: '202606010900', discharged: '202606011500', drg: '', patientClass: 'E' });
  const preview = await client.call('POST /api/hl7-programs/preview', { body: BUNDLE });
  expect(preview).toMatchObject({
    people: 4,
    checked: 4,
    now: 1,
    year: 1,
    discharges: 2,
    firstDischargeAt: '2025-12-05T20:00:00.000Z',
    firstDrgAt: '2026-04-05T19:00:00.000Z',
    withDrg: 3,
    inpatientDischarges: 4,
    payers: [{ payer: 'MEDICARE', discharges: 2 }],
  });
  expect(preview.months).toHaveLength(13);
  expect(preview.months.filter(({ discharges }) => discharges > 0)).toEqual([
    { month: '2026-04', discharges: 1 },
    { month: '2026-11', discharges: 1 },
  ]);
  expect(preview.examples).toEqual([
    {
      patientId: expect.any(String),
      name: `${ann.family.toUpperCase()}, ${ann.given}`,
      dateOfBirth: ann.birthDate,
      facilityName: 'Mercy General',
      isPart2: false,
      dischargedOn: '2026-11-15',
      drg: '291',
      validTo: '2027-02-12',
    },
  ]);
  expect(await client.call('GET /api/admin/hl7-programs', {})).toEqual([]);
  const { rows } = await database.pipeline.query<{ patientIds: string[] }>(sql`
    select patient_ids::text[] as "patientIds" from audit_entries where action = 'hl7-program.preview' order by id desc limit 1`);
  expect(rows).toEqual([{ patientIds: preview.examples.map(({ patientId }) => patientId.split('_')[0]) }]);
});

test('a program that a roster names too is listed once', async () => {
  const { client, person, define, groupId } = await office();
  await define();
  await person({});
  await database.pipeline.query(
    sql`update roster_patients set programs = array['Heart failure bundle', 'Complex Care'] where group_id = ${groupId}`,
  );
  await vi.waitFor(async () => {
    const [patient] = (await listOf(client)).patients;
    expect(patient?.programs.map(({ name }) => name).sort()).toEqual(['Complex Care', 'Heart failure bundle']);
  }, 5000);
});

test('the last day ends by itself, in lists and on pages', async () => {
  const { team, person, define } = await office();
  await define({ validityPeriod: 6 });
  const ann = await person({});
  const { username } = await make.user({ team, role: 'administrator' });
  const client = await signIn(app, username);
  const [patient] = (await listOf(client)).patients;
  expect([patient?.lastName, (await programsOf(client, patient?.id ?? ''))[0]?.validTo]).toEqual([
    ann.family,
    '2026-11-20',
  ]);
  // A day passes, and the session with it.
  clock.advance(86_400_000);
  await vi.waitFor(async () => expect(await familiesIn(await signIn(app, username))).toEqual([]), {
    timeout: 10_000,
    interval: 200,
  });
  expect(await programsOf(await signIn(app, username), patient?.id ?? '')).toEqual([]);
});
