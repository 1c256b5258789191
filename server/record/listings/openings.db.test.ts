import { expect, test } from 'vitest';
import { asGroups } from '#server/people/access/door.ts';
import { verifyOpenings } from '#server/people/audit/openings.ts';
import { sql } from '#server/platform/database/sql.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, region, now } = await pipelineScene();

/** Returns the openings of a group, oldest first. */
const openings = async (groupId: string) =>
  (
    await database.pipeline.query<{ person: string; how: string; visits: number; opensFrom: string }>(sql`
      select person_id as person, how, foreign_visits as visits, opens_from as "opensFrom" from record_openings
      where group_id = ${groupId} order by id`)
  ).rows;

test('a facility’s listing by feed opens the visits elsewhere of twelve months, recorded once', async () => {
  const { facility, message, person } = await region({ isListed: false });
  await hosp.send(
    message('A03', '202601050900', { visit: 'V-0', admitted: '202601030900', discharged: '202601050900' }),
  );
  await hosp.send(
    message('A03', '202509050900', { visit: 'V-9', admitted: '202509030900', discharged: '202509050900' }),
  );
  const home = await region({ type: 'SNF', facilityType: 'SNF', isListed: false });
  await hosp.send(home.message('A01', '202611200900', { person, record: 'N-1' }));
  await hosp.send(home.message('A08', '202611200930', { person, record: 'N-1' }));
  const [opened, ...more] = await openings(home.facility);
  expect(opened).toMatchObject({ how: 'FEED', visits: 1 });
  expect(new Date(opened?.opensFrom ?? '')).toEqual(new Date(now.getTime() - 365 * 86_400_000));
  expect(more).toEqual([]);

  /** Returns the groups whose openings of the person these groups may read. */
  const readable = (groupId: string) =>
    asGroups(database.app, { groupIds: [groupId], teamId: '0' }, async (tx) => {
      const { rows } = await tx.query<{ groupId: string }>(
        sql`select group_id as "groupId" from record_openings where person_id = ${opened?.person ?? ''}`,
      );
      return rows.map((row) => row.groupId);
    });
  expect([await readable(home.facility), await readable(facility)]).toEqual([[home.facility], []]);
});

test('visits of the same organization, and of a Part 2 facility without a consent, are no openings', async () => {
  const { program, message } = await region({ isPart2: true });
  await hosp.send(message('A01', '202611200900'));
  const own = await region({ isListed: false });
  const { rows } = await database.pipeline.query<{ id: string }>(sql`
    insert into groups (organization_id, name, type, facility_type, time_zone, created_at)
    select organization_id, 'Annex', 'SNF', 'SNF', time_zone, ${now} from groups where id = ${own.facility} returning id`);
  await hosp.send(own.message('A01', '202611200900'));
  const annex = rows[0]?.id ?? '';
  await hosp.enter(annex, {
    code: 'ADMIT',
    record: 'N-9',
    visit: 'NV-9',
    person: own.person,
    at: '2026-11-20T14:30:00Z',
  });
  expect([await openings(program), await openings(annex)]).toEqual([[], []]);
  expect(await hosp.pings(annex)).toHaveLength(1);
});

test('openings that are changed, removed or slipped in do not fit their audit entries', async () => {
  const { message, person } = await region({ isListed: false });
  await hosp.send(message('A01', '202611200900'));
  const home = await region({ type: 'SNF', facilityType: 'SNF', isListed: false });
  await hosp.send(home.message('A01', '202611200930', { person, record: 'N-7' }));
  const verified = () => verifyOpenings(database.pipeline);
  expect(await verified()).toEqual([]);

  const { owner } = database;
  const copied =
    'select at, person_id, group_id, roster_patient_id, how, opens_from, foreign_visits from record_openings';
  const columns = '(at, person_id, group_id, roster_patient_id, how, opens_from, foreign_visits)';
  await owner.query(`insert into record_openings ${columns} ${copied} where group_id = ${home.facility}`);
  expect(await verified()).toEqual(['1 openings of visits are in no audit entry.']);
  await owner.query(
    `delete from record_openings where id = (select max(id) from record_openings where group_id = ${home.facility})`,
  );
  await owner.query(`update record_openings set foreign_visits = 0 where group_id = ${home.facility}`);
  expect(await verified()).toEqual([expect.stringMatching(/^The openings of visits in entry \d+ .* changed\.$/)]);
  await owner.query(`delete from record_openings where group_id = ${home.facility}`);
  expect(await verified()).toEqual([expect.stringContaining('there were 1, now 0')]);
});
