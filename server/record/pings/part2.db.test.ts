import { expect, test } from 'vitest';
import { endListings } from '#server/record/listings/end-listings.ts';
import { sendOpenVisits } from '#server/record/pings/notify.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, now, region } = await pipelineScene();

test('a Part 2 facility sends pings only to groups that the person consents to', async () => {
  const { facility, program, person, message } = await region({ isPart2: true });
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.pings(program)).toEqual([]);
  await database.pipeline.query(
    `insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
     select person_id, $1, $2, $3 from roster_patients where group_id = $2`,
    [facility, program, now],
  );
  await hosp.send(message('A03', '202611200930', { discharged: '202611200930', person }));
  expect(await hosp.pings(program)).toEqual(['DISCHARGE ACTIVE current']);
});

test('a ping of a Part 2 facility is not reopened for a person who returns to a roster after the consent ended', async () => {
  const { facility, program, message } = await region({ isPart2: true });
  await database.pipeline.query(
    `insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
     select person_id, $1, $2, $3 from roster_patients where group_id = $2`,
    [facility, program, now],
  );
  await hosp.send(message('A01', '202611200900'));
  const leaveAndReturn = async () => {
    await database.pipeline.query('update roster_patients set leaves_at = $2 where group_id = $1', [program, now]);
    await database.pipeline.transaction((tx) => endListings(tx, now));
    const { rows } = await database.pipeline.query<{ id: string }>(
      'update roster_patients set left_at = null, leaves_at = null where group_id = $1 returning id',
      [program],
    );
    await database.pipeline.transaction((tx) =>
      sendOpenVisits(
        tx,
        rows.map(({ id }) => id),
        now,
      ),
    );
    const pings = await database.pipeline.query<{ status: string }>(
      'select management_status as status from pings where group_id = $1',
      [program],
    );
    return pings.rows.map(({ status }) => status);
  };
  expect(await leaveAndReturn()).toEqual(['NEW']);
  await database.pipeline.query('update consents set ended_at = $2 where facility_group_id = $1', [facility, now]);
  expect(await leaveAndReturn()).toEqual(['RESOLVED']);
});
