import { expect, test } from 'vitest';
import { loadActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { momentOf } from '#server/testing/factories.ts';
import { storyScene } from '#server/testing/story-scene.ts';
import { listEncounters } from './visits.ts';

const app = await startApp();
const { make, database, clock } = app;
const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);

async function coordinator() {
  const team = await make.team();
  const [groupId = ''] = team.groupIds;
  const client = await signIn(app, (await make.user({ team })).username);
  const { id, personId } = await make.rosterPatient({ groupId, opens_from: daysAgo(3000) });
  const params = { id: `${id}_0` };
  const list = (query: object = {}) => client.call('GET /api/patients/:id/encounters', { params, query });
  return { team, groupId, client, id, personId, params, list };
}

const hospital = (over: object = {}) => make.group({ type: 'HOS', facilityType: 'HOS', ...over });

/** A visit from so many days ago until so many days ago, or going on. */
async function visit(
  personId: string,
  [from, to]: readonly [number, number | null],
  over: object = {},
  facility: { id: string } | null = null,
) {
  const { id: groupId } = facility ?? (await hospital());
  const ended = to === null ? {} : { status: 'FINISHED' as const, dischargedAt: momentOf(daysAgo(to)) };
  return make.encounter({ groupId, personId, visit: { admittedAt: momentOf(daysAgo(from)), ...ended, ...over } });
}

const DIAGNOSIS = { codeSystem: 'I10', type: 'F', rank: 1 } as const;

test('visits come by pages of ten, newest first, from all years, each with all of its events', async () => {
  const { personId, groupId, id, list } = await coordinator();
  const days = [900, 700, 500, 300, 200, 150, 100, 80, 60, 40, 20];
  const visits = [];
  for (const day of days) visits.push(await visit(personId, [day, day - 1]));
  const newest = visits.at(-1)?.id ?? '';
  const told = await make.event({ encounterId: newest, code: 'ADMIT', at: daysAgo(20) });
  await make.event({ encounterId: newest, code: 'DISCHARGE', at: daysAgo(19) });
  await make.ping({ encounter: { id: newest, personId }, eventId: told.id, groupId, rosterPatientId: id });
  const first = await list();
  expect(first).toMatchObject({ total: 11, numPages: 2 });
  expect(first.encounters.map((each) => each.id)).toEqual(
    visits
      .map((each) => each.id)
      .reverse()
      .slice(0, 10),
  );
  const [shown] = first.encounters;
  expect(shown?.events.map(({ status }) => status)).toEqual(['DISCHARGE', 'ADMIT']);
  expect(shown?.pings.map(({ status }) => status)).toEqual(['ADMIT']);
  const second = await list({ pageNumber: 2 });
  expect(second.encounters.map((each) => each.id)).toEqual([visits[0]?.id]);
});

test('a facility, a kind of visit and home health are chosen', async () => {
  const { personId, client, params, list } = await coordinator();
  const mercy = await hospital();
  const agency = await make.group({ type: 'ADMITTING', facilityType: 'HHA' });
  const stay = await visit(personId, [30, 25], {}, mercy);
  const emergency = await visit(personId, [10, 10], { setting: 'EMERGENCY' });
  const care = await visit(personId, [20, null], { setting: 'HHA' }, agency);
  const shown = async (query: object) => (await list(query)).encounters.map((each) => each.id);
  expect(await shown({})).toEqual([emergency.id, stay.id]);
  expect(await shown({ includeHHA: 'true' })).toEqual([emergency.id, care.id, stay.id]);
  expect(await shown({ admittingFacilityId: mercy.id })).toEqual([stay.id]);
  expect(await shown({ kind: 'ED' })).toEqual([emergency.id]);
  expect((await list({ kind: 'ED' })).facilities).toHaveLength(2);
  const coverage = await client.call('GET /api/patients/:id/hha-coverage', { params, query: {} });
  expect(coverage.coverages).toMatchObject([{ id: care.id, agency: { id: agency.id }, endDate: null }]);
  await make.event({ encounterId: stay.id, code: 'ADMIT', at: daysAgo(30) });
  await make.event({ encounterId: stay.id, code: 'DISCHARGE', at: daysAgo(25) });
  const summary = await client.call('GET /api/patients/:id/encounters/summary', { params });
  expect(summary).toMatchObject([
    { encounterId: stay.id, event: { status: 'DISCHARGE' }, encounter: { admittingFacility: { id: mercy.id } } },
  ]);
});

