/** Steps of an upload that were started and never ended, as a thread or process that is killed leaves them. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { line, startRosterApp } from '#server/testing/rosters.ts';
import { processUpload } from './process.ts';
import { recordStart, unfinishedStarts } from './starts.ts';

const { database, deps, upload, jobOf, active, apply, current, roster } = await startRosterApp();
const { pipeline } = database;

const LINES = ['1', '2', '3'].map((id) => line(id, { first: `Ama${id}`, street: `${id} Heron Lane` }));

async function leaveStarts(jobId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await recordStart(pipeline, jobId);
}

test('a step that was started twice without an end is done, and then no start is left', async () => {
  const jobId = await upload(...LINES);
  await leaveStarts(jobId, 2);
  await processUpload(pipeline, jobId, deps);
  expect(await jobOf(jobId)).toMatchObject({ status: 'DONE', statistics: { created: 3 } });
  expect(await unfinishedStarts(pipeline, jobId)).toBe(0);
});

test('an upload whose step was started three times without an end fails, and the roster stays as it was', async () => {
  await apply(line('0'));
  const jobId = await upload(...LINES);
  await leaveStarts(jobId, 3);
  await processUpload(pipeline, jobId, deps);
  expect(await jobOf(jobId)).toMatchObject({
    status: 'FAILED',
    fileError: expect.stringMatching(/^Reading the file was stopped 3 times.*The roster has not changed/),
  });
  expect(await active()).toEqual(['0']);
  expect(await unfinishedStarts(pipeline, jobId)).toBe(0);
});

test('an upload that stops at one row names it, keeps the roster, and the next upload matches what was left', async () => {
  const jobId = await upload(...LINES);
  // The state in which a process leaves an upload if the second row ends it three times.
  await pipeline.query(sql`update roster_uploads set status = 'APPLYING' where id = ${jobId}`);
  const abort = new AbortController();
  const stopping = {
    ...deps,
    clock: () => {
      abort.abort();
      return deps.clock();
    },
  };
  await expect(processUpload(pipeline, jobId, { ...stopping, signal: abort.signal })).rejects.toThrow('interrupted');
  await pipeline.query(sql`update roster_uploads set identified_row = 2 where id = ${jobId}`);
  await leaveStarts(jobId, 3);
  await processUpload(pipeline, jobId, deps);
  expect(await jobOf(jobId)).toMatchObject({
    status: 'FAILED',
    fileError: expect.stringContaining('Correct row 3, then upload the file again.'),
  });
  expect(await active()).toEqual(['1', '2', '3']);
  expect(await apply(...LINES)).toMatchObject({ status: 'DONE', statistics: { updated: 2, unchanged: 1 } });
  const { rows } = await database.owner.query(sql`
    select l.subject_id from person_links l join roster_patients r on r.id = l.subject_id and l.subject = 'ROSTER_PATIENT'
    where r.group_id = ${current.groupId} order by 1`);
  expect(rows).toHaveLength(2);
  expect((await roster()).filter(({ leftAt }) => leftAt !== null)).toEqual([]);
});
