/** Many patients whose demographics are alike: the work for each must not grow with their number. */
import { expect, test } from 'vitest';
import { describeMessage } from '#server/intake/mllp/describe-message.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, now, region } = await pipelineScene();

const NEWBORN = { family: 'Newborn', given: 'Boy', birthDate: '2026-01-01', sex: 'M' as const, zip: '49983' };

/** Counts the rows that are written to a table from now on. */
async function countWrites(table: string): Promise<() => Promise<number>> {
  await database.owner.query(`
    create table written_${table} (n int);
    grant insert on written_${table} to tidings_pipeline;
    create function count_${table}() returns trigger language plpgsql as
      $$ begin insert into tidings.written_${table} values (1); return null; end $$;
    create trigger counted after insert or update on ${table} for each row execute function count_${table}()`);
  return async () => {
    const { rows } = await database.owner.query<{ n: number }>(`select count(*)::int as n from written_${table}`);
    return rows[0]?.n ?? 0;
  };
}

test('three hundred unnamed newborns of one day each cost as much as the first, and each is a patient of its own', async () => {
  const { facility, message } = await region({ isListed: false });
  const reviewsWritten = await countWrites('match_reviews');
  const linksWritten = await countWrites('person_links');
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
