import { describe, expect, test } from 'vitest';
import type { Database } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { errorKey, fileOf, line, lineOf, startRosterApp } from '#server/testing/rosters.ts';
import { processUpload } from './process.ts';
import { unfinishedStarts } from './starts.ts';

const { database, deps, current, post, upload, jobOf, apply, active } = await startRosterApp();

const cancel = (jobId: string) => current.client.call('POST /api/rosters/uploads/:jobId/cancel', { params: { jobId } });
const rowsOf = async (jobId: string) =>
  (await database.owner.query(sql`select from roster_upload_rows where upload_id = ${jobId}`)).rowCount;

describe('a file that is not checked yet', () => {
  test('says how many rows have arrived, and can be canceled', async () => {
    const jobId = await upload(line('A1'), line('A2'));
    expect(await jobOf(jobId)).toMatchObject({ status: 'RECEIVED', totalRows: 2 });
    expect(await cancel(jobId)).toMatchObject({
      status: 'CANCELLED',
      statistics: { created: 0, updated: 0, removed: 0, unchanged: 0 },
    });
    await processUpload(database.pipeline, jobId, deps);
    expect(await rowsOf(jobId)).toBe(0);
    expect((await post(fileOf(line('A1')))).status).toBe(202);
  });

  test('can be canceled in the middle of its check', async () => {
    const jobId = await upload(line('A1'));
    let canceled: Promise<{ status: string }> | undefined;
    const interrupted: Database = {
      ...database.pipeline,
      transaction: (fn, options) =>
        database.pipeline.transaction(
          (tx) =>
            fn({
              ...tx,
              query: (async (...args: [Sql]) => {
                const answer = await tx.query(...args);
                // The check writes its rows, and someone cancels.
                if (args[0].text?.includes('window same_id')) await (canceled ??= cancel(jobId));
                return answer;
              }) as typeof tx.query,
            }),
          options,
        ),
    };
    await processUpload(interrupted, jobId, deps);
    expect(await canceled).toMatchObject({ status: 'CANCELLED' });
    expect(await jobOf(jobId)).toMatchObject({ status: 'CANCELLED', statistics: { created: 0 } });
    expect(await rowsOf(jobId)).toBe(0);
    expect(await unfinishedStarts(database.pipeline, jobId)).toBe(0);
    expect(await active()).toEqual([]);
  });

  test('can not be canceled once it is being applied', async () => {
    const jobId = await upload(line('A1'));
    await database.pipeline.query(sql`update roster_uploads set status = 'APPLYING' where id = ${jobId}`);
    expect(await errorKey(cancel(jobId))).toBe('ROSTER_NOT_WAITING');
  });
});

describe('a file that removes more than half of a roster of over a hundred', () => {
  const many = Array.from({ length: 101 }, (_, i) => lineOf(`B${String(i).padStart(3, '0')}`, i));

  async function halve() {
    await apply(...many);
    const job = await apply(...many.slice(0, 50));
    expect(job).toMatchObject({
      status: 'AWAITING_CONFIRMATION',
      statistics: { created: 0, updated: 0, removed: 51, unchanged: 50 },
    });
    return job.jobId;
  }

  test('waits, and is applied when confirmed', async () => {
    const jobId = await halve();
    expect(await active()).toHaveLength(101);
    expect((await post(fileOf(line('A1')))).status).toBe(409);
    expect(await current.client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId } })).toMatchObject({
      status: 'APPLYING',
    });
    expect(await errorKey(current.client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId } }))).toBe(
      'ROSTER_NOT_WAITING',
    );
    await processUpload(database.pipeline, jobId, deps);
    expect(await jobOf(jobId)).toMatchObject({ status: 'DONE', statistics: { removed: 51, unchanged: 50 } });
    expect(await active()).toHaveLength(50);
  });

  test('changes nothing when canceled, and keeps no rows', async () => {
    const jobId = await halve();
    expect(await cancel(jobId)).toMatchObject({
      status: 'CANCELLED',
      statistics: { created: 0, updated: 0, removed: 51, unchanged: 50 },
    });
    await processUpload(database.pipeline, jobId, deps);
    expect(await active()).toHaveLength(101);
    const { rows } = await database.owner.query(sql`select from roster_upload_rows where upload_id = ${jobId}`);
    expect(rows).toHaveLength(0);
    expect((await post(fileOf(line('A1')))).status).toBe(202);
  });

  test('is not applied if the uploader has lost the permission in the meantime', async () => {
    const jobId = await halve();
    await current.client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId } });
    await database.owner.query(sql`update grants set removed = '{canUploadRoster}' where user_id = ${current.userId}`);
    await processUpload(database.pipeline, jobId, deps);
    await database.owner.query(sql`update grants set removed = '{}' where user_id = ${current.userId}`);
    expect((await jobOf(jobId)).status).toBe('FAILED');
    expect(await active()).toHaveLength(101);
  });
});