test('a summary names the newest visits only, whatever a patient has', async () => {
  const { client, params, personId } = await coordinator();
  const newest = await visit(personId, [1, null]);
  await make.event({ encounterId: newest.id, code: 'ADMIT', at: daysAgo(1) });
  await database.pipeline.query(
    `with old as (
       insert into encounters (group_id, source_patient_id, person_id, status, setting, admitted_at, state, created_at, updated_at)
       select group_id, source_patient_id, person_id, status, setting, admitted_at - interval '1 year', jsonb_set(state, '{admittedAt,instant}', '"2020-01-01T00:00:00Z"'),
         created_at, updated_at
       from encounters, generate_series(1, 250) where id = $1 returning id)
     insert into events (encounter_id, key, code, event_at, event_precision, event_day, state, setting, detail, is_manual, received_at)
     select o.id, v.key, v.code, v.event_at, v.event_precision, v.event_day, v.state, v.setting, v.detail, v.is_manual, v.received_at
     from old o, events v where v.encounter_id = $1`,
    [newest.id],
  );
  const summary = await client.call('GET /api/patients/:id/encounters/summary', { params });
  expect(summary).toHaveLength(200);
  expect(summary[0]?.encounterId).toBe(newest.id);
});

test('stays without a night at home between them are one episode, and months without visits are named', async () => {
  const { personId, list } = await coordinator();
  const old = await visit(personId, [400, 398]);
  const emergency = await visit(personId, [10, 9], { setting: 'EMERGENCY' });
  const stay = await visit(personId, [9, 5]);
  const nursing = await visit(personId, [5, null], { setting: 'SNF' });
  const { encounters } = await list();
  expect(encounters.map(({ id, episodeId }) => [id, episodeId])).toEqual([
    [nursing.id, emergency.id],
    [stay.id, emergency.id],
    [emergency.id, emergency.id],
    [old.id, old.id],
  ]);
  expect(encounters.map(({ gapBefore }) => gapBefore !== null)).toEqual([false, false, true, false]);
  // Also where the visits around the gap are not chosen.
  expect((await list({ kind: 'ED' })).encounters[0]?.gapBefore).toEqual(encounters[2]?.gapBefore);
});

test('each diagnosis is listed once, with the words that were sent last', async () => {
  const { personId, client, params } = await coordinator();
  const of = (code: string, description: string | null) => ({ ...DIAGNOSIS, code, description });
  await visit(personId, [90, 85], { diagnoses: [of('I50.9', 'Heart failure'), of('E11.9', 'Diabetes')] });
  await visit(personId, [20, 15], { diagnoses: [of('I50.9', null)] });
  await visit(personId, [5, null], { diagnoses: [of('S72.0', 'Fracture')], status: 'CANCELLED' });
  const found = await client.call('GET /api/patients/:id/diagnosis-summary', { params });
  expect(found.map(({ fullCode, synonym, encounterCount }) => [fullCode, synonym, encounterCount])).toEqual([
    ['I50.9', 'Heart failure', 2],
    ['E11.9', 'Diabetes', 1],
  ]);
});

