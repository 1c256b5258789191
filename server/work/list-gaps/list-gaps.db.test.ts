/** Which teams learn that a facility isn't heard from. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { refusedWith } from '#server/testing/feed-office.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { listen } from '#server/testing/live.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const app = await startApp();
const { make, database, clock } = app;
const { pipeline: db } = database;
const hosp = hospital(database, clock.now, make);

const gaps = async (client: Client) =>
  (await client.call('GET /api/list-gaps', {})).map(({ facilityName, why }) => `${facilityName} ${why}`);

async function coordinator(groupId?: string, over: object = {}) {
  const team = groupId === undefined ? await make.team() : await make.team({ groupIds: [groupId] });
  const { username } = await make.user({ team, role: 'care coordinator', ...over });
  return { program: team.groupIds[0] ?? '', client: await signIn(app, username) };
}

let count = 0;
/** A hospital with a feed that has sent a team a ping, a team that it sent none, and its own team. */
async function scene() {
  count += 1;
  const name = `Hospital ${count}`;
  const facility = await make.group({ type: 'HOS', name });
  const code = `G-${facility.id}`;
  const feedId = await hosp.feed(facility.organizationId, { [code]: facility.id });
  const person = newPerson();
  const [heard, other] = [await coordinator(), await coordinator()];
  const ownTeam = await make.team({ organizationId: facility.organizationId, groupIds: [facility.id] });
  const own = await signIn(app, (await make.user({ team: ownTeam, role: 'care coordinator' })).username);
  await hosp.list(heard.program, person);
  await hosp.send(adt('A01', { at: '202611200900', record: 'MR-1', visit: 'V-1', facility: code, person }));
  const set = (column: 'silent_since' | 'paused_at', value: Date | null) =>
    db.query(
      column === 'paused_at'
        ? sql`update feeds set paused_at = ${value} where id = ${feedId}`
        : sql`update feeds set silent_since = ${value} where id = ${feedId}`,
    );
  return { name, facility, feedId, person, heard, other, own, set };
}

test('a team learns of a facility that sent it a ping, or that is its own, and no other team does', async () => {
  const { name, heard, other, own, set } = await scene();
  expect(await gaps(heard.client)).toEqual([]);
  await set('silent_since', clock.now());
  expect(await gaps(heard.client)).toEqual([`${name} SILENT`]);
  expect(await gaps(own)).toEqual([`${name} SILENT`]);
  expect(await gaps(other.client)).toEqual([]);
  await set('silent_since', null);
  expect(await gaps(heard.client)).toEqual([]);
});

test('a paused feed leaves a gap; a removed, historical, unapproved feed and one of documents do not', async () => {
  const { name, feedId, heard, set } = await scene();
  await set('paused_at', clock.now());
  expect(await gaps(heard.client)).toEqual([`${name} PAUSED`]);
  for (const change of [sql`is_backfill = true`, sql`approved_at = null`, sql`ended_at = now()`, sql`kind = 'CCDA'`]) {
    await db.query(sql`update feeds set ${change} where id = ${feedId}`);
    expect(await gaps(heard.client)).toEqual([]);
    await db.query(sql`
      update feeds set is_backfill = false, approved_at = created_at, ended_at = null, kind = 'MLLP' where id = ${feedId}`);
  }
  expect(await gaps(heard.client)).toEqual([`${name} PAUSED`]);
});

test('a facility that last sent the team something a hundred days ago does not matter to it', async () => {
  const { feedId, heard, set } = await scene();
  await set('silent_since', clock.now());
  await db.query(sql`
    update pings p set event_at = ${clock.now()}::timestamptz - interval '100 days' where group_id = ${heard.program}`);
  expect(await gaps(heard.client)).toEqual([]);
  expect(feedId).toBeTruthy();
});

test('a Part 2 facility is named only to those to whom a patient consents, and to its own team', async () => {
  const { name, facility, heard, own, set } = await scene();
  await db.query(sql`update groups set is_part2_facility = true where id = ${facility.id}`);
  await set('silent_since', clock.now());
  expect(await gaps(heard.client)).toEqual([]);
  expect(await gaps(own)).toEqual([`${name} SILENT`]);
  const consent = (endedAt: Date | null) =>
    db.query(sql`
      with person as (select distinct person_id as id from encounters where group_id = ${facility.id})
      insert into consents (person_id, facility_group_id, recipient_group_id, given_at, ended_at)
      select id, ${facility.id}, ${heard.program}, ${clock.now()}, ${endedAt}::timestamptz from person`);
  await consent(clock.now());
  expect(await gaps(heard.client)).toEqual([]);
  await consent(null);
  expect(await gaps(heard.client)).toEqual([`${name} SILENT`]);
});

test('open pages learn that feeds changed, without which; who sees no list learns nothing', async () => {
  const { heard, other, set } = await scene();
  const team = await make.team();
  const blind = await listen(
    await signIn(
      app,
      (await make.user({ team, role: 'viewer', removed: ['canViewPings', 'canViewPatients'] })).username,
    ),
  );
  const [mine, theirs] = [await listen(heard.client), await listen(other.client)];
  await Promise.all([mine.next('counts'), theirs.next('counts')]);
  await set('silent_since', clock.now());
  expect(await mine.next('feeds')).toEqual({ at: expect.any(String) });
  expect(await theirs.next('feeds')).toEqual({ at: expect.any(String) });
  expect(blind.heard()).not.toContain('feeds');
});

test('gaps are for those who see one of the lists', async () => {
  const team = await make.team();
  const removed = ['canViewPings', 'canViewPatients', 'canViewEventFeed'] as const;
  const { username } = await make.user({ team, role: 'care coordinator', removed: [...removed] });
  const client = await signIn(app, username);
  expect(await refusedWith(client.call('GET /api/list-gaps', {}))).toEqual([403, 'NOT_PERMITTED']);
});
