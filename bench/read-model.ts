/**
 * `node bench/read-model.ts --people 100000`: a scope of the read model, from a database that SQL fills: how long it loads and what it
 * takes, how fast a search is over HTTP with permissions, and how soon a commit is seen.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { TEAM_HEADER } from '#contract/constants.ts';
import * as directory from '#server/accounts/directory-queries.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { startApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { startEmbedded } from '#server/database/embedded.ts';
import { migrate } from '#server/database/migrate.ts';
import { type Database, openDatabase } from '#server/database/pool.ts';
import { ensureRoles } from '#server/database/roles.ts';
import { sql } from '#server/database/sql.ts';
import { emptyState } from '#server/encounters/visit-state.ts';
import { createLog } from '#server/http/log.ts';
import { quantile, table } from './table.ts';

/** Rounds a question, and how many of them are not counted. */
const ROUNDS = 100;
const WARM = 20;
const CHANGES_PER_SECOND = 300;
const PASSWORD = 'correct horse battery';
const { values } = parseArgs({ options: { people: { type: 'string', default: '100000' } } });
const people = Number(values.people);
const DETAIL = JSON.stringify({
  priorSetting: null,
  pointOfCare: null,
  disposition: '01',
  dischargedTo: null,
  admitSource: '1',
  payer: null,
  inferred: false,
  factIds: [],
  backfill: false,
});

/** One program with its people, 1.2 visits each over a year, three events a visit, and their pings; answers the program. */
async function fill(owner: Database): Promise<{ teamId: string; groupId: string }> {
  const now = new Date();
  const organizationId = await directory.createOrganization(owner, { name: 'Bench' }, now);
  const common = { organizationId, timeZone: 'America/New_York' };
  const groupId = await directory.createGroup(
    owner,
    { ...common, name: 'Program', type: 'PROGRAM', facilityType: null },
    now,
  );
  const hospitals: string[] = [];
  for (let n = 0; n < 40; n += 1)
    hospitals.push(
      await directory.createGroup(
        owner,
        { ...common, name: `Hospital ${n}`, type: 'HOS', facilityType: 'HOS', state: 'NY' },
        now,
      ),
    );
  const team = { organizationId, groupIds: [groupId], name: 'Bench', abbreviation: 'B', type: 'PROGRAM' as const };
  const teamId = await directory.createTeam(owner, team, now);
  const user = {
    organizationId,
    username: 'bench@tidings.test',
    firstName: 'Ama',
    lastName: 'Osei',
    passwordHash: await hashPassword(PASSWORD),
  };
  const userId = await directory.createUser(owner, user, now);
  await directory.ensureStandardRoles(owner);
  await directory.grantRole(owner, { userId, teamId, role: 'administrator' });
  const state = JSON.stringify({
    ...emptyState(),
    flags: [],
    visitNumbers: [],
    accountNumbers: [],
    admitReason: 'Shortness of breath',
  });
  await owner.transaction(async (tx) => {
    await tx.query(`select set_config('tidings.bulk', 'on', true)`);
    await tx.query(
      sql`insert into persons (is_provisional, created_at) select false, now() from generate_series(1, ${people}::int)`,
    );
    await tx.query(sql`
      insert into roster_patients (group_id, member_id, person_id, first_name, last_name, date_of_birth, gender, city, zip, programs, practices,
        provider_first_name, provider_last_name, care_coordinators, tags, care_gaps, sort_first, sort_last, listed_at)
      select ${groupId}, 'M' || n, n, 'First' || n % 997, 'Last' || n % 5003, date '1930-01-01' + (n * 7) % 25000,
        (array['Female', 'Male'])[1 + n % 2], 'City ' || n % 80, (49000 + n % 300)::text, array['Program ' || n % 12],
        array['Practice ' || n % 200], 'Ann', 'Provider ' || n % 900, array['Coordinator ' || n % 40],
        case when n % 5 = 0 then array['Diabetes'] else '{}' end, case when n % 4 = 0 then array['Eye exam', 'Flu shot'] else '{}' end,
        'first' || n % 997, 'last' || n % 5003, now()
      from generate_series(1, ${people}::int) n`);
    await tx.query(sql`
      insert into source_patients (group_id, record_number, dossier_id, person_id, demographics, created_at)
      select (${hospitals}::bigint[])[1 + n % 40], 'R' || n, n, n, '{}', now() from generate_series(1, ${people}::int) n`);
    await tx.query(sql`
      insert into encounters (group_id, source_patient_id, person_id, status, setting, admitted_at, discharged_at, state, created_at, updated_at)
      select s.group_id, s.id, s.person_id, status, setting, at, over, ${state}::jsonb || jsonb_build_object('status', status, 'setting', setting,
          'admittedAt', jsonb_build_object('instant', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'localDate', to_char(at, 'YYYY-MM-DD'), 'precision', 'minute'),
          'dischargedAt', case when over is not null then jsonb_build_object('instant', to_char(over, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'localDate', to_char(over, 'YYYY-MM-DD'), 'precision', 'minute') end,
          'diagnoses', jsonb_build_array(
            jsonb_build_object('code', 'I' || n % 700, 'description', 'Illness ' || n % 700, 'type', 'F', 'priority', 1),
            jsonb_build_object('code', 'E' || n % 300, 'description', 'Disorder ' || n % 300, 'type', 'A', 'priority', 2))),
        now(), now()
      from generate_series(1, (${people}::int * 1.2)::int) n
        join source_patients s on s.person_id = 1 + (n * 31) % ${people}::int
        cross join lateral (select now() - (n * 37 % 500000) * interval '1 minute' as at, n % 20 = 0 as is_open,
          (array['INPATIENT', 'EMERGENCY', 'SNF', 'OBSERVATION'])[1 + n % 4] as setting) a
        cross join lateral (select case when is_open then 'IN_PROGRESS' else 'FINISHED' end as status,
          case when is_open then null else at + (n % 9) * interval '1 day' end as over) b`);
    await tx.query(sql`
      insert into events (encounter_id, key, code, event_at, event_precision, event_day, state, setting, detail, is_manual, received_at)
      select e.id, code, code, at, 'minute', at::date, 'ACTIVE', e.setting, ${DETAIL}, false, at
      from encounters e cross join lateral (values ('ADMIT', e.admitted_at), ('TRANSFER', e.admitted_at + interval '3 hours'),
        ('DISCHARGE', e.discharged_at)) as v (code, at) where at is not null`);
    await tx.query(sql`
      insert into pings (event_id, group_id, roster_patient_id, encounter_id, event_at, state, is_current, is_late, created_at, management_status)
      select v.id, ${groupId}, r.id, e.id, v.event_at, 'ACTIVE',
        row_number() over (partition by e.id order by v.event_at desc, v.id desc) = 1, false, v.event_at,
        case when v.event_at > now() - interval '20 days' then 'NEW' else 'RESOLVED' end
      from encounters e join events v on v.encounter_id = e.id join roster_patients r on r.person_id = e.person_id`);
  });
  return { teamId, groupId };
}

