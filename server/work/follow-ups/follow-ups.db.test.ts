/** What is due after a discharge, from the message to the answer and the lists. Today is Friday, November 20, 2026. */
import { expect, test } from 'vitest';
import type { NewContactAttempt } from '#contract/contact-attempts.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { type AdtParts, adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);
const DAY = 86_400_000;

let scenes = 0;
/** A team, and a hospital whose patients it lists. */
async function scene() {
  const code = `HOSP${++scenes}`;
  const { id: facilityId, organizationId: hospitals } = await make.group({ type: 'HOS', facilityType: 'HOS' });
  await hosp.feed(hospitals, { [code]: facilityId });
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const client = await signIn(app, (await make.user({ team })).username);
  const administrator = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  /** Lists a person, and sends these messages about a stay of theirs. Returns the id of the patient's row. */
  async function stay(...messages: (Partial<AdtParts> & { trigger: string; at: string })[]): Promise<string> {
    const person = newPerson({ birthDate: '1950-03-14' });
    const listing = await hosp.list(groupId, person);
    const record = `R-${listing}`;
    const common = { record, visit: `V-${listing}`, facility: code, person };
    for (const { trigger, ...parts } of messages) await hosp.send(adt(trigger, { ...common, ...parts }));
    const { rows } = await database.pipeline.query<{ id: string }>(sql`
      select e.id from encounters e join roster_patients r on r.person_id = e.person_id
      where r.id = ${listing} order by e.id desc limit 1`);
    return `${listing}_${rows[0]?.id}`;
  }
  const again = async () => signIn(app, (await make.user({ team })).username);
  return { client, administrator, team, stay, organizationId, again };
}

const admitted = '202611140900';
const admission = { trigger: 'A01', at: admitted, admitted };
const leftOn = (day: string, over: Partial<AdtParts> = {}) => ({
  trigger: 'A03',
  at: `2026${day}0900`,
  admitted,
  discharged: `2026${day}0900`,
  disposition: '01',
  ...over,
});

const followUps = (client: Client, id: string) => client.call('GET /api/patients/:id/follow-ups', { params: { id } });
const clocksOf = async (client: Client, id: string) => {
  const [last] = await followUps(client, id);
  return [last?.noClock ?? null, ...(last?.clocks ?? []).map(({ rule, dueOn, state }) => [rule, dueOn, state])];
};
const reasonOf = async (client: Client, id: string) =>
  (await client.call('GET /api/patients/:id', { params: { id } })).card?.headline.reason?.label;
const log = (client: Client, id: string, over: Partial<NewContactAttempt> = {}) =>
  client.call('POST /api/patients/:id/contact-attempts', {
    params: { id },
    body: { attemptedAt: clock.now().toISOString(), channel: 'CALL', outcome: 'NO_ANSWER', note: '', ...over },
  });

const filtered = (facet: 'dueWork' | 'needsAction', value: string): SearchParametersInput => ({
  sortBy: ['URGENCY'],
  userDefinedFacetPreferences: {
    preferenceMap: {
      managementStatus: ['NEW', 'IN_PROGRESS'].map((status) => ({ field: 'managementStatus', value: status })),
      [facet]: [{ field: facet, value }],
    },
  },
});
const listed = async (client: Client, body: SearchParametersInput) =>
  (await client.call('POST /api/pings', { body })).patients.map(({ id }) => id);

test('a discharge home has a contact due on the second business day, and a visit within 7 or 14 days', async () => {
  const { client, stay } = await scene();
  const id = await stay(admission, leftOn('1118'));
  expect(await clocksOf(client, id)).toEqual([
    null,
    ['TCM_CONTACT', '2026-11-20', 'DUE_TODAY'],
    ['TCM_VISIT', '2026-12-02', 'DUE'],
  ]);
  expect(await reasonOf(client, id)).toBe('TCM contact due today');
  await log(client, id, { outcome: 'REACHED' });
  expect(await reasonOf(client, id)).toBe('TCM visit due 11/25/2026');
  expect(await clocksOf(client, id)).toEqual([
    null,
    ['TCM_CONTACT', '2026-11-20', 'MET'],
    ['TCM_VISIT', '2026-12-02', 'DUE'],
  ]);
});

