import { describe, expect, test } from 'vitest';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { momentOf } from '#server/testing/factories.ts';

const app = await startApp();
const { make, database, clock } = app;
const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);

async function coordinator() {
  const team = await make.team();
  const [groupId = ''] = team.groupIds;
  const client = await signIn(app, (await make.user({ team })).username);
  const get = (id: string) => client.call('GET /api/patients/:id', { params: { id } });
  return { team, groupId, client, get };
}

/** A finished visit at a hospital, unless said otherwise. */
async function visit(personId: string, from: number, to: number | null, over: object = {}, facility: object = {}) {
  const { id: groupId } = await make.group({ type: 'HOS', facilityType: 'HOS', ...facility });
  const ended = to === null ? {} : { status: 'FINISHED' as const, dischargedAt: momentOf(daysAgo(to)) };
  const state = { admittedAt: momentOf(daysAgo(from)), ...ended, ...over };
  return make.encounter({ groupId, personId, visit: state });
}

describe('ids', () => {
  test('of a coordinator, provider and program are the same for every patient, whatever their place in the list', async () => {
    const { groupId, get } = await coordinator();
    const columns = { provider_first_name: 'Ama', provider_last_name: 'Osei', programs: ['ACO REACH'] };
    const one = await make.rosterPatient({ groupId, ...columns, care_coordinators: ['Ada Kestrel', 'Ben Ilves'] });
    const two = await make.rosterPatient({ groupId, ...columns, care_coordinators: ['Ben Ilves'] });
    const [a, b] = [await get(`${one.id}_0`), await get(`${two.id}_0`)];
    expect(a.careCoordinators.map(({ fullName }) => fullName)).toEqual(['Ada Kestrel', 'Ben Ilves']);
    expect(a.careCoordinators[1]?.id).toBe(b.careCoordinators[0]?.id);
    expect(a.careCoordinators[0]?.id).not.toBe(b.careCoordinators[0]?.id);
    expect(a.providers[0]?.id).toBe(b.providers[0]?.id);
    expect(a.programs[0]).toEqual(b.programs[0]);
    expect(a.programs[0]).toMatchObject({ name: 'ACO REACH', type: 'PROGRAM', parentId: a.orgs[0]?.id });
  });
});

test('providers and coordinators are shown with all ways to reach them, gaps included', async () => {
  const { groupId, get } = await coordinator();
  const { id } = await make.rosterPatient({
    groupId,
    provider_last_name: 'Osei',
    provider_title: 'MD',
    provider_type: 'Primary care',
    provider_phone: '585-555-0110',
    provider_fax: '585-555-0111',
    provider_direct_message: 'osei@direct.example',
    practices: ['Alder Bay Family Medicine'],
    care_coordinators: ['Ada Kestrel', 'Ben Ilves'],
    care_coordinator_titles: ['RN', ''],
    care_coordinator_phones: ['', '585-555-0122'],
  });
  const patient = await get(`${id}_0`);
  expect(patient.providers).toEqual([
    expect.objectContaining({
      fullName: 'Osei',
      title: 'MD',
      providerType: 'Primary care',
      telephone: '585-555-0110',
      fax: '585-555-0111',
      email: null,
      directMessage: 'osei@direct.example',
      cohortId: patient.practices[0]?.id,
    }),
  ]);
  expect(patient.careCoordinators.map(({ title, telephone }) => [title, telephone])).toEqual([
    ['RN', null],
    [null, '585-555-0122'],
  ]);
  expect(patient.cohorts.map(({ type }) => type)).toEqual(['OWNING_ORG', 'PRACTICE']);
});

describe('insurance', () => {
  test('is that of the visit first, with member ID and codes, then that of rosters', async () => {
    const { groupId, get } = await coordinator();
    const { id, personId } = await make.rosterPatient({ groupId, insurance: ['Lantern Mutual', 'Medicare'] });
    const payers = [
      { code: 'LM', company: 'LANTERN MUTUAL', plan: 'Gold', memberId: 'POL-1', planCode: 'LG', type: 'PPO' },
    ];
    const { id: encounterId } = await visit(personId, 2, null, { payers });
    const patient = await get(`${id}_${encounterId}`);
    expect(patient.currentPayor).toBe('LANTERN MUTUAL · Gold');
    expect(patient.insurancePlans).toMatchObject([
      {
        value: 'LANTERN MUTUAL · Gold',
        insurerId: 'LM',
        code: 'LG',
        type: 'PPO',
        memberId: 'POL-1',
        insuranceTranslatedName: 'Lantern Mutual',
        insuranceCompanyName: 'LANTERN MUTUAL',
        insurancePlanName: 'Gold',
        rosterPatientId: null,
        selected: true,
        insurancePlanOrder: 1,
      },
      { value: 'Lantern Mutual', rosterPatientId: id, canceled: false, selected: false, insurancePlanOrder: 2 },
      { value: 'Medicare', insurancePlanOrder: 3 },
    ]);
  });

  test('is hidden, like phones, from users who may not see details', async () => {
    const { team, groupId } = await coordinator();
    const viewer = await signIn(app, (await make.user({ team, role: 'viewer' })).username);
    const { id } = await make.rosterPatient({ groupId, insurance: ['Medicare'], home_phone: '585-555-0101' });
    const patient = await viewer.call('GET /api/patients/:id', { params: { id: `${id}_0` } });
    expect([patient.insurancePlans, patient.currentPayor, patient.phoneNumbers, patient.address]).toEqual([
      [],
      null,
      [],
      null,
    ]);
  });
});

