/** The SQL of export jobs. */
import { EXPORT_KEPT_DAYS, type ExportFailure, type ExportFieldId, type ExportType } from '#contract/export-fields.ts';
import type { ExportJob, ExportLimits } from '#contract/exports.ts';
import type { SearchContext } from '#contract/facets.ts';
import type { Permission } from '#contract/permissions.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { EncounterChoice } from './encounter-rows.ts';

/** The task name under which the worker runs `runExport`. Its payload is `{ jobId }`. */
export const EXPORT_TASK = 'run-export';

/** What an export was asked for. */
export type ExportParameters =
  | ({ kind: 'ENCOUNTERS'; fields: ExportFieldId[] } & EncounterChoice)
  | { kind: 'LIST'; context: SearchContext; limits?: ListLimits };

/** What limited a list when it was exported. `groupIds`: null for all of the user's. */
type ListLimits = NonNullable<ExportLimits['list']> & { groupIds: readonly string[] | null };

export interface NewExport {
  name: string;
  exportType: ExportType;
  parameters: ExportParameters;
  groupIds: readonly string[];
  /** Of a list: the rows. */
  keys: readonly number[] | null;
}

const NAMED_GROUPS = 3;
const LIMITS = sql`(
  with own as (
    select g.id, g.name from groups g
    where g.id in (
      select own_id::bigint
      from jsonb_array_elements_text(coalesce(nullif(j.parameters #> '{limits,groupIds}', 'null'), to_jsonb(j.group_ids::text[]))) own_id))
  select jsonb_build_object(
    'groups', jsonb_build_object('count', count(*)::int, 'names', coalesce((
      select jsonb_agg(n.name order by n.name, n.id) from (select * from own order by name, id limit ${NAMED_GROUPS}) n), '[]')),
    'statuses', coalesce(j.parameters -> 'statuses', '[]'), 'list', jsonb_build_object('filterName', null) || ((j.parameters -> 'limits') - 'groupIds'))
  from own)`;

const JOB_COLUMNS = sql`
  j.id, j.name, ${LIMITS} as limits, j.team_id as "teamId", (select t.name from teams t where t.id = j.team_id) as "teamName", j.export_type as "exportType",
    j.created_at as "createdAt", j.modified_at as "modifiedAt", j.in_progress as "inProgress", j.attempt > 0 as started, j.failed, j.failure,
    j.rows_written as rows, j.rows_total as total, j.bytes::float8 as bytes, j.expires_at as "expiresAt"`;

const RECENT = 60;

/** Returns the user's exports that are running or kept, newest first. */
export async function findRecentJobs(db: Queryable, userId: string, now: Date): Promise<ExportJob[]> {
  const { rows } = await db.query<ExportJob>(sql`
    select ${JOB_COLUMNS} from export_jobs j
    where j.user_id = ${userId} and (j.expires_at is null or j.expires_at > ${now}) order by j.id desc limit ${RECENT}`);
  return rows;
}

/** Counts the user's exports. */
export async function countJobs(db: Queryable, userId: string, now: Date): Promise<{ running: number; kept: number }> {
  const { rows } = await db.query<{ running: number; kept: number }>(sql`
    select count(*) filter (where in_progress)::int as running, count(*)::int as kept
    from export_jobs where user_id = ${userId} and (expires_at is null or expires_at > ${now})`);
  return rows[0] ?? { running: 0, kept: 0 };
}

