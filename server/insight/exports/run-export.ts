/**
 * The job of an export. Each attempt writes the whole file anew, as numbered chunks, and only the end of the last one makes it available: a
 * killed process leaves nothing that could be taken for a file.
 */
import { EXPORT_FIELD_IDS, type ExportFailure, exportFieldWords } from '#contract/export-fields.ts';
import type { SearchContext } from '#contract/facets.ts';
import type { Permission } from '#contract/permissions.ts';
import { type Actor, loadActor, makeActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { isTransient } from '#server/platform/database/errors.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { LIST_PERMISSIONS } from '#server/work/search/access-scope.ts';
import type { Columns, ExportRow } from './cells.ts';
import { type EncounterChoice, encounterRows } from './encounter-rows.ts';
import { ZipTooLargeError } from './files/zip-file.ts';
import { listRows } from './list-rows.ts';
import { noteExported } from './note-exported.ts';
import { beginAttempt, type ExportParameters, endAttempt, noteHeld, parametersOf, type StoredJob } from './queries.ts';
import { FileStore, FileTooLargeError, SupersededError, writeFile } from './store-file.ts';

export interface ExportDeps {
  /** Connections of the app role: the data is read as the user who started the export. */
  app: Database;
  pipeline: Database;
  clock: Clock;
  /** Stops the work between two batches when the process shuts down. The next attempt begins anew. */
  signal?: AbortSignal | undefined;
}

/** An attempt that does not end, such as one that ends its process, is made so many times. */
const MAX_ATTEMPTS = 5;

/** Thrown when an export stops because its process does. */
export class InterruptedError extends Error {
  override name = 'InterruptedError';
}

/** Runs an export until it is over. Does nothing if it is over, or runs elsewhere. Throws transient errors and InterruptedError for a retry. */
export async function runExport(deps: ExportDeps, jobId: string): Promise<void> {
  // The lock lasts as long as its connection, so an export of a process that died is free at once.
  await deps.pipeline.transaction(async (guard) => {
    const { rows } = await guard.query<{ isFree: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${`export ${jobId}`}, 0)) as "isFree"`,
    );
    if (!rows[0]?.isFree) return;
    const job = await deps.pipeline.transaction((tx) => beginAttempt(tx, jobId, deps.clock()));
    if (job !== null) await attempt(deps, job);
  });
}

async function attempt(deps: ExportDeps, job: StoredJob): Promise<void> {
  const { pipeline, clock } = deps;
  try {
    const failure = job.attempt > MAX_ATTEMPTS ? 'ERROR' : await produce(deps, job);
    await endAttempt(pipeline, job, failure, clock());
  } catch (error) {
    if (error instanceof SupersededError) return;
    if (isTransient(error) || error instanceof InterruptedError) throw error;
    const isTooLarge = error instanceof ZipTooLargeError || error instanceof FileTooLargeError;
    await endAttempt(pipeline, job, isTooLarge ? 'TOO_LARGE' : 'ERROR', clock());
    if (!isTooLarge) throw error;
  }
}

/** Writes the file. Returns why it can't be, or null. */
async function produce(deps: ExportDeps, job: StoredJob): Promise<ExportFailure | null> {
  const parameters = parametersOf(job);
  const permission = permissionOf(parameters);
  const actor = job.teamId && (await loadActor(deps.app, job.userId, job.teamId));
  if (!actor) return 'ACCESS';
  // Started for these groups: if the user has lost one of them, the file would lack its patients without saying so.
  const held = new Set(actor.groupsWith(permission));
  if (!job.groupIds.every((id) => held.has(id))) return 'ACCESS';
  await noteHeld(deps.pipeline, job, heldFor(parameters, actor, job.groupIds));
  const source = { ...deps, job, actor: withGroups(actor, job.groupIds) };
  await (parameters.kind === 'LIST' ? writeList(source, parameters) : writeEncounters(source, parameters));
  return null;
}

export const permissionOf = (parameters: ExportParameters): Permission =>
  parameters.kind === 'LIST' ? LIST_PERMISSIONS[parameters.context] : 'canViewPatients';

/** Returns for which of the groups the actor holds each permission that a column of the export needs. */
function heldFor(parameters: ExportParameters, actor: Actor, groupIds: readonly string[]): StoredJob['held'] {
  const fields = parameters.kind === 'LIST' ? EXPORT_FIELD_IDS : parameters.fields;
  const needed = new Set(fields.flatMap((id) => exportFieldWords(id).permission ?? []));
  return Object.fromEntries(
    [...needed].map((flag) => [flag, groupIds.filter((id) => actor.permissions.get(id)?.has(flag))]),
  );
}

/** Returns the actor with rights in these groups only. */
const withGroups = (actor: Actor, groupIds: readonly string[]): Actor =>
  makeActor({ ...actor, permissions: new Map([...actor.permissions].filter(([id]) => groupIds.includes(id))) });

type Source = ExportDeps & { job: StoredJob; actor: Actor };

async function writeEncounters(
  { app, pipeline, clock, signal, job, actor }: Source,
  { fields, ...choice }: { fields: Columns['fields'] } & EncounterChoice,
): Promise<void> {
  const columns: Columns = { fields, list: null, timeZone: actor.timeZone };
  await asActor(
    app,
    actor,
    'canViewPatients',
    async (tx) => {
      async function* rows(): AsyncGenerator<ExportRow[]> {
        for await (const batch of encounterRows(tx, choice, clock())) {
          stopIf(signal);
          await noteExported(tx, { jobId: job.id, patientIds: batch.patientIds, now: clock() });
          yield batch.rows;
        }
      }
      await writeFile(rows(), columns, new FileStore(pipeline, job, clock));
    },
    { isolation: 'repeatable read' },
  );
}

async function writeList(
  { app, pipeline, clock, signal, job, actor }: Source,
  { context }: Extract<ExportParameters, { kind: 'LIST' }>,
): Promise<void> {
  const columns = listColumns(actor, context);
  const keys = (job.keys ?? []).map(Number);
  async function* rows(): AsyncGenerator<ExportRow[]> {
    for await (const batch of listRows({ db: app, actor, context, keys, clock, jobId: job.id })) {
      stopIf(signal);
      yield batch;
    }
  }
  await writeFile(rows(), columns, new FileStore(pipeline, job, clock));
}

/** Returns the columns of a list's export: all fields. */
export const listColumns = ({ timeZone }: Actor, list: SearchContext): Columns => ({
  fields: EXPORT_FIELD_IDS,
  list,
  timeZone,
});

function stopIf(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new InterruptedError('The export was interrupted and will begin anew');
}