test('no clock runs after a discharge to a facility, a death, or another admission, and one that is canceled stops', async () => {
  const { client, stay } = await scene();
  expect(await clocksOf(client, await stay(admission, leftOn('1118', { disposition: '03' })))).toEqual([
    'NOT_TO_COMMUNITY',
  ]);
  const dead = await stay(admission, leftOn('1118'), { trigger: 'A31', at: '202611190900', deceased: true, visit: '' });
  expect((await clocksOf(client, dead))[0]).toBe('DIED');
  const back = { trigger: 'A01', at: '202611190900', admitted: '202611190900', visit: 'V-BACK' };
  const again = await stay(admission, leftOn('1118'), back);
  const [first] = (await followUps(client, again)).filter(({ noClock }) => noClock !== null);
  expect(first?.noClock).toBe('IN_FACILITY');
  const canceled = await stay(admission, leftOn('1118'), { trigger: 'A13', at: '202611180930', admitted });
  expect(await followUps(client, canceled)).toEqual([]);
  expect(await listed(client, filtered('dueWork', 'DUE_TODAY'))).toEqual([]);
});

test('the inbox finds what is due, the most urgent first', async () => {
  const { client, stay } = await scene();
  const fresh = await stay({ trigger: 'A01', at: '202611200900', admitted: '202611200900' });
  const dueToday = await stay(admission, leftOn('1118'));
  const overdue = await stay(admission, leftOn('1116'));
  const dueMonday = await stay(admission, leftOn('1119'));
  const dead = await stay(admission, leftOn('1116'), { trigger: 'A31', at: '202611190900', deceased: true, visit: '' });
  expect(await listed(client, filtered('dueWork', 'OVERDUE'))).toEqual([overdue]);
  expect(await listed(client, filtered('dueWork', 'DUE_TODAY'))).toEqual([dueToday]);
  const all = await listed(client, filtered('needsAction', 'YES'));
  expect(all.slice(0, 2)).toEqual([overdue, dueToday]);
  // A death is to be seen to, with nothing due.
  expect(all.slice(2).toSorted()).toEqual([dueMonday, fresh, dead].toSorted());
  const byDay = { ...filtered('needsAction', 'YES'), sortBy: ['DUE_DATE' as const] };
  expect((await listed(client, byDay)).slice(0, 3)).toEqual([overdue, dueToday, dueMonday]);
  // In progress, it stays only while something is due.
  for (const id of [fresh, dueToday]) {
    const { card } = await client.call('GET /api/patients/:id', { params: { id } });
    await client.call('POST /api/patients/:id/events/management-status/bulk', {
      params: { id },
      body: { eventIdentifiers: (card?.open ?? []).map((one) => one.eventIdentifier), status: 'IN_PROGRESS' },
    });
  }
  const left = await listed(client, filtered('needsAction', 'YES'));
  // What is due today isn't hidden by a wait.
  const { card } = await client.call('GET /api/patients/:id', { params: { id: dueToday } });
  const eventIdentifiers = (card?.open ?? []).map((one) => one.eventIdentifier);
  const stays = [{ patientId: dueToday, expectedVersion: card?.work.version ?? '0', eventIdentifiers }];
  await client.call('POST /api/stays/snooze', { body: { stays, until: 'EVENT' } });
  expect(await listed(client, filtered('needsAction', 'YES'))).toContain(dueToday);
  expect(left).toContain(dueToday);
  expect(left).not.toContain(fresh);
});

