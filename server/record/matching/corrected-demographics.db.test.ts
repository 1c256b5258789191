import { expect, test } from 'vitest';
import { withFields } from '#server/testing/patient-story.ts';
import { newPerson, pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, make, region } = await pipelineScene();

/** Has no day, month or year in common with the dates of the region's people. */
const ANOTHER_DATE = '1922-01-28';

test('a corrected birth date finds the listed person and sends the ping', async () => {
  const { program, person, message } = await region();
  await hosp.send(message('A01', '202611200900', { person: { ...person, birthDate: ANOTHER_DATE } }));
  expect(await hosp.pings(program)).toEqual([]);
  await hosp.send(message('A08', '202611200930'));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

test('a stay that ended before the person was listed sends no ping, even if it is linked to the person later', async () => {
  const { facility, program, person, message } = await region({ isListed: false });
  const formerly = { person: { ...person, zip: '11111' }, visit: 'V-0', admitted: '202601200900' };
  await hosp.send(message('A01', '202601200900', formerly));
  await hosp.send(message('A03', '202601210900', { ...formerly, discharged: '202601210900' }));
  await database.pipeline.query(
    `update events set received_at = event_at where encounter_id in (select id from encounters where group_id = $1)`,
    [facility],
  );
  await hosp.list(program, person);
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

test('a birth date corrected to another person retracts the ping', async () => {
  const { program, person, message } = await region();
  await hosp.send(message('A01', '202611200900'));
  await hosp.send(message('A08', '202611200930', { person: { ...person, birthDate: ANOTHER_DATE } }));
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current']);
  await hosp.send(message('A08', '202611200940'));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

test('someone of the same name and home with another birth date, at another hospital, takes no ping back', async () => {
  const [{ program, person, message }, other] = [await region(), await region({ isListed: false })];
  const home = { 'PID-11': `12 Sorrel Row^^Fairhaven^NY^${person.zip}`, 'PID-13': '(617)555-0133' };
  await hosp.send(withFields(message('A01', '202611200900'), home));
  const misdated = { ...person, birthDate: ANOTHER_DATE };
  await hosp.send(withFields(other.message('A01', '202611200930', { person: misdated }), home));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

test('a person who moves or marries during a stay stays the same person', async () => {
  const { program, person, message } = await region();
  await hosp.send(message('A01', '202611200900'));
  await hosp.send(message('A08', '202611200930', { person: { ...person, zip: '99123' } }));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
  const married = { ...person, zip: '99123', family: 'Quillfeather' };
  await hosp.send(message('A03', '202611200940', { person: married, discharged: '202611200940' }));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('a married patient is linked to the roster row with her maiden name once the hospital sends that too', async () => {
  const { facility, program, person, message } = await region();
  const married = { ...person, family: 'Quillfeather' };
  await hosp.send(message('A01', '202611200900', { person: married }));
  expect(await hosp.pings(program)).toEqual([]);
  await hosp.send(message('A08', '202611200930', { person: { ...married, formerFamily: person.family } }));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
  // A message without it doesn't take it back.
  await hosp.send(message('A08', '202611200940', { person: married }));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
  const { rows } = await database.pipeline.query(
    'select from match_reviews where group_id = $1 and decided_at is null',
    [facility],
  );
  expect(rows).toEqual([]);
});

test('a record number given to another patient waits for a decision, and the first patient’s events stay where they are', async () => {
  const { program, facility, message } = await region();
  const other = await region();
  const second = { visit: 'V-2', admitted: '202611201100', person: other.person };
  await hosp.send(message('A01', '202611200900'), message('A03', '202611201000', { discharged: '202611201000' }));
  await hosp.send(message('A01', '202611201100', second));
  await hosp.send(message('A08', '202611201110', { ...second, person: { ...other.person, sex: 'M' } }));
  expect(await hosp.pings(other.program)).toEqual([]);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
  const third = await make.group();
  await hosp.list(third.id, other.person);
  expect(await hosp.pings(third.id)).toEqual([]);
  const { rows } = await database.pipeline.query(
    'select from match_reviews where group_id = $1 and decided_at is null',
    [facility],
  );
  expect(rows).toHaveLength(1);
  await hosp.send(message('A08', '202611201120', second), message('A08', '202611201130'));
  expect(await hosp.pings(other.program)).toEqual([]);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('a visit that turns out to be another listed person’s is retracted for the first and sent for the second', async () => {
  const { program, person, message } = await region();
  const other = newPerson();
  const listing = await hosp.list(program, other);
  await hosp.send(message('A01', '202611200900'));
  await database.pipeline.query(`update pings set management_status = 'RESOLVED' where group_id = $1`, [program]);
  await hosp.send(message('A08', '202611200930', { person: other }));
  const pingsOf = async () =>
    (
      await database.pipeline.query(
        `select roster_patient_id = $2 as "isOther", state, management_status as status, is_current as "isCurrent"
         from pings where group_id = $1 order by id`,
        [program, listing],
      )
    ).rows;
  expect(await pingsOf()).toEqual([
    { isOther: false, state: 'CANCELLED', status: 'RESOLVED', isCurrent: true },
    { isOther: true, state: 'ACTIVE', status: 'NEW', isCurrent: true },
  ]);
  await hosp.send(message('A08', '202611200940', { person: { ...person, birthDate: ANOTHER_DATE } }));
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current', 'ADMIT CANCELLED current']);
});

test('a patient whom no group lists becomes a person without pings', async () => {
  const { facility, program, person, message } = await region({ isListed: false });
  await hosp.list(program, newPerson());
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.pings(program)).toEqual([]);
  const { rows } = await database.pipeline.query(
    `select s.demographics -> 'name' ->> 'family' as family from source_patients s
     where s.group_id = $1 and s.person_id is not null`,
    [facility],
  );
  expect(rows).toEqual([{ family: person.family }]);
});

test('a patient who may be a listed person waits for a decision as a person of their own, without pings', async () => {
  const { facility, program, person, message } = await region();
  await hosp.send(message('A01', '202611200900', { person: { ...person, zip: '10001' } }));
  expect(await hosp.pings(program)).toEqual([]);
  const { rows } = await database.pipeline.query(
    `select (select count(*)::int from roster_patients l where l.person_id = s.person_id and l.group_id = $2) as listings from match_reviews r
       join source_patients s on r.subject = 'SOURCE_PATIENT' and s.id = r.subject_id
     where r.group_id = $1 and r.decided_at is null`,
    [facility, program],
  );
  expect(rows).toEqual([{ listings: 0 }]);
});
