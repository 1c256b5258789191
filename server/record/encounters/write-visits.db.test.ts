/** How much is processed at a time says nothing about the result: a first visit may come with the events that follow it, or before them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pingsBeforeAndAfterSync, wrongCopies } from '#server/testing/copies.ts';
import { newPerson, pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, now, region } = await pipelineScene();

const A_STAY = { record: 'MR-1', visit: 'V-1', admitted: '202611010900' };
const NEXT_STAY = { record: 'MR-1', visit: 'V-2', admitted: '202611180900' };

/** Sends the stays of three people, of whom a program lists two. The n-th message ends a batch if `ends[n]`. Returns what became of them. */
async function sendInBatches(ends: readonly boolean[]) {
  const { facility, program, message } = await region();
  const [unlisted, alsoListed] = [newPerson(), newPerson()];
  await hosp.list(program, alsoListed);
  const ofUnlisted = { person: unlisted, record: 'MR-2', visit: 'V-3', admitted: '202611021000' };
  const ofOther = { person: alsoListed, record: 'MR-3', visit: 'V-4', admitted: '202611191100' };
  const messages = [
    message('A01', '202611010900', A_STAY),
    message('A01', '202611021000', ofUnlisted),
    message('A02', '202611031200', { ...A_STAY, unit: '4E' }),
    message('A03', '202611041500', { ...A_STAY, discharged: '202611041500', disposition: '01' }),
    message('A01', '202611180900', NEXT_STAY),
    message('A04', '202611190800', { ...ofOther, patientClass: 'E', admitted: '202611190800' }),
    message('A01', '202611191100', ofOther),
    message('A02', '202611191300', { ...NEXT_STAY, unit: '4E' }),
    message('A08', '202611191400', ofOther),
  ];
  for (const [index, text] of messages.entries()) {
    await hosp.receive(text);
    if (ends[index]) await hosp.queue.drain();
  }
  await hosp.queue.drain();
  const { rows } = await database.pipeline.query(
    `select s.record_number, e.visit_number, e.status, e.person_id = s.person_id as is_of_patient, exists (select from match_reviews m where m.subject = 'SOURCE_PATIENT' and m.subject_id = s.id and m.decided_at is null) as is_in_review,
       (select count(*)::int from facts f where f.encounter_id = e.id and f.source_patient_id = s.id and f.outcome <> '') as facts,
       exists (select from roster_patients r where r.person_id = e.person_id and r.group_id = $2) as is_listed
     from encounters e join source_patients s on s.id = e.source_patient_id
     where e.group_id = $1 order by s.record_number, e.visit_number`,
    [facility, program],
  );
  return { visits: rows, events: await hosp.events(facility), pings: await hosp.pings(program) };
}

const COUNT = 9;

test('visits, events and pings are the same whether messages are processed together or one by one', async () => {
  const expected = await sendInBatches(Array.from({ length: COUNT }, () => true));
  expect(expected.visits).toMatchObject([
    { visit_number: 'V-1', status: 'FINISHED', is_listed: true, is_of_patient: true, facts: 3 },
    { visit_number: 'V-2', status: 'IN_PROGRESS', is_listed: true, is_of_patient: true, facts: 2 },
    { visit_number: 'V-3', status: 'IN_PROGRESS', is_listed: false, is_of_patient: true, facts: 1 },
    { visit_number: 'V-4', status: 'IN_PROGRESS', is_listed: true, is_of_patient: true, facts: 3 },
  ]);
  expect(expected.pings.filter((ping) => ping.includes('current'))).toHaveLength(3);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT }), async (ends) => {
      expect(await sendInBatches(ends)).toEqual(expected);
    }),
    { numRuns: 15 },
  );
}, 120_000);

test('after all of that, each copied reference is the one that was copied', async () => {
  expect(await wrongCopies(database.pipeline)).toEqual([]);
});

test('after all of that, each ping is in line with its event, also those of visits that were new', async () => {
  const [before, after] = await pingsBeforeAndAfterSync(database.pipeline, now);
  expect(before).not.toEqual([]);
  expect(after).toEqual(before);
});