/** Serializes the starts of one user until the transaction ends, so that each sees the exports that are running. */
export async function lockStarts(tx: Queryable, userId: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`exports ${userId}`}, 0))`);
}

/** Stores an export and queues it in the caller's transaction. */
export async function storeJob(tx: ActorTransaction, of: NewExport, now: Date): Promise<ExportJob> {
  const { kind, ...parameters } = of.parameters;
  const { rows } = await tx.query<ExportJob>(sql`
    with j as (
      insert into export_jobs (user_id, name, created_at, modified_at, in_progress, team_id, kind, export_type, parameters, group_ids, keys, rows_total)
      values (${tx.actor.userId}, ${of.name}, ${now}, ${now}, true, ${tx.actor.teamId}, ${kind}, ${of.exportType},
        ${JSON.stringify(parameters)}, ${of.groupIds}, ${of.keys}, ${of.keys?.length ?? null})
      returning *)
    select ${JOB_COLUMNS} from j`);
  const [job] = rows;
  if (job === undefined) throw new Error('The export was not stored');
  await enqueue(tx, job.id);
  return job;
}

/** Queues the work on an export. Queuing it twice runs it once. */
async function enqueue(tx: Queryable, jobId: string): Promise<void> {
  await tx.query(sql`select enqueue_job(task => ${EXPORT_TASK}::text, payload => ${JSON.stringify({ jobId })}::json,
    job_key => ${`export:${jobId}`}::text)`);
}

/** An export as it is run and downloaded. */
export interface StoredJob {
  id: string;
  userId: string;
  teamId: string | null;
  kind: ExportParameters['kind'];
  exportType: ExportType;
  parameters: Record<string, unknown>;
  groupIds: string[];
  keys: string[] | null;
  attempt: number;
  rows: number;
  bytes: number;
  hasPart2: boolean;
  /** For each permission that a column needs, the groups for which the user held it when the data was read. */
  held: Partial<Record<Permission, string[]>>;
  readAt: string | null;
  createdAt: string;
}

/** Returns what a stored export was asked for. */
export const parametersOf = ({ kind, parameters }: StoredJob): ExportParameters =>
  ({ kind, ...parameters }) as ExportParameters;

const STORED_COLUMNS = sql`
  j.id, j.user_id as "userId", j.team_id as "teamId", j.kind, j.export_type as "exportType", j.parameters, j.group_ids::text[] as "groupIds",
    j.attempt, j.rows_written as rows, j.bytes::float8 as bytes, j.has_part2 as "hasPart2", j.held, j.read_at as "readAt", j.created_at as "createdAt"`;

/** Begins another attempt, without what earlier ones have written. Returns null if the export is over. */
export async function beginAttempt(tx: Queryable, jobId: string, now: Date): Promise<StoredJob | null> {
  const { rows } = await tx.query<StoredJob>(sql`
    update export_jobs j set attempt = j.attempt + 1, rows_written = 0, bytes = 0, has_part2 = false, read_at = ${now}, modified_at = ${now},
      part2_group_ids = array(select id from groups where is_part2_facility)
    where j.id = ${jobId} and j.in_progress returning ${STORED_COLUMNS}, j.keys::text[] as keys`);
  const [job] = rows;
  // Not of an export that is over: its file is kept.
  if (job !== undefined) await tx.query(sql`delete from export_chunks where job_id = ${jobId}`);
  return job ?? null;
}

/** Notes for which groups the user holds what the columns of an attempt need. */
export async function noteHeld(db: Queryable, job: StoredJob, held: StoredJob['held']): Promise<void> {
  await db.query(sql`update export_jobs set held = ${JSON.stringify(held)} where ${isAttempt(job)}`);
}

const isAttempt = ({ id, attempt }: Pick<StoredJob, 'id' | 'attempt'>): Sql =>
  sql`id = ${id} and attempt = ${attempt} and in_progress`;

export interface Progress {
  rows: number;
  bytes: number;
  hasPart2: boolean;
}

/** Notes how far an attempt is, and adds a chunk to its file if there is one. Returns false if another attempt has begun since. */
export async function noteProgress(
  db: Queryable,
  job: StoredJob,
  { rows, bytes, hasPart2 }: Progress,
  chunk: { n: number; content: Buffer } | null,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    with current as (
      update export_jobs set rows_written = ${rows}, bytes = ${bytes}, has_part2 = ${hasPart2}, modified_at = ${now}
      where ${isAttempt(job)} returning id)
    , stored as (
      insert into export_chunks (job_id, attempt, n, content)
      select id, ${job.attempt}::int, ${chunk?.n ?? 0}::int, ${chunk?.content ?? null}::bytea from current where ${chunk !== null}::boolean)
    select from current`);
  return rowCount > 0;
}

/** Ends an attempt: from now on the file can be downloaded, or, with a failure, never. */
export async function endAttempt(
  db: Queryable,
  job: Pick<StoredJob, 'id' | 'attempt'>,
  failure: ExportFailure | null,
  now: Date,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + EXPORT_KEPT_DAYS * 86_400_000);
  await db.query(sql`
    with ended as (
      update export_jobs set in_progress = false, failed = ${failure !== null}::boolean, failure = ${failure}, keys = null,
        rows_total = case when ${failure === null}::boolean then rows_written else rows_total end, modified_at = ${now}, expires_at = ${expiresAt}
      where ${isAttempt(job)} returning id, failed)
    delete from export_chunks c using ended where c.job_id = ended.id and (ended.failed or c.attempt <> ${job.attempt})`);
}

/** Returns a finished export of the acting user that is still kept, or null. */
export async function findFinished(tx: Queryable, jobId: string, now: Date): Promise<StoredJob | null> {
  const { rows } = await tx.query<StoredJob>(sql`
    select ${STORED_COLUMNS}, null as keys from export_jobs j
    where j.id = ${jobId} and not j.in_progress and not j.failed and j.expires_at > ${now}`);
  return rows[0] ?? null;
}

/** Returns the next chunk of a file, or null. */
export async function findChunk(tx: Queryable, { id, attempt }: StoredJob, n: number): Promise<Buffer | null> {
  const { rows } = await tx.query<{ content: Buffer }>(
    sql`select content from export_chunks where job_id = ${id} and attempt = ${attempt} and n = ${n}`,
  );
  return rows[0]?.content ?? null;
}

/** Returns whether a consent for one of the file's groups has ended since its data was read. */
export async function hasLostConsent(tx: Queryable, { groupIds, readAt }: StoredJob): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    select from consents c where c.recipient_group_id = any (${groupIds}::bigint[]) and c.ended_at >= ${readAt}::timestamptz limit 1`);
  return rowCount > 0;
}

/** Returns whether a facility has come under 42 CFR Part 2 since the file's data was read. It may be named in any row. */
export async function hasNewPart2(tx: Queryable, { id, readAt }: StoredJob): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    select from export_jobs j join groups g on g.is_part2_facility and not g.id = any (j.part2_group_ids) and g.created_at <= ${readAt}::timestamptz
    where j.id = ${id} limit 1`);
  return rowCount > 0;
}

/** Deletes exports whose time is over, and queues those that a process left unfinished when it died. */
export async function tendExports(db: Queryable, now: Date): Promise<void> {
  await db.query(sql`delete from export_jobs where expires_at <= ${now}`);
  const { rows } = await db.query<{ id: string }>('select id from export_jobs where in_progress order by id');
  for (const { id } of rows) await enqueue(db, id);
}