test('of what is overdue, the longest is first', async () => {
  const { client, stay } = await scene();
  const shorter = await stay(admission, leftOn('1117'));
  const longest = await stay(admission, leftOn('1115'));
  const between = await stay(admission, leftOn('1116'));
  expect(await listed(client, filtered('dueWork', 'OVERDUE'))).toEqual([longest, between, shorter]);
});

test('a contact that is overdue comes before a later one also when the visit is overdue too', async () => {
  const { client, stay } = await scene();
  const old = { admitted: '202610140900' };
  const longest = await stay({ trigger: 'A01', at: old.admitted, ...old }, leftOn('1026', old));
  const later = { admitted: '202611010900' };
  const shorter = await stay({ trigger: 'A01', at: later.admitted, ...later }, leftOn('1105', later));
  expect(await clocksOf(client, longest)).toEqual([
    null,
    ['TCM_CONTACT', '2026-10-28', 'OVERDUE'],
    ['TCM_VISIT', '2026-11-09', 'OVERDUE'],
  ]);
  expect(await listed(client, filtered('dueWork', 'OVERDUE'))).toEqual([longest, shorter]);
  // Due by the end of the 28th, overdue from the 29th.
  expect(await reasonOf(client, longest)).toBe('TCM contact overdue since 10/29/2026');
});

test('after a contact that was late, the row says that the visit is due and that the service can’t be claimed', async () => {
  const { client, stay } = await scene();
  const id = await stay(admission, leftOn('1115'));
  const contactMissed = async () => (await followUps(client, id))[0]?.contactMissed;
  expect(await contactMissed()).toBe(true);
  await log(client, id, { outcome: 'REACHED' });
  expect(await reasonOf(client, id)).toBe('Follow-up visit due 11/22/2026. Contact was late, no TCM claim');
  expect(await contactMissed()).toBe(true);
  // Two attempts in time that reached no one are enough for the claim.
  const other = await stay(admission, leftOn('1115'));
  for (const attemptedAt of ['2026-11-16T15:00:00Z', '2026-11-17T15:00:00Z']) await log(client, other, { attemptedAt });
  await log(client, other, { outcome: 'REACHED' });
  expect(await reasonOf(client, other)).toBe('TCM visit due 11/22/2026');
  expect((await followUps(client, other))[0]?.contactMissed).toBe(false);
});

test('a discharge resolved as "Contacted patient" has no logged contact, and every page says so until one is logged', async () => {
  const { client, stay } = await scene();
  const id = await stay(admission, leftOn('1115'));
  const [before] = await followUps(client, id);
  expect(before).toMatchObject({ contactMissed: true, isOwed: true, contactedStatus: null });
  const eventId = before?.eventIdentifier ?? '';
  const body = { eventIdentifier: eventId, status: 'RESOLVED', resolutions: ['CONTACTED_PATIENT'] } as const;
  await client.call('POST /api/patients/:id/events/management-status', {
    params: { id },
    body: { ...body, resolutions: [...body.resolutions] },
  });
  const said = { by: expect.any(String), date: clock.now().toISOString() };
  const evidence = () => client.call('GET /api/patients/:id/events/:eventId/evidence', { params: { id, eventId } });
  expect((await followUps(client, id))[0]).toMatchObject({
    contactedStatus: said,
    clocks: [{ rule: 'TCM_CONTACT', state: 'OVERDUE', metAt: null }, {}],
  });
  expect(await evidence()).toMatchObject({
    contactedStatus: said,
    clocks: [{ rule: 'TCM_CONTACT', outcome: 'MISSED' }, {}],
  });
  await log(client, id, { outcome: 'REACHED', attemptedAt: '2026-11-16T15:00:00Z' });
  expect((await followUps(client, id))[0]).toMatchObject({
    contactMissed: false,
    contactedStatus: null,
    clocks: [{ state: 'MET' }, {}],
  });
  expect(await evidence()).toMatchObject({ contactedStatus: null, clocks: [{ outcome: 'MET' }, {}] });
});

