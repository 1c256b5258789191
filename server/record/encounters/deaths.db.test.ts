import { expect, test } from 'vitest';
import { ARRIVAL_ORDERS, pipelineScene, type Region } from '#server/testing/pipeline-scene.ts';

const { database, hosp, region } = await pipelineScene();

test('a death reported for each past visit is sent once, for the visit in which the patient died, in any order of arrival', async () => {
  const ofRegion = ({ message }: Region) => {
    const past = { visit: 'V-0', admitted: '202611100900' };
    const older = { visit: 'V-00', admitted: '202611010900' };
    const dead = { deceased: true };
    return [
      message('A01', '202611010900', older),
      message('A03', '202611020900', { ...older, discharged: '202611020900' }),
      message('A01', '202611100900', past),
      message('A03', '202611110900', { ...past, discharged: '202611110900' }),
      message('A01', '202611200900'),
      message('A08', '202611200940', { ...older, ...dead, controlId: '1' }),
      message('A08', '202611200941', { ...past, ...dead, controlId: '2' }),
      message('A03', '202611200942', { ...dead, discharged: '202611200930', disposition: '20', controlId: '3' }),
    ];
  };
  for (const inOrder of ARRIVAL_ORDERS.slice(0, 2)) {
    const where = await region();
    await hosp.send(...inOrder(ofRegion(where)));
    const { rows } = await database.pipeline.query(
      `select en.visit_number as visit, e.event_at as at from pings p join events e on e.id = p.event_id join encounters en on en.id = p.encounter_id
       where p.group_id = $1 and e.code = 'DECEASED' and p.state <> 'CANCELLED'`,
      [where.program],
    );
    expect(rows).toEqual([{ visit: 'V-1', at: '2026-11-20T14:30:00.000Z' }]);
  }
});

test('a death reported only by updates of past visits is sent once, for the visit that reported it first', async () => {
  const { program, message } = await region();
  const past = (visit: string, day: string) => ({ visit, admitted: `202611${day}0900` });
  for (const [visit, day] of [
    ['V-1', '05'],
    ['V-2', '10'],
    ['V-3', '15'],
  ] as const) {
    await hosp.send(
      message('A01', `202611${day}0900`, past(visit, day)),
      message('A03', `202611${day}1100`, { ...past(visit, day), discharged: `202611${day}1100` }),
    );
  }
  await hosp.send(
    message('A08', '202611200901', { ...past('V-2', '10'), deceased: true }),
    message('A08', '202611200902', { ...past('V-1', '05'), deceased: true }),
    message('A08', '202611200903', { ...past('V-3', '15'), deceased: true }),
  );
  expect((await hosp.pings(program)).filter((ping) => ping.startsWith('DECEASED'))).toEqual([
    'DECEASED ACTIVE current',
  ]);
});

const isDead = async ({ facility }: Region): Promise<boolean | undefined> =>
  (
    await database.pipeline.query<{ deceased: boolean }>(
      "select deceased from source_patients where group_id = $1 and record_number = 'MR-1'",
      [facility],
    )
  ).rows[0]?.deceased;

test('a death goes with its visit if that is canceled, in any order of arrival', async () => {
  for (const trigger of ['A11', 'A23']) {
    for (const inOrder of ARRIVAL_ORDERS) {
      const where = await region();
      const { message, program } = where;
      await hosp.send(
        ...inOrder([
          message('A01', '202611150900'),
          message('A03', '202611160900', { discharged: '202611160900', disposition: '20', controlId: '1' }),
          message(trigger, '202611161000', { controlId: '2' }),
        ]),
      );
      expect(await isDead(where), trigger).toBe(false);
      expect(await hosp.pings(program)).not.toContain('DECEASED ACTIVE current');
    }
  }
});

test('a canceled death goes with the messages that repeated it, and the patient is discharged alive, in any order of arrival', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const where = await region();
    const { message, program } = where;
    const dead = { deceased: true, discharged: '202611160900', disposition: '20' };
    await hosp.send(
      ...inOrder([
        message('A01', '202611150900'),
        message('A03', '202611160900', { ...dead, controlId: '1' }),
        message('A08', '202611160910', { ...dead, controlId: '2' }),
        message('A13', '202611160920', { deceased: false, controlId: '3' }),
        message('A03', '202611170900', { deceased: false, discharged: '202611170900', disposition: '01' }),
      ]),
    );
    expect(await isDead(where)).toBe(false);
    const active = (await hosp.pings(program)).filter((ping) => !ping.includes('CANCELLED'));
    expect(new Set(active.map((ping) => ping.split(' ')[0]))).toEqual(new Set(['ADMIT', 'DISCHARGE']));
  }
});

test('a date of death alone is a death, unless it lies in the future of its message', async () => {
  const at = await region();
  await hosp.send(at.message('A01', '202611180900', { admitted: '202611180900' }));
  const log = async () =>
    (await database.pipeline.query<{ reason: string }>('select reason from messages order by id desc limit 1')).rows[0]
      ?.reason;
  await hosp.send(at.message('A08', '202611190900', { admitted: '202611180900', diedAt: '20270101' }));
  expect(await isDead(at)).toBe(false);
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current']);
  expect(await log()).toContain('time in the future, not used: PID-29');
  await hosp.send(at.message('A08', '202611191000', { admitted: '202611180900', diedAt: '202611190700' }));
  expect(await isDead(at)).toBe(true);
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE', 'DECEASED ACTIVE current']);
});

test.each(['A28', 'A51', 'A40', 'A11', 'A38'])(
  'a death in an %s is sent, and ends what was to be done, in any order of arrival',
  async (trigger) => {
    const later = { visit: 'V-2', admitted: '202611190900' };
    const before = { A11: 'A01', A38: 'A05' }[trigger];
    for (const inOrder of ARRIVAL_ORDERS) {
      const where = await region();
      const { message, program } = where;
      const about = before ? later : { noVisit: true, ...(trigger === 'A40' && { priorRecord: 'OLD-1' }) };
      await hosp.send(
        ...inOrder([
          message('A01', '202611180900', { admitted: '202611180900' }),
          message('A03', '202611181800', { discharged: '202611181800', disposition: '01', controlId: '1' }),
          ...(before ? [message(before, '202611190900', { ...later, controlId: '2' })] : []),
          message(trigger, '202611191000', { ...about, deceased: true, diedAt: '20261119', controlId: '3' }),
        ]),
      );
      expect(await isDead(where)).toBe(true);
      const { rows } = await database.pipeline.query<{ code: string; status: string }>(
        `select e.code, p.management_status as status from pings p join events e on e.id = p.event_id
       where p.group_id = $1 and p.state <> 'CANCELLED' order by e.code`,
        [program],
      );
      expect(rows).toEqual([
        { code: 'ADMIT', status: 'RESOLVED' },
        { code: 'DECEASED', status: 'NEW' },
        { code: 'DISCHARGE', status: 'RESOLVED' },
      ]);
    }
  },
);

test('a death in an A28 of another hospital, which knows the patient from nothing else, is sent', async () => {
  const home = await region();
  await hosp.send(home.message('A01', '202611180900'), home.message('A03', '202611190800', { disposition: '01' }));
  const other = await region({ isListed: false });
  await hosp.send(
    other.message('A28', '202611191000', { person: home.person, noVisit: true, deceased: true, diedAt: '20261119' }),
  );
  expect(await hosp.pings(home.program)).toContain('DECEASED ACTIVE current');
});