describe('phone numbers', () => {
  test('are those of the own roster, of facilities with a readable visit, and of other rosters', async () => {
    const { groupId, get } = await coordinator();
    const { id, personId } = await make.rosterPatient({ groupId, home_phone: '585-555-0101' });
    const other = await make.group({ name: 'Pines Plan' });
    await make.rosterPatient({ groupId: other.id, personId, mobile_phone: '585-555-0102' });
    const source = await make.sourcePatient({ personId, demographics: JSON.stringify({ phones: ['585-555-0103'] }) });
    await make.encounter({ groupId: source.groupId, personId, sourcePatientId: source.id });
    await make.sourcePatient({ personId, demographics: JSON.stringify({ phones: ['585-555-0199'] }) });
    const { phoneNumbers } = await get(`${id}_0`);
    expect(phoneNumbers.map(({ phone, type, currentOrganization }) => [phone, type, currentOrganization])).toEqual([
      ['585-555-0101', 'HOME', true],
      ['585-555-0102', 'MOBILE', false],
      ['585-555-0103', 'OTHER', false],
    ]);
  });

  test('of a 42 CFR Part 2 facility are not shared', async () => {
    const { groupId, get } = await coordinator();
    const { id, personId } = await make.rosterPatient({ groupId });
    const part2 = await make.group({ type: 'ADMITTING', facilityType: 'LTAC', isPart2Facility: true });
    await make.rosterPatient({ groupId: part2.id, personId, home_phone: '585-555-0104' });
    const source = await make.sourcePatient({
      groupId: part2.id,
      personId,
      demographics: JSON.stringify({ phones: ['585-555-0104'] }),
    });
    await make.encounter({ groupId: part2.id, personId, sourcePatientId: source.id });
    expect((await get(`${id}_0`)).phoneNumbers).toEqual([]);
  });
});

describe('a visit', () => {
  test('names the stay because of which it may be a readmission, and the place that the patient came from', async () => {
    const { groupId, get } = await coordinator();
    const { id, personId } = await make.rosterPatient({ groupId });
    const diagnoses = [{ code: 'I50.9', description: 'Heart failure', type: 'F', priority: 1, codeSystem: 'I10' }];
    const before = await visit(personId, 20, 12, { diagnoses }, { name: 'Mercy General' });
    const now = await visit(personId, 1, null, { setting: 'EMERGENCY', drg: '291', admissionType: '1' });
    const stay = (await get(`${id}_${now.id}`)).currentPingEncounter;
    expect(stay).toMatchObject({
      drg: '291',
      admissionType: '1',
      admittedFromLocation: null,
      fullVisitDuration: '24 hours',
      potentialReadmissionTriggerInfo: {
        triggerEncounterId: before.id,
        creatorGroupName: 'Mercy General',
        creatorGroupType: 'HOS',
        dischargeSetting: 'INPATIENT',
        triggerEncounterDiagnosis: { fullCode: 'I50.9', type: 'F' },
      },
    });
    expect(stay?.potentialReadmissionTriggerInfo?.dischargeEventDate).toBe(daysAgo(12).toISOString());
  });

  test('lasts as long as its episode, from the ED of one hospital to the next bed, and is shown with its first and last event', async () => {
    const { groupId, get } = await coordinator();
    const { id, personId } = await make.rosterPatient({ groupId });
    await visit(personId, 9, 5, { disposition: '03' }, { name: 'Mercy General' });
    const snf = await visit(
      personId,
      5,
      2,
      { setting: 'SNF' },
      { name: 'Oak Hollow', type: 'SNF', facilityType: 'SNF' },
    );
    for (const [code, days] of [
      ['ADMIT', 5],
      ['DISCHARGE', 2],
    ] as const)
      await make.event({ encounterId: snf.id, code, at: daysAgo(days) });
    const stay = (await get(`${id}_${snf.id}`)).currentPingEncounter;
    expect(stay).toMatchObject({
      admittedFromLocation: 'Mercy General',
      visitDuration: '3 days',
      fullVisitDuration: '7 days',
      beginPing: { status: 'ADMIT' },
      endPing: { status: 'DISCHARGE' },
    });
  });

  test('at a hospital names the stay in skilled nursing that ended in the last 30 days', async () => {
    const { groupId, get } = await coordinator();
    const { id, personId } = await make.rosterPatient({ groupId });
    const facility = { name: 'Oak Hollow', type: 'SNF', facilityType: 'SNF' };
    const snf = await visit(personId, 30, 10, { setting: 'SNF' }, facility);
    await make.event({ encounterId: snf.id, code: 'DISCHARGE', at: daysAgo(10) });
    const now = await visit(personId, 1, null);
    expect((await get(`${id}_${now.id}`)).currentPingEncounter?.recentSnfStay).toMatchObject({
      triggerEncounterId: snf.id,
      triggerEncounterGroup: 'Oak Hollow',
      triggerDate: daysAgo(10).toISOString(),
      endValidityDate: daysAgo(-20).toISOString(),
      lastEventDate: daysAgo(10).toISOString(),
      lastEventType: 'DISCHARGE',
    });
  });
});

