import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { dyingAfter, line, lineOf, startRosterApp } from '#server/testing/rosters.ts';
import { unfinishedUploads } from './job.ts';
import { processUpload } from './process.ts';

const { database, deps, current, upload, jobOf, apply, active } = await startRosterApp();

describe('the job', () => {
  const lines = Array.from({ length: 1200 }, (_, i) => lineOf(`C${i}`, i));

  test('is queued with the upload', async () => {
    const jobId = await upload(line('A1'));
    const { rows } = await database.owner.query(
      `select task_identifier, key from graphile_worker.jobs where key = 'roster:${jobId}'`,
    );
    expect(rows).toEqual([{ task_identifier: 'process-roster', key: `roster:${jobId}` }]);
  });

  test('continues after being killed at any point, with the same result', async () => {
    const jobId = await upload(...lines);
    let kills = 0;
    for (let survive = 0; (await jobOf(jobId)).status !== 'DONE' && survive < 60; survive++) {
      const dying = dyingAfter(database.pipeline, survive * 4);
      await processUpload(dying, jobId, deps).catch((error: unknown) => {
        expect(error).toMatchObject({ message: 'killed' });
        kills++;
      });
      expect(await unfinishedUploads(database.pipeline).then((ids) => ids.includes(jobId))).toBe(
        (await jobOf(jobId)).status !== 'DONE',
      );
    }
    expect(kills).toBeGreaterThan(5);
    expect(await jobOf(jobId)).toMatchObject({
      status: 'DONE',
      totalErrorRows: 0,
      statistics: { created: 1200, removed: 0 },
    });
    expect(await active()).toHaveLength(1200);
    const { rows } = await database.owner.query(sql`
      select distinct l.subject_id from person_links l join roster_patients r on r.id = l.subject_id and l.subject = 'ROSTER_PATIENT' where r.group_id = ${current.groupId}`);
    expect(rows).toHaveLength(1200);
  });

  test('continues on the next run after a shutdown', async () => {
    const id = await upload(line('1'));
    const ended = AbortSignal.abort();
    await expect(processUpload(database.pipeline, id, { ...deps, signal: ended })).rejects.toThrow('interrupted');
    expect(await unfinishedUploads(database.pipeline)).toContain(id);
    await processUpload(database.pipeline, id, deps);
    expect(await unfinishedUploads(database.pipeline)).not.toContain(id);
  });

  test('updates the statistics of PostgreSQL after a large file', async () => {
    const lines = Array.from({ length: 5001 }, (_, n) => lineOf(`L${n}`, n));
    await apply(...lines);
    const { rows } = await database.owner.query<{ table: string; counted: number }>(sql`
      select relname as table, reltuples::int as counted from pg_class
      where relnamespace = 'tidings'::regnamespace and relname in ('roster_patients', 'blocking_keys', 'persons')`);
    expect(rows).toHaveLength(3);
    // An estimate; -1 for a table that was never analyzed.
    for (const { counted } of rows) expect(counted).toBeGreaterThan(4000);
  });

  test('does its work once if it runs twice at the same time', async () => {
    const jobId = await upload(...lines);
    await Promise.all([processUpload(database.pipeline, jobId, deps), processUpload(database.pipeline, jobId, deps)]);
    expect(await jobOf(jobId)).toMatchObject({
      status: 'DONE',
      statistics: { created: 1200, updated: 0, removed: 0, unchanged: 0 },
    });
    expect(await active()).toHaveLength(1200);
  });

  test('fails and leaves the roster unchanged if a row cannot be applied', async () => {
    await apply(line('A1'));
    const jobId = await upload(line('A2'));
    await database.owner.query(
      sql`update roster_upload_rows set cells = '{"dateOfBirth": "no day"}' where upload_id = ${jobId}`,
    );
    await expect(processUpload(database.pipeline, jobId, deps)).rejects.toThrow();
    expect(await jobOf(jobId)).toMatchObject({
      status: 'FAILED',
      fileError: expect.stringContaining('The roster has not changed'),
    });
    expect(await active()).toEqual(['A1']);
  });
});
