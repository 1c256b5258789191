/** What the system resolves by itself, and opens again (docs/domain.md). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeHangingVisits } from '#server/record/encounters/close-hanging.ts';
import { pipelineScene, type Region } from '#server/testing/pipeline-scene.ts';

const { database, hosp, make, now, region } = await pipelineScene();

/** Returns the status of each ping of a group, oldest event first, such as 'DISCHARGE RESOLVED: The patient died.' */
async function statuses(groupId: string): Promise<string[]> {
  const { rows } = await database.pipeline.query<{ status: string }>(
    `select concat(e.code, ' ', case when p.state = 'CANCELLED' then 'retracted ' end, p.management_status, ': ' || s.other_text) as status
     from pings p join events e on e.id = p.event_id left join management_statuses s on s.id = p.status_id and s.user_id is null
     where p.group_id = $1 order by p.event_at, e.code, e.state`,
    [groupId],
  );
  return rows.map(({ status }) => status);
}

/** A person sets the status of a ping, `minutes` after now. */
async function set(
  groupId: string,
  code: string,
  status: 'NEW' | 'IN_PROGRESS' | 'DISMISSED',
  minutes: number,
): Promise<void> {
  await database.pipeline.query(
    `with changed as (
       insert into management_statuses (event_id, group_ids, ping_ids, status, resolutions, user_id, username, changed_at)
       select event_id, array[group_id], array[id], $3, '{}', $5, 'someone', $4 from pings p
       where group_id = $1 and event_id in (select id from events where code = $2)
       returning id, ping_ids)
     update pings p set management_status = $3, status_id = changed.id, status_at = $4 from changed where p.id = any (changed.ping_ids)`,
    [groupId, code, status, new Date(now.getTime() + minutes * 60_000), (await make.user()).id],
  );
}

const DIED = 'RESOLVED: The patient died.';
const CLOSED = 'RESOLVED: The visit was closed without a discharge.';

test('a death resolves the other pings, not its own and not a correction', async () => {
  const { program, message } = await region();
  const first = { visit: 'V-1', admitted: '202611010900' };
  await hosp.send(
    message('A01', '202611010900', first),
    message('A03', '202611050900', { ...first, disposition: '01', discharged: '202611050900' }),
    message('A01', '202611180900', { visit: 'V-2', admitted: '202611180900' }),
    message('A02', '202611181200', { visit: 'V-2', admitted: '202611180900', unit: '4E' }),
    message('A12', '202611181200', { visit: 'V-2', admitted: '202611180900', sentAt: '202611181230' }),
  );
  await set(program, 'DISCHARGE', 'IN_PROGRESS', -60);
  await hosp.send(message('A03', '202611190900', { visit: 'V-2', disposition: '20', discharged: '202611190900' }));
  expect(await statuses(program)).toEqual([
    `ADMIT ${DIED}`,
    `DISCHARGE ${DIED}`,
    `ADMIT ${DIED}`,
    'TRANSFER retracted NEW',
    'DECEASED NEW',
  ]);
});

test('a death that was a mistake opens them again, and what a person opened stays open', async () => {
  const { program, message } = await region();
  await hosp.send(
    message('A01', '202611190900', { admitted: '202611190900' }),
    message('A03', '202611200900', { disposition: '20', discharged: '202611200900' }),
  );
  expect(await statuses(program)).toEqual([`ADMIT ${DIED}`, 'DECEASED NEW']);
  await hosp.send(message('A13', '202611200900', { sentAt: '202611200910' }));
  expect(await statuses(program)).toEqual(['ADMIT NEW', 'DECEASED retracted NEW']);

  await hosp.send(
    message('A03', '202611200930', { disposition: '20', discharged: '202611200930', sentAt: '202611200930' }),
  );
  expect((await statuses(program))[0]).toBe(`ADMIT ${DIED}`);
  await set(program, 'ADMIT', 'IN_PROGRESS', 5);
  await hosp.send(message('A08', '202611200945', { disposition: '20', discharged: '202611200931' }));
  expect((await statuses(program))[0]).toBe('ADMIT IN_PROGRESS');
});

test('a facility that reports the death of its resident has no open pings left of the hospital', async () => {
  const snf = await region({ type: 'SNF', facilityType: 'SNF' });
  const hospital = await region({ isListed: false });
  const { person } = snf;
  await hosp.send(
    snf.message('A01', '202611100900', { admitted: '202611100900' }),
    hospital.message('A04', '202611180900', { person, patientClass: 'E', admitted: '202611180900' }),
  );
  expect(await statuses(snf.facility)).toEqual(['PRESENTED NEW']);
  await hosp.send(
    snf.message('A03', '202611190900', { admitted: '202611100900', disposition: '20', discharged: '202611190900' }),
  );
  expect(await statuses(snf.facility)).toEqual([`PRESENTED ${DIED}`]);
});

