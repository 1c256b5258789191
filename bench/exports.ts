/**
 * Measures exports of encounters next to PostgreSQL's own COPY TO of the same query, as the same user: the job with everything that it adds
 * (what lists say of each patient, cells, file, chunks in the database, audit entries).
 */
import { Writable } from 'node:stream';
import { pipeline as pipe } from 'node:stream/promises';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { EXPORT_FIELD_IDS, EXPORT_FIELDS, type ExportType } from '#contract/export-fields.ts';
import { encountersToExport } from '#server/insight/exports/encounter-rows.ts';
import { storeJob } from '#server/insight/exports/queries.ts';
import { runExport } from '#server/insight/exports/run-export.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { type Actor, loadActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { type Database, openDatabase, type Queryable } from '#server/platform/database/pool.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { Sql, sql } from '#server/platform/database/sql.ts';
import { factories, momentOf } from '#server/testing/factories.ts';
import { note } from './figures.ts';
import { median, table } from './table.ts';

const EVERYTHING = { statuses: [], beginDate: null, endDate: null };
const clock = () => new Date();

interface Databases {
  owner: Database;
  app: Database;
  pipeline: Database;
}

export async function benchExports(urls: RoleUrls, options: { encounters: number; rounds: number }): Promise<void> {
  const open = (url: string) => openDatabase(url, { max: 5 });
  const db = { owner: open(urls.owner), app: open(urls.app), pipeline: open(urls.pipeline) };
  await ensurePartitions(db.pipeline, clock());
  const actor = await makeScene(db, options.encounters);
  const runs = {
    copy: () => timeCopy(urls.app, actor),
    csv: () => timeJob(db, actor, 'CSV'),
    xlsx: () => timeJob(db, actor, 'XLSX'),
  };
  const results: Record<keyof typeof runs, Run[]> = { copy: [], csv: [], xlsx: [] };
  for (let round = 0; round < options.rounds; round += 1)
    for (const name of ['copy', 'csv', 'xlsx'] as const)
      results[name].push(await measured(runs[name], options.encounters));
  await Promise.all(Object.values(db).map((each) => each.close()));
  const seconds = (name: keyof typeof runs) => median(results[name].map((run) => run.seconds));
  for (const [what, name, most] of [
    ['CSV', 'csv', 2.5],
    ['XLSX', 'xlsx', 8],
  ] as const) {
    const rows = options.encounters.toLocaleString('en-US');
    const peer = { what: 'COPY TO', value: seconds('copy') };
    note({
      part: 'exports',
      what: `${rows} encounters, ${what}`,
      value: seconds(name),
      unit: 's',
      peer,
      bar: { most },
    });
  }
  table(
    `Export of ${options.encounters} encounters, median of ${options.rounds} rounds`,
    ['', 'seconds', 'times COPY', 'at most', 'MB', 'RSS above start, MB'],
    (
      [
        ['COPY TO', 'copy', ''],
        ['CSV', 'csv', '2.5'],
        ['XLSX', 'xlsx', '8'],
      ] as const
    ).map(([label, name, most]) => [
      label,
      seconds(name).toFixed(1),
      (seconds(name) / seconds('copy')).toFixed(2),
      most,
      ((results[name][0]?.bytes ?? 0) / 1e6).toFixed(0),
      (Math.max(...results[name].map((run) => run.memory)) / 1e6).toFixed(0),
    ]),
  );
}

interface Written {
  rows: number;
  bytes: number;
}
type Run = { seconds: number; bytes: number; memory: number };

async function measured(run: () => Promise<Written>, expected: number): Promise<Run> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 50);
  const start = performance.now();
  const { rows, bytes } = await run();
  clearInterval(sampling);
  if (rows !== expected) throw new Error(`${rows} rows instead of ${expected}`);
  return { seconds: (performance.now() - start) / 1000, bytes, memory: most - before };
}

/** Copies the export's own query to nowhere, as the same user: under the same row-level security. */
async function timeCopy(url: string, actor: Actor): Promise<Written> {
  const groupIds = actor.groupsWith('canViewPatients');
  const settings = { user_id: actor.userId, group_ids: `{${groupIds.join(',')}}`, team_id: actor.teamId };
  // The pool's connections send statements ahead, which COPY does not allow.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [name, value] of Object.entries(settings))
    await client.query('select set_config($1, $2, false)', [`tidings.${name}`, value]);
  let bytes = 0;
  const count = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done();
    },
  });
  const query = inlined(encountersToExport(groupIds, EVERYTHING));
  const stream = client.query(to(`copy (${query}) to stdout (format csv)`));
  await pipe(stream, count);
  await client.end();
  return { bytes, rows: stream.rowCount ?? 0 };
}

