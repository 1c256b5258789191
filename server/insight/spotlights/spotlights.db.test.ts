/** Spotlights over HTTP, each number held against a plain count in SQL. Today is Friday, November 20, 2026. */
import { beforeAll, expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import type { Spotlight, SpotlightName } from '#contract/spotlights.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { momentOf } from '#server/testing/factories.ts';

const app = await startApp();
const { make, database } = app;
const QUARTER = { from: '2026-07-01', to: '2026-09-30' };
const [mercy, brendan, part2] = [
  await make.group({ type: 'HOS', facilityType: 'HOS', name: 'Mercy', timeZone: 'UTC' }),
  await make.group({ type: 'HOS', facilityType: 'HOS', name: 'Brendan', timeZone: 'UTC' }),
  await make.group({ type: 'HOS', facilityType: 'HOS', name: 'Stillwater', timeZone: 'UTC', isPart2Facility: true }),
];
const { id: organizationId } = await make.organization();
const [aco, plan] = [
  await make.group({ organizationId, name: 'ACO', timeZone: 'UTC' }),
  await make.group({ organizationId, name: 'Plan', timeZone: 'UTC' }),
];
const team = await make.team({ organizationId, groupIds: [aco.id, plan.id] });
const userOf = async (removed: Permission[] = []) =>
  signIn(app, (await make.user({ team, role: 'administrator', removed })).username);
const client = await userOf();

const DAY = 86_400_000;
const on = (day: string, hour = 12): Date => new Date(`${day}T${String(hour).padStart(2, '0')}:00:00Z`);
const later = (from: Date, days: number): Date => new Date(from.getTime() + days * DAY);

async function stay(
  personId: string,
  groupId: string,
  from: Date,
  to: Date,
  setting: 'INPATIENT' | 'EMERGENCY' = 'INPATIENT',
) {
  const visit = {
    setting,
    status: 'FINISHED' as const,
    admittedAt: momentOf(from),
    dischargedAt: momentOf(to),
    disposition: '01',
  };
  return make.encounter({ personId, groupId, visit });
}

/** Sixty people of the ACO, twenty of the plan, and five of another organization: stays from May to September, every fourth followed by another. */
beforeAll(async () => {
  const other = await make.group({ name: 'Elsewhere' });
  for (let n = 0; n < 85; n += 1) {
    const groupId = n < 60 ? aco.id : n < 80 ? plan.id : other.id;
    const { personId } = await make.rosterPatient({ groupId, listed_at: on('2026-01-01') });
    const from = later(on('2026-05-01'), (n * 37) % 150);
    const to = later(from, 1 + (n % 9));
    await stay(personId, n % 3 === 0 ? brendan.id : mercy.id, from, to);
    if (n % 4 === 0) await stay(personId, mercy.id, later(to, 3 + (n % 40)), later(to, 6 + (n % 40)));
    if (n % 5 === 0) await stay(personId, mercy.id, later(from, -20), later(from, -19.8), 'EMERGENCY');
    if (n % 7 === 0) await stay(personId, part2.id, later(to, 15), later(to, 17));
  }
}, 60_000);

const read = (name: SpotlightName, query: Record<string, string> = {}): Promise<Spotlight> =>
  client.call('GET /api/spotlights/:subName', { params: { subName: name }, query: { ...QUARTER, ...query } });

/** The visits that count: at facilities without 42 CFR Part 2, of people whom the groups list. */
const visits = (groupIds: string[]) => sql`
  select distinct e.* from encounters e join groups f on f.id = e.group_id join roster_patients r on r.person_id = e.person_id
  where not f.is_part2_facility and r.group_id = any (${groupIds}::bigint[])`;

const BOTH = [aco.id, plan.id];

async function readmissionsBySql(groupIds = BOTH) {
  const { rows } = await database.pipeline.query<{ of: number; hits: number }>(sql`
    with visits as (${visits(groupIds)}), stays as (select * from visits where setting = 'INPATIENT')
    select count(*)::int as of, count(*) filter (where exists (
      select from stays again where again.person_id = s.person_id and again.admitted_at > s.discharged_at
        and again.admitted_at::date - s.discharged_at::date <= 30))::int as hits
    from stays s where s.discharged_at::date between ${QUARTER.from} and ${QUARTER.to}`);
  return rows[0];
}

test('readmissions are the discharges that an admission followed within 30 days, as SQL counts them', async () => {
  const expected = await readmissionsBySql();
  expect(expected?.hits).toBeGreaterThan(3);
  const spotlight = await read('readmissions');
  expect(spotlight).toMatchObject({
    unit: 'SHARE',
    figure: { numerator: expected?.hits, denominator: expected?.of },
    period: { ...QUARTER, isIncomplete: false },
    previous: { from: '2026-03-31', to: '2026-06-30' },
    people: 80,
    share: null,
  });
  // Nobody was under observation, so the definition that counts it finds the same.
  expect((await read('plan-readmissions')).figure).toEqual(spotlight.figure);
  const ofAco = await read('readmissions', { groupId: aco.id });
  const own = await readmissionsBySql([aco.id]);
  const behind = async (query: Record<string, string>) => {
    const params = { subName: 'readmissions' as const };
    return (await client.call('GET /api/spotlights/:subName/patients', { params, query: { ...QUARTER, ...query } }))
      .total;
  };
  // 9 of 42: the number is not shown, but whoever may see the patients sees them.
  expect(own?.hits).toBeLessThan(11);
  expect(ofAco.figure).toEqual({ value: null, numerator: null, denominator: null });
  expect(await behind({ groupId: aco.id })).toBe(own?.hits);
  expect(spotlight.facilities.map(({ name }) => name).sort()).toEqual(['Brendan', 'Mercy']);
  let all = 0;
  for (const { id } of spotlight.facilities) all += await behind({ facilityId: id, onlyHits: 'false' });
  expect(all).toBe(expected?.of);
});

test('without days it is the quarter before this one, compared with the quarter before that', async () => {
  const call = (query: object) =>
    client.call('GET /api/spotlights/:subName', { params: { subName: 'readmissions' }, query });
  expect(await call({})).toEqual(await call({ ...QUARTER, calendar: 'QUARTER' }));
  await expect(call({ from: QUARTER.from })).rejects.toMatchObject({ body: { fields: { to: expect.any(String) } } });
});

test('those who left the lists since count for the time before, and are no one’s people after it', async () => {
  const facility = await make.group({ organizationId, name: 'Left', timeZone: 'UTC' });
  const office = await make.team({ organizationId, groupIds: [facility.id] });
  const own = await signIn(app, (await make.user({ team: office, role: 'administrator' })).username);
  for (let n = 0; n < 12; n += 1) {
    const left = { listed_at: on('2026-01-01'), left_at: on('2026-10-05') };
    const { personId } = await make.rosterPatient({ groupId: facility.id, ...left });
    await stay(personId, facility.id, on('2026-07-10'), on('2026-07-12'));
  }
  const params = { subName: 'length-of-stay' as const };
  const summer = await own.call('GET /api/spotlights/:subName', { params, query: QUARTER });
  expect(summer).toMatchObject({ figure: { value: 2, numerator: 12, denominator: 12 }, people: 12 });
  const autumn = { from: '2026-10-10', to: '2026-11-10' };
  expect((await own.call('GET /api/spotlights/:subName', { params, query: autumn })).people).toBe(0);
});

test('a roster that grows or takes someone back changes no number of the time before', async () => {
  const program = await make.group({ organizationId, name: 'Growing', timeZone: 'America/New_York' });
  const office = await make.team({ organizationId, groupIds: [program.id] });
  const own = await signIn(app, (await make.user({ team: office, role: 'administrator' })).username);
  const inFile = { groupId: program.id, content_hash: Buffer.alloc(32) };
  for (let n = 0; n < 12; n += 1) {
    const { personId } = await make.rosterPatient({ ...inFile, listed_at: on('2026-01-01') });
    await stay(personId, mercy.id, on('2026-07-10'), on('2026-07-12'));
  }
  const summer = { params: { subName: 'length-of-stay' as const }, query: QUARTER };
  const before = await own.call('GET /api/spotlights/:subName', summer);
  expect(before).toMatchObject({ figure: { value: 2, numerator: 12, denominator: 12 }, people: 12 });
  for (let n = 0; n < 15; n += 1) {
    // 8 PM on the last day of September in New York, which is October in UTC, and days of November.
    const { personId } = await make.rosterPatient({
      ...inFile,
      listed_at: n === 0 ? on('2026-10-01', 0) : on('2026-11-19'),
    });
    await stay(personId, mercy.id, on('2026-07-10'), on('2026-07-19'));
  }
  await database.pipeline.query(sql`
    update roster_patients set listed_at = ${on('2026-11-19')} where id = (select min(id) from roster_patients where group_id = ${program.id})`);
  expect(await own.call('GET /api/spotlights/:subName', summer)).toMatchObject({
    figure: before.figure,
    months: before.months,
    facilities: before.facilities,
    people: 13,
  });
});

test('acute visits for each 1,000 people, and nights of stays, are those that SQL counts', async () => {
  const { rows } = await database.pipeline.query<{ acute: number; stays: number; median: number }>(sql`
    with visits as (${visits(BOTH)})
    select count(*) filter (where admitted_at::date between ${QUARTER.from} and ${QUARTER.to})::int as acute,
      count(*) filter (where setting = 'INPATIENT' and discharged_at::date between ${QUARTER.from} and ${QUARTER.to})::int as stays,
      percentile_cont(0.5) within group (order by discharged_at::date - admitted_at::date)
        filter (where setting = 'INPATIENT' and discharged_at::date between ${QUARTER.from} and ${QUARTER.to}) as median
    from visits`);
  const use = await read('admissions-and-ed-use');
  expect(use.figure).toMatchObject({ numerator: rows[0]?.acute, denominator: 80 });
  expect(use.figure.value).toBeCloseTo(((rows[0]?.acute ?? 0) / 80 / 92) * 365 * 1000, 6);
  const length = await read('length-of-stay');
  expect(length.figure).toEqual({
    value: rows[0]?.median,
    numerator: rows[0]?.stays,
    denominator: rows[0]?.stays,
  });
});

test('a contact within two business days counts once it is decided, as SQL counts the attempts', async () => {
  const { rows } = await database.pipeline.query<{ id: string; day: string; listing: string }>(sql`
    with visits as (${visits([plan.id])})
    select e.id, e.discharged_at::date::text as day, min(r.id) as listing
    from visits e join roster_patients r on r.person_id = e.person_id
    where e.setting = 'INPATIENT' and e.discharged_at::date between ${QUARTER.from} and ${QUARTER.to}
      and not exists (select from visits later where later.person_id = e.person_id and later.id <> e.id and later.setting = 'INPATIENT'
        and later.admitted_at > e.discharged_at and later.admitted_at < e.discharged_at + interval '40 days')
    group by 1, 2 order by 1`);
  const [first] = rows;
  const { userId } = { userId: (await make.user({ team })).id };
  await database.pipeline.query(sql`
    insert into contact_attempts (team_id, roster_patient_id, attempted_at, channel, outcome, note, user_id, display_name, created_at)
    values (${team.id}, ${first?.listing}, ${`${first?.day}T20:00:00Z`}, 'CALL', 'REACHED', '', ${userId}, 'Ann', ${`${first?.day}T20:00:00Z`})`);
  const spotlight = await read('follow-up', { groupId: plan.id });
  // Shown or not, what is behind it is one contact in time.
  const behind = await client.call('GET /api/spotlights/:subName/patients', {
    params: { subName: 'follow-up' },
    query: { ...QUARTER, groupId: plan.id },
  });
  expect(behind.patients.map(({ patientId }) => patientId.split('_')[1])).toEqual([first?.id]);
  expect(spotlight.unit).toBe('SHARE');
  const all = await client.call('GET /api/spotlights/:subName/patients', {
    params: { subName: 'follow-up' },
    query: { ...QUARTER, groupId: plan.id, onlyHits: 'false', pageSize: 100 },
  });
  const behindAll = new Set(all.patients.map(({ patientId }) => patientId.split('_')[1]));
  for (const { id } of rows) expect(behindAll.has(id)).toBe(true);
});

test('pings: how long until they were resolved by people, and how late events were received, as SQL has them', async () => {
  const { id: userId } = await make.user({ team });
  for (let n = 0; n < 24; n += 1) {
    const at = later(on('2026-08-03'), n);
    const { personId } = await make.rosterPatient({ groupId: aco.id, listed_at: on('2026-01-01') });
    const encounter = await make.encounter({ personId, groupId: mercy.id, visit: { admittedAt: momentOf(at) } });
    const received = new Date(at.getTime() + (n + 1) * 60_000);
    const event = await make.event({ encounterId: encounter.id, at, received_at: received });
    const ping = await make.ping({ groupId: aco.id, encounter, eventId: event.id, created_at: received });
    if (n % 4 === 3) continue;
    const changedAt = new Date(received.getTime() + (n + 5) * 60_000);
    await database.pipeline.query(sql`
      with status as (
        insert into management_statuses (event_id, group_ids, ping_ids, status, resolutions, user_id, username, changed_at)
        values (${event.id}, ${[aco.id]}::bigint[], ${[ping.id]}::bigint[], 'RESOLVED', '{}', ${n % 4 === 2 ? null : userId}, 'x', ${changedAt})
        returning id)
      update pings set status_id = (select id from status), management_status = 'RESOLVED' where id = ${ping.id}`);
  }
  const { rows } = await database.pipeline.query<{ all: number; resolved: number; wait: number; delay: number }>(sql`
    select count(*)::int as all, count(s.user_id)::int as resolved,
      percentile_cont(0.5) within group (order by extract(epoch from s.changed_at - p.created_at) / 60) filter (where s.user_id is not null) as wait,
      percentile_cont(0.5) within group (order by extract(epoch from v.received_at - v.event_at) / 60) as delay
    from pings p join events v on v.id = p.event_id left join management_statuses s on s.id = p.status_id
    where p.group_id = ${aco.id} and p.created_at::date between ${QUARTER.from} and ${QUARTER.to}`);
  const [counted] = rows;
  expect((await read('time-to-resolve')).figure).toEqual({
    value: counted?.wait,
    numerator: counted?.resolved,
    denominator: counted?.all,
  });
  const { rows: loads } = await database.pipeline.query<{ pings: number; system: number; people: number }>(sql`
    select count(*)::int as pings, count(*) filter (where s.status = 'RESOLVED' and s.user_id is null)::int as system,
      (select count(distinct person_id)::int from roster_patients r where r.group_id = any (${BOTH}::bigint[])) as people
    from pings p left join management_statuses s on s.id = p.status_id
    where p.group_id = any (${BOTH}::bigint[]) and p.created_at::date between ${QUARTER.from} and ${QUARTER.to}`);
  const [load] = loads;
  const alerts = await read('alert-load');
  expect(alerts).toMatchObject({ unit: 'LOAD', figure: { numerator: load?.pings, denominator: load?.people } });
  expect(alerts.figure.value).toBeCloseTo(((load?.pings ?? 0) * 100) / (load?.people ?? 1) / 92, 6);
  // Six are open, and six were resolved by the system: too few to be told.
  expect([load?.system, alerts.endings]).toEqual([6, null]);
  const timely = await read('feed-timeliness');
  expect(timely.figure).toEqual({ value: counted?.delay, numerator: counted?.all, denominator: counted?.all });
});

test('the patients behind a number are those that it counts, for those who may see patients', async () => {
  const { figure } = await read('readmissions');
  const behind = await client.call('GET /api/spotlights/:subName/patients', {
    params: { subName: 'readmissions' },
    query: { ...QUARTER, pageSize: 100 },
  });
  expect(behind.total).toBe(figure.numerator);
  expect(behind.patients).toHaveLength(figure.numerator ?? 0);
  expect(behind.patients.every(({ day }) => day >= QUARTER.from && day <= QUARTER.to)).toBe(true);
  expect(behind.patients.every(({ memberId }) => memberId)).toBe(true);
  const undetailed = await userOf(['canViewAllPatientDetails']);
  const byName = await undetailed.call('GET /api/spotlights/:subName/patients', {
    params: { subName: 'readmissions' },
    query: QUARTER,
  });
  expect(byName.patients.some(({ memberId }) => memberId)).toBe(false);
  const first = await client.call('GET /api/patients/:id', { params: { id: behind.patients[0]?.patientId ?? '' } });
  expect(first.id).toBe(behind.patients[0]?.patientId);
  const blind = await userOf(['canViewPatients']);
  const seen = await blind.call('GET /api/spotlights/:subName/patients', {
    params: { subName: 'readmissions' },
    query: QUARTER,
  });
  expect(seen).toMatchObject({ patients: [], total: 0 });
});

test('how pings ended is told once no part of it is small', async () => {
  const facility = await make.group({ organizationId, name: 'Alerts', timeZone: 'UTC' });
  const office = await make.team({ organizationId, groupIds: [facility.id] });
  const { id: userId, username } = await make.user({ team: office, role: 'administrator' });
  const own = await signIn(app, username);
  for (let n = 0; n < 36; n += 1) {
    const { personId } = await make.rosterPatient({ groupId: facility.id, listed_at: on('2026-01-01') });
    const encounter = await make.encounter({
      personId,
      groupId: mercy.id,
      visit: { admittedAt: momentOf(on('2026-08-03')) },
    });
    const event = await make.event({ encounterId: encounter.id, at: on('2026-08-03') });
    const ping = await make.ping({ groupId: facility.id, encounter, eventId: event.id, created_at: on('2026-08-03') });
    if (n % 3 === 0) continue;
    await database.pipeline.query(sql`
      with status as (
        insert into management_statuses (event_id, group_ids, ping_ids, status, resolutions, user_id, username, changed_at)
        values (${event.id}, ${[facility.id]}::bigint[], ${[ping.id]}::bigint[], 'RESOLVED', '{}', ${n % 3 === 1 ? null : userId}, 'x', ${on('2026-08-04')})
        returning id)
      update pings set status_id = (select id from status), management_status = 'RESOLVED' where id = ${ping.id}`);
  }
  const query = { ...QUARTER, groupId: facility.id };
  const alerts = await own.call('GET /api/spotlights/:subName', { params: { subName: 'alert-load' }, query });
  expect(alerts.endings).toEqual({ byPeople: 12, bySystem: 12, open: 12 });
  expect(alerts.figure).toMatchObject({ numerator: 36, denominator: 36 });
});

test('discharges count for readmissions once 30 days have passed; how many have not is said', async () => {
  const facility = await make.group({ organizationId, name: 'Running', timeZone: 'UTC' });
  const office = await make.team({ organizationId, groupIds: [facility.id] });
  const own = await signIn(app, (await make.user({ team: office, role: 'administrator' })).username);
  for (let n = 0; n < 40; n += 1) {
    const { personId } = await make.rosterPatient({ groupId: facility.id, listed_at: on('2026-01-01') });
    // Today is 11/20: of 10/20 30 days have passed, of 10/21 the 30th is today.
    const day = n < 24 ? on('2026-10-20') : on('2026-10-21');
    await stay(personId, mercy.id, later(day, -2), day);
    if (n % 2 === 0) await stay(personId, mercy.id, later(day, 5), later(day, 6));
  }
  const query = { from: '2026-10-01', to: '2026-10-22', groupId: facility.id };
  const running = await own.call('GET /api/spotlights/:subName', { params: { subName: 'readmissions' }, query });
  expect(running.figure).toEqual({ value: 0.5, numerator: 12, denominator: 24 });
  expect(running.open).toBe(16);
});

test('a quarter is compared with the quarter before, a running month with as many days of the last', async () => {
  expect((await read('readmissions', { calendar: 'QUARTER' })).previous).toMatchObject({
    from: '2026-04-01',
    to: '2026-06-30',
  });
  const month = { from: '2026-11-01', to: '2026-11-20', calendar: 'MONTH' };
  expect((await read('readmissions', month)).previous).toMatchObject({ from: '2026-10-01', to: '2026-10-20' });
});

test('a rate is not compared with a time before the first visit that is known', async () => {
  const half = await read('admissions-and-ed-use', { from: '2026-06-01', to: '2026-10-31' });
  expect(half.previous).toMatchObject({ from: '2025-12-30', figure: { value: expect.any(Number) } });
  expect(half.comparison).toBe('TOO_FEW');
  expect((await read('admissions-and-ed-use')).comparison).toBe('HIGHER');
});

test('nothing of a 42 CFR Part 2 facility counts without consent', async () => {
  const spotlight = await read('admissions-and-ed-use', { from: '2026-05-01', to: '2026-10-31' });
  expect(spotlight.facilities.map(({ name }) => name)).not.toContain('Stillwater');
});

test('today is the day of the reader', async () => {
  const { username, id } = await make.user({ team, role: 'administrator' });
  await database.pipeline.query(
    sql`update users set preferences = preferences || '{"timeZone": "Pacific/Kiritimati"}' where id = ${id}`,
  );
  const ahead = await signIn(app, username);
  const params = { subName: 'length-of-stay' as const };
  const tomorrow = { from: '2026-11-21', to: '2026-11-21' };
  expect((await ahead.call('GET /api/spotlights/:subName', { params, query: tomorrow })).period.isIncomplete).toBe(
    true,
  );
  expect(await errorOf(client, 'GET /api/spotlights/:subName', { params, query: tomorrow })).toMatchObject({
    status: 400,
  });
});

test('few cases are not shown, and periods are checked', async () => {
  const few = await read('readmissions', { from: '2026-07-01', to: '2026-07-01' });
  expect(few).toMatchObject({ figure: { value: null, numerator: null, denominator: null }, comparison: 'TOO_FEW' });
  const params = { subName: 'readmissions' as const };
  for (const query of [
    { from: '2026-09-30', to: '2026-07-01' },
    { from: '2025-01-01', to: '2026-11-01' },
    { from: '2020-01-01', to: '2020-02-01' },
    { from: '2026-12-01', to: '2026-12-31' },
  ])
    expect(await errorOf(client, 'GET /api/spotlights/:subName', { params, query })).toMatchObject({ status: 400 });
  const query = { ...QUARTER, groupId: mercy.id };
  expect(await errorOf(client, 'GET /api/spotlights/:subName', { params, query })).toMatchObject({ status: 404 });
  const without = await userOf(['canViewSpotlights']);
  expect(await errorOf(without, 'GET /api/spotlights', {})).toMatchObject({ errorKey: 'NOT_PERMITTED' });
});

test('the groups that a spotlight can be limited to are the team’s', async () => {
  const { groups, spotlights } = await client.call('GET /api/spotlights', {});
  expect(groups.map(({ name }) => name)).toEqual(['ACO', 'Plan']);
  expect(spotlights).toHaveLength(8);
});