test('a ping that a person closed is open again if its event is retracted', async () => {
  const { program, message } = await region();
  await hosp.send(message('A01', '202611190900', { admitted: '202611190900' }));
  await set(program, 'ADMIT', 'DISMISSED', -5);
  await hosp.send(message('A11', '202611190900', { admitted: '202611190900', sentAt: '202611200930' }));
  expect(await statuses(program)).toEqual(['ADMIT retracted NEW: The sender retracted the event.']);
});

test('an arrival after the death stays open', async () => {
  const { program, message } = await region();
  await hosp.send(
    message('A03', '202611180900', { admitted: '202611170900', disposition: '20', discharged: '202611180900' }),
    message('A04', '202611190900', { visit: 'V-2', patientClass: 'E', admitted: '202611190900' }),
  );
  expect((await statuses(program)).at(-1)).toBe('PRESENTED NEW');
});

test('a close resolves the pings of the visit, and a discharge that comes later opens them again', async () => {
  const { program, message } = await region();
  const visit = { patientClass: 'E', admitted: '202611180900' };
  await hosp.send(message('A04', '202611180900', visit));
  await closeHangingVisits(database.pipeline, hosp.store, now);
  await hosp.queue.drain();
  expect(await statuses(program)).toEqual([`PRESENTED ${CLOSED}`, `CLOSED ${CLOSED}`]);
  await hosp.send(
    message('A03', '202611190900', { ...visit, disposition: '01', discharged: '202611190900', sentAt: '202611200930' }),
  );
  expect((await statuses(program)).filter((status) => !status.includes('retracted'))).toEqual([
    'PRESENTED NEW',
    'DISCHARGE NEW',
  ]);
});

test('a group that no longer lists the person keeps what was resolved', async () => {
  const { program, message } = await region();
  await hosp.send(
    message('A01', '202611190900', { admitted: '202611190900' }),
    message('A03', '202611200900', { disposition: '20', discharged: '202611200900' }),
  );
  await database.pipeline.query('update roster_patients set left_at = $2 where group_id = $1', [program, now]);
  await hosp.send(message('A13', '202611200900', { sentAt: '202611200910' }));
  expect((await statuses(program))[0]).toBe(`ADMIT ${DIED}`);
});

/** A life with a stay, an ED visit, and a death that may be canceled. */
const life = ({ message }: Region, isCanceled: boolean): string[] => {
  const stay = { visit: 'V-1', admitted: '202611010900' };
  const emergency = { visit: 'V-2', patientClass: 'E', admitted: '202611180900' };
  const end = { ...emergency, disposition: '20', discharged: '202611181500' };
  return [
    message('A01', '202611010900', { ...stay, controlId: '1' }),
    message('A02', '202611020900', { ...stay, unit: '4E', controlId: '2' }),
    message('A03', '202611050900', { ...stay, disposition: '01', discharged: '202611050900', controlId: '3' }),
    message('A04', '202611180900', { ...emergency, controlId: '4' }),
    message('A03', '202611181500', { ...end, controlId: '5' }),
    message('A04', '202611190900', { visit: 'V-3', patientClass: 'E', admitted: '202611190900', controlId: '6' }),
    ...(isCanceled ? [message('A13', '202611181500', { ...emergency, sentAt: '202611181530', controlId: '7' })] : []),
  ];
};

test.each([true, false])(
  'the statuses are the same in every order of arrival; death canceled: %s',
  async (canceled) => {
    const inOrder = await region();
    await hosp.send(...life(inOrder, canceled));
    // A retracted ping is there only if its event arrived before the cancel, and later than that a message of its visit may be late.
    const valid = async (groupId: string) =>
      (await statuses(groupId)).filter((status) => !status.includes('retracted'));
    const expected = await valid(inOrder.program);
    expect(expected.at(-1)).toBe('PRESENTED NEW');
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(life(inOrder, canceled), { minLength: 6 + Number(canceled) }),
        async (order) => {
          const other = await region();
          const places = order.map((text) => life(inOrder, canceled).indexOf(text));
          const messages = life(other, canceled);
          await hosp.send(...places.map((place) => messages[place] as string));
          expect(await valid(other.program)).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  },
);
