/** Many patients whose demographics are alike: the work for each must not grow with their number. */
import { expect, test } from 'vitest';
import { describeMessage } from '#server/intake/mllp/describe-message.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';
import { loadMatchingContext } from './matching-context.ts';

const { database, hosp, now, region } = await pipelineScene();

const NEWBORN = { family: 'Newborn', given: 'Boy', birthDate: '2026-01-01', sex: 'M' as const, zip: '49983' };

/** Counts the rows that are written to a table from now on, or the statements that write any. */
async function countWrites(table: string, each: 'row' | 'statement'): Promise<() => Promise<number>> {
  await database.owner.query(`
    drop table if exists written_${table} cascade;
    drop trigger if exists counted on ${table};
    create table written_${table} (n int);
    grant insert on written_${table} to tidings_pipeline;
    create or replace function count_${table}() returns trigger language plpgsql as
      $$ begin insert into tidings.written_${table} values (1); return null; end $$;
    create trigger counted after insert or update on ${table} for each ${each} execute function count_${table}()`);
  return async () => {
    const { rows } = await database.owner.query<{ n: number }>(`select count(*)::int as n from written_${table}`);
    return rows[0]?.n ?? 0;
  };
}

test('three hundred unnamed newborns of one day each cost as much as the first, and each is a patient of its own', async () => {
  const { facility, message } = await region({ isListed: false });
  const reviewsWritten = await countWrites('match_reviews', 'row');
  const linksWritten = await countWrites('person_links', 'row');
  const costs: number[] = [];
  for (let first = 0; first < 300; first += 50) {
    const before = (await reviewsWritten()) + (await linksWritten());
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const [record, visit] = [`N-${first + n}`, `V-${first + n}`];
        const text = message('A04', '202611200900', { record, visit, person: NEWBORN });
        return hosp.store.receive(describeMessage(Buffer.from(text), now, 'test'));
      }),
    );
    await hosp.queue.drain();
    costs.push((await reviewsWritten()) + (await linksWritten()) - before);
  }
  // A link and a review each, and little else.
  for (const cost of costs) expect(cost).toBeLessThanOrEqual(50 * 3);
  const { rows } = await database.pipeline.query<{ persons: number; reviews: number; messages: number }>(
    `select (select count(distinct person_id)::int from source_patients where group_id = $1) as persons,
       (select count(*)::int from match_reviews where group_id = $1 and decided_at is null) as reviews,
       (select count(*)::int from messages where status = 'APPLIED') as messages`,
    [facility],
  );
  expect(rows).toEqual([{ persons: 300, reviews: 299, messages: 300 }]);
});

test('a facility that registers somebody under many record numbers does not hide what other facilities know', async () => {
  const [flood, home] = [await region({ isListed: false }), await region({ isListed: false })];
  const { person } = home;
  await Promise.all(
    Array.from({ length: 120 }, (_, n) => {
      const text = flood.message('A04', '202611200900', { record: `F-${n}`, visit: `F-${n}`, person });
      return hosp.store.receive(describeMessage(Buffer.from(text), now, 'test'));
    }),
  );
  await hosp.queue.drain();
  const { rows } = await database.pipeline.query<{ id: string }>(
    'select id from source_patients where group_id = $1 order by id desc limit 1',
    [flood.facility],
  );
  const newest = rows.map(({ id }) => ({ kind: 'SOURCE_PATIENT' as const, id }));
  const { candidates } = await database.pipeline.transaction((tx) => loadMatchingContext(tx, newest));
  expect(candidates.subjects().length).toBeLessThanOrEqual(101);
  await hosp.send(home.message('A01', '202611200900'));
  const married = { ...person, family: 'Quillfeather', zip: '99123' };
  await hosp.send(home.message('A08', '202611200930', { person: married }));
  await hosp.list(home.program, married);
  expect(await hosp.pings(home.program)).toContain('ADMIT ACTIVE current');
});

test('a ring of merges costs each message as much as the first, and ends as one patient', async () => {
  const { facility, message } = await region({ isListed: false });
  const receive = (text: string) => hosp.store.receive(describeMessage(Buffer.from(text), now, 'test'));
  const size = 60;
  for (let n = 0; n < size; n++) await receive(message('A01', '202611200900', { record: `C${n}`, visit: `C${n}` }));
  await hosp.queue.drain();
  const linksWritten = await countWrites('person_links', 'statement');
  const costs: number[] = [];
  for (let n = 0; n < size; n++) {
    const before = await linksWritten();
    const numbers = { record: `C${(n + 1) % size}`, priorRecord: `C${n}` };
    await hosp.send(message('A40', '202611201000', { ...numbers, noVisit: true }));
    costs.push((await linksWritten()) - before);
  }
  // The last one closes the ring, so a number that was merged before is free again.
  expect(Math.max(...costs)).toBeLessThanOrEqual(4);
  const { rows } = await database.pipeline.query<{ persons: number; owners: number; visits: number }>(
    `select (select count(distinct person_id)::int from source_patients where group_id = $1) as persons,
       (select count(distinct source_patient_id)::int from encounters where group_id = $1) as owners,
       (select count(*)::int from encounters where group_id = $1) as visits`,
    [facility],
  );
  expect(rows).toEqual([{ persons: 1, owners: 1, visits: size }]);
});
