/** An export whose process ends in the middle: whole or not at all. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { exporting, readCsv } from '#server/testing/exports.ts';
import { InterruptedError } from './run-export.ts';

const app = await startApp();
const { make, database } = app;
const { run, start, download, jobOf } = exporting(app);

const team = await make.team();
const client = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
const [groupId = ''] = team.groupIds;
const listed = await make.rosterPatient({ groupId });
const encounter = await make.encounter({ groupId, personId: listed.personId });
const ENCOUNTERS = 20_000;
await database.pipeline.query(sql`
  insert into encounters (group_id, source_patient_id, person_id, status, setting, admitted_at, admitted_precision, state, created_at, updated_at)
  select group_id, source_patient_id, person_id, status, setting, admitted_at, admitted_precision, state, created_at, updated_at
  from encounters, generate_series(2, ${ENCOUNTERS}::int) where id = ${encounter.id}`);

const chunksOf = async (jobId: string) => {
  const { rows } = await database.owner.query<{ attempt: number; n: number }>(
    sql`select attempt, n from export_chunks where job_id = ${jobId} order by attempt, n`,
  );
  return rows;
};

/** Downloads the file, and checks that it has each encounter once. */
async function expectWhole(jobId: string): Promise<void> {
  const rows = readCsv(await (await download(client, jobId)).text());
  expect(new Set(rows.map((row) => row['Patient ID'])).size).toBe(ENCOUNTERS);
  expect(rows).toHaveLength(ENCOUNTERS);
  expect(await jobOf(client, jobId)).toMatchObject({ inProgress: false, failed: false, rows: ENCOUNTERS });
}

test('a killed process leaves nothing to download, and the next attempt makes the whole file', async () => {
  const { id } = await start(client);
  const script = join(import.meta.dirname, '../../testing/export-process.ts');
  const child = spawn(process.execPath, [script, database.urls.app, database.urls.pipeline, id]);
  const ended = once(child, 'exit');
  await expect.poll(async () => (await chunksOf(id)).length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect((await download(client, id)).status).toBe(404);
  expect(await jobOf(client, id)).toMatchObject({ inProgress: true, started: true });
  // The lock of a killed process goes with its connection.
  await expect
    .poll(async () => (await run(id), (await jobOf(client, id))?.inProgress), { timeout: 20_000 })
    .toBe(false);
  await expectWhole(id);
  expect(new Set((await chunksOf(id)).map(({ attempt }) => attempt))).toEqual(new Set([2]));
});

test('an attempt that was superseded adds nothing to the file', async () => {
  const { id } = await start(client);
  let statements = 0;
  const pausing = {
    ...database.pipeline,
    query: async (statement: never) => {
      statements += 1;
      // In between, as if its lock had been lost with its connection.
      if (statements === 2)
        await database.owner.query('update export_jobs set attempt = attempt + 1 where id = $1', [id]);
      return database.pipeline.query(statement);
    },
  } as typeof database.pipeline;
  await run(id, { pipeline: pausing });
  expect(statements).toBe(2);
  expect(await jobOf(client, id)).toMatchObject({ inProgress: true });
  await run(id);
  await expectWhole(id);
});

test('an export that a shutdown interrupts begins anew, and one that runs elsewhere is left alone', async () => {
  const { id } = await start(client);
  await expect(run(id, { signal: AbortSignal.abort() })).rejects.toThrow(InterruptedError);
  expect(await jobOf(client, id)).toMatchObject({ inProgress: true, failed: false });
  await Promise.all([run(id), run(id)]);
  await expectWhole(id);
  // As when it was queued twice.
  await run(id);
  await expectWhole(id);
});

test('an export that never ends is given up', async () => {
  const { id } = await start(client);
  await database.owner.query('update export_jobs set attempt = 5 where id = $1', [id]);
  await run(id);
  expect(await jobOf(client, id)).toMatchObject({ failed: true, failure: 'ERROR' });
});
