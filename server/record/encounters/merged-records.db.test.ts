import { expect, test } from 'vitest';
import { pingsBeforeAndAfterSync, wrongCopies } from '#server/testing/copies.ts';
import { ARRIVAL_ORDERS, newPerson, pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, make, now, region, reprocess } = await pipelineScene();

test('a merge makes two record numbers of a facility one patient', async () => {
  const { facility, program, person, message } = await region();
  await hosp.send(
    message('A01', '202611200900'),
    message('A01', '202611200930', {
      record: 'MR-2',
      visit: 'V-2',
      admitted: '202611200930',
      person: { ...person, zip: '99999' },
    }),
    message('A40', '202611200940', { priorRecord: 'MR-2' }),
  );
  const { rows } = await database.pipeline.query(
    `select distinct e.person_id, e.source_patient_id from encounters e where e.group_id = $1`,
    [facility],
  );
  expect(rows).toHaveLength(1);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current', 'ADMIT ACTIVE current']);
});

test('a merge that arrives before the messages it is about has the same result', async () => {
  const { facility, program, message } = await region();
  await hosp.send(
    message('A40', '202611200940', { priorRecord: 'MR-2' }),
    message('A01', '202611200930', { record: 'MR-2', visit: 'V-2', admitted: '202611200930' }),
    message('A01', '202611200900'),
  );
  const { rows } = await database.pipeline.query(
    `select distinct e.person_id, e.source_patient_id from encounters e where e.group_id = $1`,
    [facility],
  );
  expect(rows).toHaveLength(1);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current', 'ADMIT ACTIVE current']);
});

test('after two opposite merges the survivor is identified by the demographics sent from then on', async () => {
  const { program, message, person } = await region();
  const unnamed = { ...person, given: 'Baby Girl', zip: '99999' };
  await hosp.send(
    message('A01', '202611200900', { record: 'MR-1', person: { ...unnamed, birthDate: '1922-01-28' } }),
    message('A01', '202611200930', { record: 'MR-2', visit: 'V-2', person: { ...unnamed, birthDate: '1922-01-29' } }),
    message('A40', '202611200940', { record: 'MR-2', priorRecord: 'MR-1', person: undefined }),
    message('A40', '202611200941', { record: 'MR-1', priorRecord: 'MR-2', person: undefined }),
  );
  expect(await hosp.pings(program)).toEqual([]);
  await hosp.send(message('A08', '202611200950'));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current', 'ADMIT ACTIVE current']);
});

test('a merge that is removed by reprocessing its message leaves two patients', async () => {
  const { program, message, code, person } = await region();
  await hosp.send(message('A01', '202611200900'));
  const registered = { ...person, given: 'Baby Girl', birthDate: '1922-01-28' };
  await hosp.send(message('A01', '202611200930', { record: 'MR-2', visit: 'V-2', person: registered }));
  const id = await hosp.send(message('A40', '202611200940', { priorRecord: 'MR-2' }));
  expect(await hosp.pings(program)).toHaveLength(2);
  await database.pipeline.query('delete from feed_facilities where identifier = $1', [code]);
  await reprocess(id);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current', 'ADMIT CANCELLED current']);
});

test('a record number used by two authorities is two patients with their own pings, in any order of arrival', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { facility, program, message, person } = await region();
    const [another, other] = [await make.group(), newPerson()];
    await hosp.list(another.id, other);
    const ofLab = { visit: 'V-2', person: other, authority: 'LAB' };
    await hosp.send(
      ...inOrder([
        message('A01', '202611200900', { controlId: '1' }),
        message('A01', '202611200910', { ...ofLab, controlId: '2' }),
        message('A08', '202611200920', { visit: 'V-1', authority: '', person: undefined, controlId: '3' }),
        message('A03', '202611200930', {
          ...ofLab,
          authority: '',
          person: undefined,
          discharged: '202611200930',
          controlId: '4',
        }),
      ]),
    );
    const { rows } = await database.pipeline.query(
      `select s.record_number as record, s.demographics #>> '{name,family}' as family, e.status, e.visit_number as visit
       from source_patients s join encounters e on e.source_patient_id = s.id where s.group_id = $1 and e.status <> 'CANCELLED' order by visit`,
      [facility],
    );
    expect(rows).toEqual([
      { record: 'MR-1', family: person.family, status: 'IN_PROGRESS', visit: 'V-1' },
      { record: 'MR-1 (LAB)', family: other.family, status: 'FINISHED', visit: 'V-2' },
    ]);
    const codesOf = async (groupId: string) =>
      (await hosp.pings(groupId)).filter((ping) => !ping.includes('CANCELLED')).map((ping) => ping.split(' ')[0]);
    expect(await codesOf(program)).toEqual(['ADMIT']);
    expect(await codesOf(another.id)).toEqual(['ADMIT', 'DISCHARGE']);
    const reviews = await database.pipeline.query(
      'select from match_reviews where group_id = $1 and decided_at is null',
      [facility],
    );
    expect(reviews.rows).toHaveLength(0);
  }
});

test('a record number whose two authorities turn out to be one is one patient again', async () => {
  const { facility, program, message, person } = await region();
  const elsewhere = {
    authority: 'LAB',
    visit: 'V-2',
    person: { ...person, family: 'Quillfeather', birthDate: '1922-01-28' },
  };
  await hosp.send(message('A01', '202611200900'), message('A01', '202611200910', elsewhere));
  const patients = async () =>
    (
      await database.pipeline.query(
        `select s.record_number as record, count(e.id)::int as visits from source_patients s
         left join encounters e on e.source_patient_id = s.id and e.status <> 'CANCELLED' where s.group_id = $1 group by 1 order by 1`,
        [facility],
      )
    ).rows;
  expect(await patients()).toEqual([
    { record: 'MR-1', visits: 1 },
    { record: 'MR-1 (LAB)', visits: 1 },
  ]);
  await hosp.send(message('A08', '202611200920', { ...elsewhere, person }));
  expect(await patients()).toEqual([
    { record: 'MR-1', visits: 2 },
    { record: 'MR-1 (LAB)', visits: 0 },
  ]);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current', 'ADMIT ACTIVE current']);
});

test('an account whose number changes (A49) is the same stay, in any order of arrival', async () => {
  const { facility, program, message } = await region();
  const of = (account: string) => ({ visit: '', account, admitted: '202611200900' });
  const changed = `${message('A49', '202611200930', { account: 'AC-2', noVisit: true })}MRG|||AC-1\r`;
  const discharged = { discharged: '202611200950', disposition: '01' };
  await hosp.send(changed);
  await hosp.send(message('A03', '202611200950', { ...of('AC-2'), ...discharged }));
  await hosp.send(message('A01', '202611200900', of('AC-1')));
  const { rows } = await database.pipeline.query('select status from encounters where group_id = $1', [facility]);
  expect(rows).toEqual([{ status: 'FINISHED' }]);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('after all of that, each copied reference is the one that was copied', async () => {
  expect(await wrongCopies(database.pipeline)).toEqual([]);
});

test('after all of that, each ping is in line with its event, also those of visits that were new', async () => {
  const [before, after] = await pingsBeforeAndAfterSync(database.pipeline, now);
  expect(before).not.toEqual([]);
  expect(after).toEqual(before);
});
