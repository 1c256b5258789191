import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { startApp } from '#server/testing/app.ts';
import { addFeed } from '#server/testing/feeds.ts';
import { forgetUsual } from './write-feed-health.ts';

const { make, database, clock } = await startApp();
const db = database.pipeline;

test('a feed that the demo keeps sending for is not compared with its past, and another one is', async () => {
  const { id: groupId, organizationId } = await make.group({ type: 'HOS' });
  const [lively, silent] = [
    await addFeed(db, clock.now(), organizationId, { LIVELY: groupId }, {}),
    await addFeed(db, clock.now(), organizationId, { SILENT: groupId }, {}),
  ];
  await db.query(sql`update feeds set sending_application = 'LIVELY' where id = ${lively}`);
  const hours = sql`generate_series(${clock.now()}::timestamptz - interval '9 weeks', ${clock.now()}, interval '1 day') h`;
  await db.query(sql`
    insert into feed_hours (feed_id, hour, received)
    select f, date_trunc('hour', h, 'UTC'), 3 from unnest(${[lively, silent]}::bigint[]) f, ${hours}`);
  await db.query(sql`
    insert into facility_hours (feed_id, group_id, hour, received, last_at)
    select ${lively}, ${groupId}, date_trunc('hour', h, 'UTC'), 3, h from ${hours}`);
  await forgetUsual(db, ['LIVELY'], clock.now());
  const { rows } = await db.query(sql`
    select (select count(*)::int from feed_hours where feed_id = ${lively}) as lively,
      (select count(*)::int from facility_hours) as facility, (select count(*)::int from feed_hours where feed_id = ${silent}) as silent`);
  expect(rows).toEqual([{ lively: 14, facility: 14, silent: 64 }]);
});
