import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adt, hospital } from '#server/testing/hospital.ts';
import { newPerson, pipelineScene, type Region } from '#server/testing/pipeline-scene.ts';

const { clock, database, hosp, make, region, reprocess } = await pipelineScene();

test('a message sent twice is a duplicate and sends one ping', async () => {
  const { program, message } = await region();
  const text = message('A01', '202611200900');
  const first = await hosp.send(text);
  const second = await hosp.send(text);
  expect(second).not.toBe(first);
  expect(await hosp.message(second)).toMatchObject({ status: 'DUPLICATE' });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

test('messages in one batch have the same result as messages one by one', async () => {
  const { program, message } = await region();
  await hosp.receive(
    message('A01', '202611200900'),
    message('A02', '202611200930', { unit: 'ICU' }),
    message('A03', '202611200955', { discharged: '202611200955' }),
  );
  await hosp.queue.drain();
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'TRANSFER ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('a message of an unknown feed is quarantined with the reason', async () => {
  const id = await hosp.send(
    adt('A01', { at: '202611200900', record: 'MR-1', facility: 'NOWHERE', person: newPerson() }),
  );
  expect(await hosp.message(id)).toEqual({
    status: 'QUARANTINED',
    reason:
      "MSH-3/MSH-4 ('TESTADT', 'NOWHERE') don't match any feed. Set up a feed for this sender, then replay the message.",
    feedId: null,
  });
});

/** Returns the events, encounters and pings of a facility and program that are not canceled. */
async function finalResult({ facility, program }: Region): Promise<unknown> {
  const query = async (text: string, id: string) => (await database.pipeline.query(text, [id])).rows;
  return {
    events: await query(
      `select e.code, e.event_at, e.setting, s.record_number from events e join encounters en on en.id = e.encounter_id
         join source_patients s on s.id = en.source_patient_id
       where en.group_id = $1 and e.state <> 'CANCELLED' order by e.event_at, e.code, en.id`,
      facility,
    ),
    encounters: await query(
      `select en.status, en.admitted_at, en.discharged_at, en.visit_number from encounters en
       where en.group_id = $1 and en.status <> 'CANCELLED' order by en.admitted_at, en.visit_number`,
      facility,
    ),
    pings: await query(
      `select e.code, p.event_at, p.is_current from pings p join events e on e.id = p.event_id
       where p.group_id = $1 and p.state <> 'CANCELLED' order by p.event_at, e.code`,
      program,
    ),
  };
}

test('messages in any order, in any batches and reprocessed give the same events and pings', async () => {
  const ofRegion = ({ message, person }: Region) => {
    const second = { record: 'MR-2', visit: 'V-2', admitted: '202611200910' };
    return [
      message('A01', '202611200900', { person: { ...person, birthDate: '1922-01-28' }, controlId: '1' }),
      message('A08', '202611200905', { controlId: '2' }),
      message('A02', '202611200920', { unit: 'ICU', controlId: '3' }),
      message('A03', '202611200930', { discharged: '202611200930', controlId: '4' }),
      message('A13', '202611200930', { sentAt: '202611200935', controlId: '5' }),
      message('A03', '202611200945', { discharged: '202611200945', controlId: '6' }),
      message('A04', '202611200910', { ...second, patientClass: 'E', controlId: '7' }),
      message('A03', '202611200915', { ...second, discharged: '202611200915', patientClass: 'E', controlId: '8' }),
      message('A40', '202611200950', { priorRecord: 'MR-2', controlId: '9' }),
    ];
  };
  const usual = await region();
  await hosp.send(...ofRegion(usual));
  const expected = await finalResult(usual);
  expect(expected).toMatchObject({ events: { length: 5 }, encounters: { length: 2 }, pings: { length: 5 } });

  const places = ofRegion(usual).map((_, index) => index);
  const order = fc.shuffledSubarray(places, { minLength: places.length });
  const drains = fc.array(fc.boolean(), { minLength: places.length, maxLength: places.length });
  await fc.assert(
    fc.asyncProperty(order, drains, fc.constantFrom(...places), async (positions, drained, twice) => {
      const other = await region();
      const messages = ofRegion(other);
      let replayed = '';
      for (const [index, position] of positions.entries()) {
        const id = await hosp.receive(messages[position] ?? '');
        if (index === twice) replayed = id;
        if (drained[index]) await hosp.queue.drain();
      }
      await hosp.queue.drain();
      await reprocess(replayed);
      expect(await finalResult(other)).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test('two concurrent workers lose nothing and send nothing twice', async () => {
  const regions = await Promise.all([region(), region()]);
  for (let n = 0; n < 30; n += 1) {
    for (const { message, person } of regions) {
      const own = { record: `MR-${n}`, visit: `V-${n}`, person };
      await hosp.receive(
        message('A01', '202611200900', own),
        message('A40', '202611200950', { ...own, priorRecord: `MR-${n + 1}` }),
      );
    }
  }
  const other = hospital(database, clock, make);
  await Promise.all([hosp.queue.drain(), other.queue.drain()]);
  for (const { facility, program } of regions) {
    expect(await hosp.pings(program)).toEqual(Array.from({ length: 30 }, () => 'ADMIT ACTIVE current'));
    const { rows } = await database.pipeline.query(
      'select distinct dossier_id from source_patients where group_id = $1',
      [facility],
    );
    expect(rows).toHaveLength(1);
  }
});
