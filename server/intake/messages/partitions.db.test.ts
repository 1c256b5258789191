import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { dropOldPartitions, ensurePartitions } from './partitions.ts';

const { pipeline } = await testDatabase();
const now = new Date('2024-11-21T12:00:00Z');

test('months of messages are dropped after 90 days, unless they hold a quarantined message; one that still waits is kept', async () => {
  await ensurePartitions(pipeline, now, new Date('2024-05-10T00:00:00Z'));
  const store = (id: string, status: string, at: string) =>
    pipeline.query(
      `insert into messages (source, raw, received_at, sending_application, sending_facility, control_id, message_type, digest, lane, status)
       values ('MLLP', '', $1, '', '', $2::text, '', sha256(convert_to($2::text, 'UTF8')), 1, $3)`,
      [at, id, status],
    );
  await store('applied-may', 'APPLIED', '2024-05-20T00:00:00Z');
  await store('waiting-may', 'PENDING', '2024-05-20T00:00:00Z');
  await store('quarantined-june', 'QUARANTINED', '2024-06-20T00:00:00Z');
  await store('applied-july', 'APPLIED', '2024-07-31T23:00:00Z');
  await store('applied-august', 'APPLIED', '2024-08-01T01:00:00Z');
  expect(await dropOldPartitions(pipeline, now)).toEqual(['messages_2024_05', 'messages_2024_07']);
  const { rows } = await pipeline.query<{ id: string }>('select control_id as id from messages order by received_at');
  expect(rows.map(({ id }) => id)).toEqual(['waiting-may', 'quarantined-june', 'applied-august']);
  expect(await dropOldPartitions(pipeline, now)).toEqual([]);
});

test('months are dropped whatever plan PostgreSQL chooses', async () => {
  const dropped = await pipeline.transaction(async (tx) => {
    // So that it reads all tables first.
    await tx.query('set local enable_nestloop = off');
    return dropOldPartitions(tx, now);
  });
  expect(dropped).toEqual([]);
});

test('audit entries younger than six years are not dropped, whatever day the pipeline names', async () => {
  await expect(pipeline.query("select drop_partitions('audit_entries', current_date + 1)")).rejects.toThrow(
    'six years',
  );
});