const spread = (times: number[]): string[] => [
  `p50 ${quantile(times, 0.5).toFixed(1)} ms`,
  `p95 ${quantile(times, 0.95).toFixed(1)}, p99 ${quantile(times, 0.99).toFixed(1)}, most ${Math.max(...times).toFixed(1)} ms`,
];

/** Persons and pings change one by one, each in a transaction of its own, until it is stopped. */
function startChanges(db: Database): { stop: () => Promise<number> } {
  const underWay = new Set<Promise<unknown>>();
  const start = performance.now();
  let count = 0;
  const change = (n: number) => {
    const id = String(1 + ((n * 7919) % people));
    const statement =
      n % 2 === 0
        ? sql`update roster_patients set zip = ${String(10_000 + (n % 500))} where id = ${id}`
        : sql`update pings set management_status = case management_status when 'NEW' then 'RESOLVED' else 'NEW' end where id = ${id}`;
    const done = db.query(statement).finally(() => underWay.delete(done));
    underWay.add(done);
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - start) / 1000) * CHANGES_PER_SECOND;
    while (count < due) change(count++);
  }, 5);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      return count;
    },
  };
}

const dataDir = mkdtempSync(join(tmpdir(), 'tidings-bench-'));
chmodSync(dataDir, 0o711);
const log = createLog('warn');
const server = await startEmbedded({ dataDir, log });
let stop = async () => {};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
try {
  const urls = await ensureRoles(server.adminUrl, 'bench_read_model');
  await migrate(urls.owner);
  const pipeline = openDatabase(urls.pipeline, { max: 4 });
  const { teamId } = await fill(pipeline);
  const owner = openDatabase(urls.owner, { max: 1 });
  // Only an owner may; a database that has run for a while has its statistics.
  await owner.query('analyze');
  await owner.close();
  const config = readConfig({
    PORT: '18093',
    DATABASE_URL: server.adminUrl,
    TIDINGS_ROLES: 'web',
    PUBLIC_URL: 'http://127.0.0.1:18093',
  });
  const app = await startApp({ config, urls, log: createLog('info') });
  stop = async () => {
    await app.stop();
    await pipeline.close();
  };
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    origin: config.publicUrl,
    [TEAM_HEADER]: teamId,
  };
  const signIn = await fetch(`${app.url}/api/authenticate`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ username: 'bench@tidings.test', password: PASSWORD }),
  });
  headers['cookie'] = (signIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const ask = async (path: string, body: unknown): Promise<[{ total: number }, number]> => {
    const start = performance.now();
    const answer = await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const result = (await answer.json()) as { total: number };
    if (!answer.ok) throw new Error(JSON.stringify(result));
    return [result, performance.now() - start];
  };
  const preferences = (preferenceMap: unknown, more = {}) => ({
    userDefinedFacetPreferences: { preferenceMap, ...more },
  });
  const value = (field: string, each: string, negated = false) => ({ [field]: [{ field, value: each, negated }] });
  const questions: [string, string, unknown][] = [
    ['patients, unfiltered', '/api/patients/search', {}],
    ['patients, one wide filter', '/api/patients/search', preferences(value('gender', 'Female'))],
    [
      'patients, three facets',
      '/api/patients/search',
      preferences({ ...value('program', 'Program 3'), ...value('setting', 'SNF'), ...value('city', 'City 3') }),
    ],
    ['patients, name prefix', '/api/patients/search', preferences({}, { query: 'last1' })],
    ['patients, multi-valued negated', '/api/patients/search', preferences(value('careGaps', 'Eye exam', true))],
    ['patients, 50 values a facet', '/api/patients/search', { termFacetSizeOverride: 50 }],
    ['pings, NEW', '/api/pings', {}],
    [
      'pings, resolved and a range',
      '/api/pings',
      preferences({ ...value('managementStatus', 'RESOLVED'), eventDate: [{ field: 'eventDaysAgo', value: '0:90' }] }),
    ],
    ['page without the panel', '/api/patients/search', { termFacetSizeOverride: 0 }],
  ];
  /** From a commit to the first answer that counts it. */
  const seenAfter = async (times: number): Promise<string[]> => {
    const waits: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const town = `Newtown ${lastTown++}`;
      await pipeline.query(sql`update roster_patients set city = ${town} where id = ${String(1 + n * 7)}`);
      const start = performance.now();
      const body = { ...preferences(value('city', town)), termFacetSizeOverride: 0 };
      while ((await ask('/api/patients/search', body))[0].total === 0);
      waits.push(performance.now() - start);
    }
    return spread(waits);
  };
  let lastTown = 0;
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  const before = process.cpuUsage();
  const [, first] = await ask('/api/patients/search', {});
  const cpu = process.cpuUsage(before);
  const cpuSeconds = ((cpu.user + cpu.system) / 1e6).toFixed(1);
  const lines: string[][] = [
    [
      'first search: the scope is loaded',
      String(people),
      `${(first / 1000).toFixed(1)} s`,
      `${cpuSeconds} s of processor, without PostgreSQL`,
    ],
  ];
  for (const [name, path, body] of questions) {
    const times: number[] = [];
    let total = 0;
    for (let n = 0; n < ROUNDS; n += 1) {
      const [result, took] = await ask(path, body);
      if (n >= WARM) times.push(took);
      total = result.total;
    }
    lines.push([name, String(total), ...spread(times)]);
  }
  lines.push(['a commit is seen after', '50', ...(await seenAfter(50))]);
  const changes = startChanges(pipeline);
  lines.push([`the same, ${CHANGES_PER_SECOND} changes a second`, '200', ...(await seenAfter(200))]);
  const [, path, body] = questions[1] as (typeof questions)[number];
  const amidChanges: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) amidChanges.push((await ask(path, body))[1]);
  lines.push(['one wide filter, amid these changes', String(ROUNDS), ...spread(amidChanges)]);
  lines.push(['changes that went in', String(await changes.stop()), '', '']);
  lines.push(['the HTTP thread was held up, from the load on', '', '', `most ${(held.max / 1e6).toFixed(0)} ms`]);
  process.stdout.write(`${cpus().length} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}, Node ${process.version}\n`);
  table(`The read model over HTTP, ${people} people of one team`, ['what', 'rows', 'took', ''], lines);
} finally {
  await stop();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
