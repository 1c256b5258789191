import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { DIGESTS_KEPT_DAYS, forgetDigests } from './forget-digests.ts';
import { ensurePartitions } from './partitions.ts';

const database = await testDatabase();
const { pipeline: db } = database;
const now = new Date('2026-11-20T15:00:00Z');
const make = factories(db, () => now);
const hosp = hospital(database, () => now, make);
await ensurePartitions(db, now);
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);

test('digests are kept for thirteen months; a message resent after that changes no event and sends no ping', async () => {
  const [facility, program] = [await make.group({ type: 'HOS' }), await make.group()];
  const code = `F-${facility.id}`;
  await hosp.feed(facility.organizationId, { [code]: facility.id });
  const person = newPerson();
  await hosp.list(program.id, person);
  const stay = { record: 'MR-1', visit: 'V-1', facility: code, person, admitted: '202611200900' };
  const admission = adt('A01', { ...stay, at: '202611200900' });
  const move = adt('A02', { ...stay, at: '202611200930', unit: '4W' });
  const discharge = adt('A03', { ...stay, at: '202611200945', unit: '4W', discharged: '202611200945' });
  await hosp.send(admission, move, discharge);
  const events = () => db.query(sql`select id, code, state, event_at, detail from events order by id`);
  const pings = () => db.query(sql`select id, state, is_current, management_status from pings order by id`);
  const before = [(await events()).rows, (await pings()).rows];
  expect(before.map(({ length }) => length)).toEqual([3, 3]);

  await forgetDigests(db, days(DIGESTS_KEPT_DAYS));
  await hosp.send(admission);
  const statuses = () => db.query<{ status: string }>(sql`select status from messages order by id desc limit 1`);
  expect((await statuses()).rows).toEqual([{ status: 'DUPLICATE' }]);

  await forgetDigests(db, days(DIGESTS_KEPT_DAYS + 1));
  await hosp.send(admission, move, discharge);
  expect((await statuses()).rows).toEqual([{ status: 'APPLIED' }]);
  expect([(await events()).rows, (await pings()).rows]).toEqual(before);
});
