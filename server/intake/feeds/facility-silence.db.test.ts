/** Facilities that stop while the others of their feed send. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { feedOffice } from '#server/testing/feed-office.ts';
import { adt } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { forgetFeedHours, watchSilence } from './watch-silence.ts';

const { hosp, home, app } = await feedOffice();
const { make, database, clock } = app;
const db = database.pipeline;
const HOUR = 3_600_000;

let count = 0;
/** A health system with a main hospital and a branch, and a program that knows a patient of each. */
async function system() {
  count += 1;
  const codes = { main: `MAIN${count}`, branch: `BRANCH${count}` };
  const branch = await make.group({ type: 'HOS', name: `Branch ${count}`, organizationId: home.organizationId });
  const feedId = await hosp.feed(
    home.organizationId,
    { [codes.main]: home.facility, [codes.branch]: branch.id },
    { name: `System ${count}`, sendingFacility: codes.main },
  );
  const team = await make.team();
  const program = team.groupIds[0] ?? '';
  const coordinator = await signIn(app, (await make.user({ team, role: 'care coordinator' })).username);
  const send = async (placedAt: string, record: string) => {
    const person = newPerson();
    await hosp.list(program, person);
    await hosp.send(adt('A01', { at: '202611200900', record, visit: record, facility: codes.main, placedAt, person }));
  };
  const gaps = async () =>
    (await coordinator.call('GET /api/list-gaps', {})).map(({ facilityName, why, since }) => [
      facilityName,
      why,
      since,
    ]);
  const health = async () => (await home.admin.call('GET /api/feeds', {})).find((feed) => feed.id === feedId)?.health;
  return { ...codes, branchName: branch.name, branchId: branch.id, feedId, send, gaps, health };
}

/** Gives the feed and one of its facilities a past of so many messages an hour, until hours ago. */
async function past(feedId: string, groupId: string, { perHour = 10, hoursAgo = 4 } = {}): Promise<string> {
  const last = new Date(clock.now().getTime() - hoursAgo * HOUR);
  const hours = sql`generate_series(${last}::timestamptz - interval '10 weeks', ${last}::timestamptz, interval '1 hour') h`;
  await db.query(sql`
    insert into facility_hours (feed_id, group_id, hour, received, last_at)
    select ${feedId}, ${groupId}, date_trunc('hour', h, 'UTC'), ${perHour}, h from ${hours}`);
  return last.toISOString();
}

test('messages are counted for the facility that they are about, once each, and only where a feed has several', async () => {
  const { feedId, send, main, branch } = await system();
  await send(branch, 'B-1');
  await send(main, 'M-1');
  await send(main, 'M-2');
  const counts = async (id: string) =>
    (
      await db.query<{ received: number }>(
        sql`select received from facility_hours where feed_id = ${id} order by received`,
      )
    ).rows;
  expect(await counts(feedId)).toEqual([{ received: 1 }, { received: 2 }]);
  const single = await hosp.feed(
    home.organizationId,
    { SINGLE: home.facility },
    { name: 'Single', sendingFacility: 'SINGLE' },
  );
  await hosp.send(
    adt('A01', { at: '202611200900', record: 'S-1', visit: 'S-1', facility: 'SINGLE', person: newPerson() }),
  );
  expect(await counts(single)).toEqual([]);
});

test('a branch that stops is silent for its administrators and for the lists that know it, until it is heard from', async () => {
  const { feedId, branchId, branchName, branch, main, send, gaps, health } = await system();
  await send(branch, 'B-1');
  await send(main, 'M-1');
  await db.query(sql`delete from facility_hours where feed_id = ${feedId} and group_id = ${branchId}`);
  const since = await past(feedId, branchId);
  await watchSilence(db, clock.now());
  expect(await health()).toMatchObject({ silentSince: null, silentFacilities: [{ facilityName: branchName, since }] });
  expect(await gaps()).toEqual([[branchName, 'SILENT', since]]);
  await send(branch, 'B-2');
  await watchSilence(db, clock.now());
  expect([(await health())?.silentFacilities, await gaps()]).toEqual([[], []]);
});

test('a branch that two feeds send for is named once', async () => {
  const { feedId, branchId, branchName, branch, send, gaps } = await system();
  await send(branch, 'B-1');
  await db.query(sql`delete from facility_hours where feed_id = ${feedId} and group_id = ${branchId}`);
  await past(feedId, branchId);
  await watchSilence(db, clock.now());
  const other = await hosp.feed(
    home.organizationId,
    { [`${branch}-2`]: branchId },
    { name: 'Other', sendingFacility: `${branch}-2` },
  );
  await db.query(sql`update feeds set paused_at = ${clock.now()} where id = ${other}`);
  expect((await gaps()).map(([name, why]) => [name, why])).toEqual([[branchName, 'SILENT']]);
  await watchSilence(db, clock.now());
});