test('no follow-up is owed to a patient who died, or who is in a facility again, whenever that was', async () => {
  const { client, stay } = await scene();
  const last = async (id: string) => (await followUps(client, id))[0];
  const early = { admitted: '202609200900' };
  const dead = await stay({ trigger: 'A01', at: early.admitted, ...early }, leftOn('0925', early), {
    trigger: 'A31',
    at: '202611100900',
    noVisit: true,
    deceased: true,
    diedAt: '202611090900',
  });
  expect(await last(dead)).toMatchObject({ contactMissed: true, isOwed: false });
  const after = await stay(admission, leftOn('1115'), {
    trigger: 'A31',
    at: '202611190900',
    noVisit: true,
    deceased: true,
  });
  expect(await last(after)).toMatchObject({ noClock: 'DIED', contactMissed: true, isOwed: false });
});

test('a holiday of the organization moves its due days, in lists too, and those of no other', async () => {
  const { client, administrator, stay } = await scene();
  const id = await stay(admission, leftOn('1118'));
  const holidays = { added: ['2026-11-19'], removed: ['2026-11-26'] };
  const saved = await administrator.call('PUT /api/admin/record-settings', { body: { holidays } });
  expect(saved.holidays).toEqual(holidays);
  expect((await clocksOf(client, id))[1]).toEqual(['TCM_CONTACT', '2026-11-23', 'DUE']);
  await expect.poll(() => listed(client, filtered('dueWork', 'DUE'))).toEqual([id]);
  const other = await scene();
  expect((await clocksOf(other.client, await other.stay(admission, leftOn('1118'))))[1]).toEqual([
    'TCM_CONTACT',
    '2026-11-20',
    'DUE_TODAY',
  ]);
  const wrong = { holidays: { added: ['2026-02-30'], removed: [] } };
  const refused = await errorOf(administrator, 'PUT /api/admin/record-settings', { body: wrong });
  expect(refused.errorKey).toBe('BAD_REQUEST');
});

test('windows of TRC are shown for an adult’s inpatient stay, and only what Tidings knows is met', async () => {
  const { client, stay } = await scene();
  const id = await stay(admission, leftOn('1118'));
  await log(client, id, { outcome: 'REACHED' });
  const [last] = await followUps(client, id);
  expect(last?.windows.map(({ rule, dueOn, state }) => [rule, dueOn, state])).toEqual([
    ['TRC_ADMISSION_NOTICE', '2026-11-16', 'MET_LATE'],
    ['TRC_DISCHARGE_INFORMATION', '2026-11-20', 'NOT_RECORDED'],
    ['TRC_ENGAGEMENT', '2026-12-18', 'MET'],
    ['TRC_MEDICATIONS', '2026-12-18', 'NOT_RECORDED'],
  ]);
});

test('other teams get no answer, and attempts of theirs do not count', async () => {
  const { client, stay, organizationId, team } = await scene();
  const id = await stay(admission, leftOn('1118'));
  const stranger = await scene();
  const refused = await errorOf(stranger.client, 'GET /api/patients/:id/follow-ups', { params: { id } });
  expect(refused.errorKey).toBe('NOT_FOUND');
  const colleagues = await make.team({ organizationId, groupIds: [...team.groupIds] });
  const colleague = await signIn(app, (await make.user({ team: colleagues })).username);
  await log(colleague, id, { outcome: 'REACHED' });
  expect((await clocksOf(client, id))[1]).toEqual(['TCM_CONTACT', '2026-11-20', 'DUE_TODAY']);
});

test('what is due today is overdue from midnight on, in lists that are loaded already', async () => {
  const { client, stay, again } = await scene();
  const id = await stay(admission, leftOn('1118'));
  expect(await listed(client, filtered('dueWork', 'DUE_TODAY'))).toEqual([id]);
  clock.advance(DAY);
  const nextDay = await again();
  await expect.poll(() => listed(nextDay, filtered('dueWork', 'OVERDUE')), { timeout: 20_000 }).toEqual([id]);
});