test('visits to a 42 CFR Part 2 facility are in no call without consent, and strangers find no patient', async () => {
  const { personId, client, params, list } = await coordinator();
  const clinic = await hospital({ isPart2Facility: true });
  const diagnoses = [{ ...DIAGNOSIS, code: 'F11.20', description: 'Canary' }];
  await visit(personId, [20, 15], { diagnoses }, clinic);
  const calls = ['encounters', 'encounters/summary', 'diagnosis-summary', 'hha-coverage', 'community-of-care'] as const;
  for (const call of calls) {
    const answer = await client.call(`GET /api/patients/:id/${call}`, { params, query: {} });
    expect(JSON.stringify(answer)).not.toMatch(/Canary|F11/);
  }
  expect(await list()).toMatchObject({ total: 0, facilities: [] });
  const stranger = await coordinator();
  for (const call of [...calls, 'hl7-based-programs'] as const)
    await expect(stranger.client.call(`GET /api/patients/:id/${call}`, { params, query: {} })).rejects.toMatchObject({
      status: 404,
    });
});

test('takes as many statements for a page of many visits as for one', async () => {
  const { team, personId, params } = await coordinator();
  const actor = await loadActor(database.app, (await make.user({ team })).id, team.id);
  if (!actor) throw new Error('The user has no team');
  const statements = async () => {
    let count = 0;
    await asActor(database.app, actor, 'canViewPatients', (tx) => {
      const query = (...parameters: [never]) => {
        count += 1;
        return tx.query(...parameters);
      };
      const page = { pageNumber: 1, pageSize: 10, includeHHA: false };
      return listEncounters({ ...tx, query }, params.id, page, clock.now());
    });
    return count;
  };
  // With an earlier stay that is looked up for a flag.
  await visit(personId, [5, null]);
  await visit(personId, [10, 8]);
  const first = await statements();
  for (const day of [30, 50, 70, 90, 110, 130, 150, 170]) await visit(personId, [day, day - 2]);
  expect(await statements()).toBe(first);
});

test.each([
  ['A42', { visit: 'V-1' }, { visit: 'V-2' }, '||V-1'],
  ['A41', { account: 'A-1' }, { account: 'A-2' }, ''],
])('two visits that %s makes one are one card, and neither is called canceled', async (trigger, one, other, visit) => {
  const { facility, story, before, client, listing } = await storyScene(app);
  const at = await facility();
  await at.send('A01', before(3, '1000'), { ...one, account: 'A-1', admitted: before(3, '1000') });
  await at.send('A01', before(3), { ...other, account: 'A-2', admitted: before(3) });
  const [kept, merged] = (await story()).map(({ id }) => `${listing}_${id}`);
  const MRG = `MRG|MR-${at.id}||A-1${visit}`;
  await at.send(trigger, before(2), { ...other, account: 'A-2' }, { MRG });
  const cards = await story();
  expect(cards).toMatchObject([{ status: 'IN_PROGRESS' }]);
  const { patients: rows } = await client.call('POST /api/pings', { body: {} });
  expect(rows.map(({ id, card }) => [id, card?.headline.reason?.label])).toEqual([
    [kept, undefined],
    [merged, 'The facility merged this visit into another one'],
  ]);
});

test.each([
  ['a discharge', ['A03', 'A13']],
  ['an arrival before the one that holds', ['A11', 'A01']],
])('a visit that was merged is not called canceled because %s in it was', async (_, triggers) => {
  const { facility, story, before, client } = await storyScene(app);
  const at = await facility();
  const [kept, merged] = ['1', '2'].map((n) => ({ visit: `V-${n}`, account: `A-${n}` }));
  await at.send('A01', before(3, '1000'), { ...kept, admitted: before(3, '1000') });
  await at.send('A01', before(3), { ...merged, admitted: before(3) });
  for (const [n, trigger] of triggers.entries()) await at.send(trigger, before(3, `110${n}`), merged);
  await at.send('A42', before(2), kept, { MRG: `MRG|MR-${at.id}||A-2||V-2` });
  expect(await story()).toMatchObject([{ status: 'IN_PROGRESS' }]);
  const { patients: rows } = await client.call('POST /api/pings', { body: {} });
  const reasons = rows.map(({ card }) => card?.headline.reason?.label);
  expect(reasons).toContain('The facility merged this visit into another one');
});