test('a facility whose messages still come by another feed is partly silent on lists', async () => {
  const { feedId, branchId, branchName, branch, send, gaps } = await system();
  await send(branch, 'B-1');
  await db.query(sql`delete from facility_hours where feed_id = ${feedId} and group_id = ${branchId}`);
  const since = await past(feedId, branchId);
  await watchSilence(db, clock.now());
  const code = `${branch}-3`;
  await hosp.feed(home.organizationId, { [code]: branchId }, { name: code, sendingFacility: code });
  expect(await gaps()).toEqual([[branchName, 'SILENT', since]]);
  await hosp.send(adt('A04', { at: '202611200900', record: 'D-1', visit: 'D-1', facility: code, person: newPerson() }));
  expect(await gaps()).toEqual([[branchName, 'PARTLY_SILENT', since]]);
  await watchSilence(db, clock.now());
  expect(await gaps()).toEqual([[branchName, 'PARTLY_SILENT', since]]);
});

test('a feed that is silent as a whole leaves a facility partly silent if a feed for several still sends about it', async () => {
  const { feedId, branchId, branchName, branch, main, send, gaps } = await system();
  await send(branch, 'B-1');
  const code = `${branch}-4`;
  const desk = await hosp.feed(home.organizationId, { [code]: branchId }, { name: code, sendingFacility: code });
  const since = new Date(clock.now().getTime() - HOUR);
  await db.query(sql`update feeds set silent_since = ${since} where id = ${desk}`);
  expect(await gaps()).toEqual([[branchName, 'PARTLY_SILENT', since.toISOString()]]);
  await db.query(sql`delete from facility_hours where feed_id = ${feedId} and group_id = ${branchId}`);
  await send(main, 'M-1');
  expect(await gaps()).toEqual([[branchName, 'SILENT', since.toISOString()]]);
  await db.query(sql`update feeds set silent_since = null where id = ${desk}`);
});

test('a branch with few messages is quiet for days before it is silent', async () => {
  const { feedId, branchId, health } = await system();
  const perDay = sql`insert into facility_hours (feed_id, group_id, hour, received, last_at)
    select ${feedId}, ${branchId}, date_trunc('hour', h, 'UTC'), 1, h
    from generate_series(${new Date(clock.now().getTime() - 30 * HOUR)}::timestamptz - interval '10 weeks',
      ${new Date(clock.now().getTime() - 30 * HOUR)}::timestamptz, interval '1 day') h`;
  await db.query(perDay);
  const silent = async (daysOn: number) => {
    await watchSilence(db, new Date(clock.now().getTime() + daysOn * 24 * HOUR));
    return (await health())?.silentFacilities.length;
  };
  expect([await silent(0), await silent(3), await silent(5)]).toEqual([0, 0, 1]);
  await watchSilence(db, clock.now());
});

test('a feed that is silent as a whole, or whose messages wait, names no branch, and a noted one stays while they wait', async () => {
  const { feedId, branchId, branchName, main, health } = await system();
  const since = await past(feedId, branchId);
  await db.query(sql`update feeds set silent_since = ${clock.now()} where id = ${feedId}`);
  await db.query(
    sql`insert into feed_counts (feed_id, day, received, last_at) values (${feedId}, current_date, 1, ${clock.now()})`,
  );
  await watchSilence(db, clock.now());
  expect((await health())?.silentFacilities).toEqual([{ facilityName: branchName, since }]);
  await hosp.receive(
    adt('A01', { at: '202611200900', record: 'W-1', visit: 'W-1', facility: main, person: newPerson() }),
  );
  await db.query(sql`delete from facility_hours where feed_id = ${feedId}`);
  await watchSilence(db, clock.now());
  expect((await health())?.silentFacilities).toEqual([{ facilityName: branchName, since }]);
  await hosp.queue.drain();
  await watchSilence(db, clock.now());
  expect((await health())?.silentFacilities).toEqual([]);
});

test('hours that nothing compares any more are deleted', async () => {
  const { feedId, branchId } = await system();
  await past(feedId, branchId, { hoursAgo: 24 * 30 });
  await db.query(sql`update facility_hours set hour = hour - interval '4 weeks' where feed_id = ${feedId} and hour < (
    select max(hour) - interval '9 weeks' from facility_hours where feed_id = ${feedId})`);
  await forgetFeedHours(db, clock.now());
  const { rows } = await db.query<{ weeks: number }>(sql`
    select extract(days from max(hour) - min(hour)) / 7 as weeks from facility_hours where feed_id = ${feedId}`);
  expect(Number(rows[0]?.weeks)).toBeLessThanOrEqual(13);
});