test('the last notice of a hospital is of its latest event, and the last hospital discharge is of the visit that ended last', async () => {
  const { groupId, get } = await coordinator();
  const { id, personId } = await make.rosterPatient({ groupId });
  await visit(personId, 40, 30);
  const last = await visit(personId, 9, 5, {}, { name: 'Mercy General' });
  for (const [code, days] of [
    ['ADMIT', 9],
    ['DISCHARGE', 5],
    ['PAYOR_CHANGE', 4],
  ] as const)
    await make.event({ encounterId: last.id, code, at: daysAgo(days) });
  const patient = await get(`${id}_0`);
  expect(patient.copEvent).toEqual({
    eventDate: daysAgo(5).toISOString(),
    eventStatus: 'DISCHARGE',
    facilityName: 'Mercy General',
  });
  expect(patient.lastHospitalDischargeEncounter?.id).toBe(last.id);
});

test('the end of an outpatient visit, a death and a reported death are no hospital discharge', async () => {
  const { groupId, get } = await coordinator();
  const { id, personId } = await make.rosterPatient({ groupId });
  const home = await visit(personId, 40, 30);
  await visit(personId, 20, 20, { setting: 'OUTPATIENT' });
  await visit(personId, 9, 5, { disposition: '20' });
  const reported = await visit(personId, 4, 4, { admittedAt: null, setting: 'UNKNOWN' });
  await make.event({ encounterId: reported.id, code: 'DECEASED', at: daysAgo(4) });
  const expired = await visit(personId, 8, 3);
  await make.event({ encounterId: expired.id, code: 'DECEASED', at: daysAgo(3) });
  expect((await get(`${id}_0`)).lastHospitalDischargeEncounter?.id).toBe(home.id);
});

test('a patient whom no group lists any more is disabled, and managed while at an own facility', async () => {
  const { groupId, get } = await coordinator();
  const listed = await make.rosterPatient({ groupId });
  const left = await make.rosterPatient({ groupId, left_at: daysAgo(1) });
  const stateOf = async (id: string) => {
    const { disabled, currentlyManaged } = await get(`${id}_0`);
    return [disabled, currentlyManaged];
  };
  expect([await stateOf(listed.id), await stateOf(left.id)]).toEqual([
    [false, true],
    [true, false],
  ]);
});

describe('flags', () => {
  test('about COVID-19 and rising risk are left out without their permissions', async () => {
    const { team, groupId, get } = await coordinator();
    const { id, personId } = await make.rosterPatient({ groupId });
    const diagnoses = [{ code: 'U07.1', description: 'COVID-19', type: 'F', priority: 1, codeSystem: 'I10' }];
    await visit(personId, 3, null, { diagnoses });
    const seen = await get(`${id}_0`);
    const removed = ['canViewCovid19Status', 'canViewRisingRiskFlag', 'canViewCarePlans'] as const;
    const user = await make.user({ team });
    await grantRole(database.pipeline, {
      userId: user.id,
      teamId: team.id,
      groupId,
      role: 'care coordinator',
      removed,
    });
    const client = await signIn(app, user.username);
    const hidden = await client.call('GET /api/patients/:id', { params: { id: `${id}_0` } });
    expect(seen.covid19Info).toEqual({
      flag: true,
      expired: false,
      mostRecentDate: daysAgo(3).toISOString(),
      startDate: daysAgo(3).toISOString(),
    });
    expect(seen.risingRiskInfo).toEqual({
      hasReadmission: false,
      emergencyVisits: 0,
      inpatientStays: 1,
      multiVisitFlag: false,
      risingRiskFlag: false,
      unplannedVisits: { days: 60, recent: 1, usual: 0, last180Days: 1 },
    });
    expect([hidden.covid19Info, hidden.risingRiskInfo]).toEqual([null, null]);
  });
});