async function timeJob(db: Databases, actor: Actor, exportType: ExportType): Promise<Written> {
  const fields = EXPORT_FIELD_IDS.filter((id) => 'isDefault' in EXPORT_FIELDS[id]);
  const of = {
    name: 'Bench',
    exportType,
    parameters: { kind: 'ENCOUNTERS' as const, fields, ...EVERYTHING },
    groupIds: actor.groupsWith('canViewPatients'),
    keys: null,
  };
  const { id } = await asActor(db.app, actor, 'canViewPatients', (tx) => storeJob(tx, of, clock()));
  await runExport({ app: db.app, pipeline: db.pipeline, clock }, id);
  const { rows } = await db.owner.query<Written>(sql`
    select rows_written as rows, bytes::float8 as bytes from export_jobs where id = ${id} and not in_progress and not failed`);
  await db.owner.query(sql`delete from export_jobs where id = ${id}`);
  return rows[0] ?? { rows: 0, bytes: 0 };
}

/** COPY takes no parameters. */
const inlined = ({ pieces, values }: Sql): string =>
  pieces.reduce((text, piece, index) => `${text}${literal(values[index - 1])}${piece}`);

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`);
  return typeof value === 'boolean' ? String(value) : pg.escapeLiteral(value as string);
}

/** Three encounters a person, at hospitals that the program does not own. */
const PER_PERSON = 3;

async function makeScene(db: Databases, encounters: number): Promise<Actor> {
  const make = factories(db.pipeline, clock);
  const team = await make.team();
  const [groupId = ''] = team.groupIds;
  const user = await make.user({ team, role: 'administrator' });
  const hospital = await make.group({ type: 'HOS', facilityType: 'HOS' });
  const { id: personId } = await make.person();
  const listed = await make.rosterPatient({
    groupId,
    personId,
    programs: ['Lantern'],
    practices: ['Birch'],
    city: 'Ithaca',
  });
  const at = momentOf(new Date('2026-10-01T14:00:00Z'));
  const diagnosis = { type: 'F', priority: 1, codeSystem: 'I10' } as const;
  const { id } = await make.encounter({
    groupId: hospital.id,
    personId,
    visit: {
      status: 'FINISHED',
      admittedAt: at,
      dischargedAt: momentOf(new Date('2026-10-05T18:00:00Z')),
      attending: { id: '1234567893', family: 'Okafor', given: 'Ngozi' } as never,
      diagnoses: [
        { ...diagnosis, code: 'I50.9', description: 'Heart failure, unspecified' },
        { ...diagnosis, priority: 2, code: 'N18.3', description: 'Chronic kidney disease, stage 3' },
      ],
    },
  });
  await make.event({ encounterId: id, code: 'ADMIT' });
  await make.event({ encounterId: id, code: 'DISCHARGE' });
  const people = Math.ceil(encounters / PER_PERSON) - 1;
  await db.owner.transaction(async (tx) => {
    // Otherwise each row would be in the change log, which no one follows here.
    await tx.query("select set_config('tidings.bulk', 'on', true)");
    const copies = copier(tx);
    await copies('persons', sql`t.id = ${personId}`, people, sql`'id', t.id + n`);
    await copies(
      'roster_patients',
      sql`t.id = ${listed.id}`,
      people,
      sql`'id', t.id + n, 'person_id', t.person_id + n, 'member_id', 'B' || n`,
    );
    const ofPerson = sql`'id', t.id + n, 'person_id', t.person_id + n / ${PER_PERSON}::int`;
    await copies('encounters', sql`t.id = ${id}`, encounters - 1, ofPerson);
    await copies(
      'events',
      sql`t.encounter_id = ${id}`,
      encounters - 1,
      sql`'id', t.id + 2 * n, 'encounter_id', t.encounter_id + n`,
    );
  });
  await db.owner.query('vacuum (analyze)');
  const actor = await loadActor(db.app, user.id, team.id);
  if (actor === null) throw new Error('The user is not on the team');
  return actor;
}

/** Returns what adds copies of rows, numbered `n` from 1. `changed`: the columns that differ, as arguments of jsonb_build_object. */
const copier = (tx: Queryable) => (name: string, which: Sql, copies: number, changed: Sql) => {
  const named = new Sql([name], []);
  return tx.query(sql`
    insert into ${named} overriding system value
    select copy.* from ${named} t cross join generate_series(1, ${copies}::int) n
      cross join lateral jsonb_populate_record(null::${named}, to_jsonb(t) || jsonb_build_object(${changed})) copy
    where ${which}`);
};
