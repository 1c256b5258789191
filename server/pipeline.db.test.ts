import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventCode } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import { ensurePartitions } from './intake/messages/partitions.ts';
import { claimMessages, settleMessages } from './intake/messages/queries.ts';
import { makePipeline } from './pipeline.ts';
import { closeHangingVisits } from './record/encounters/close-hanging.ts';
import { endListings } from './record/listings/end-listings.ts';
import { identifyAll } from './record/matching/identify.ts';
import { sendOpenVisits } from './record/pings/notify.ts';
import { type TestDatabase, testDatabase } from './testing/database.ts';
import { factories } from './testing/factories.ts';
import { type AdtParts, adt, hospital, type TestPerson } from './testing/hospital.ts';

const database: TestDatabase = await testDatabase();
const now = new Date('2026-11-20T15:00:00Z');
const clock = () => now;
const make = factories(database.pipeline, clock);
const hosp = hospital(database, clock, make);
await ensurePartitions(database.pipeline, now);

/** Names differ by more than a slip from test to test, so that no test's people are another's. */
function somebody(over: Partial<TestPerson> = {}): TestPerson {
  const letters = randomUUID().replaceAll(/[^a-f]/g, '');
  const day = String(1 + Math.floor(Math.random() * 28)).padStart(2, '0');
  const year = 1930 + Math.floor(Math.random() * 60);
  return {
    family: `Marl${letters}`,
    given: `Ode${letters.slice(-4)}`,
    birthDate: `${year}-05-${day}`,
    sex: 'F',
    zip: String(10_000 + Math.floor(Math.random() * 80_000)),
    ...over,
  };
}

interface Region {
  facility: string;
  program: string;
  /** MSH-4 and PV1-3.4 of the facility. */
  code: string;
  message: (trigger: string, at: string, more?: Partial<AdtParts>) => string;
  /** The same patient, visit and facility in each message; listed at the program. */
  person: TestPerson;
}

/** A facility with a feed, and a program of another organisation that lists one of its patients. */
async function region(
  over: {
    type?: GroupType;
    facilityType?: FacilityType;
    isPart2?: boolean;
    isListed?: boolean;
    isBackfill?: boolean;
    registrationIsVisit?: boolean;
  } = {},
): Promise<Region> {
  const code = `F-${randomUUID().slice(0, 8)}`;
  const { type = 'HOS', facilityType = 'HOS', isListed = true } = over;
  const facility = await make.group({ type, facilityType });
  if (over.isPart2) {
    await database.pipeline.query('update groups set is_part2_facility = true where id = $1', [facility.id]);
  }
  const { isBackfill = false, registrationIsVisit = false } = over;
  await hosp.feed(facility.organizationId, { [code]: facility.id }, { isBackfill, registrationIsVisit });
  const program = await make.group();
  const person = somebody();
  if (isListed) await hosp.list(program.id, person);
  const message: Region['message'] = (trigger, at, more = {}) =>
    adt(trigger, { at, record: 'MR-1', visit: 'V-1', facility: code, person, admitted: '202611200900', ...more });
  return { facility: facility.id, program: program.id, code, message, person };
}

test('an admission pings the program that lists the person, and not the hospital that sent it', async () => {
  const { facility, program, message } = await region();
  const id = await hosp.send(message('A01', '202611200900'));
  expect(await hosp.message(id)).toMatchObject({ status: 'APPLIED', reason: 'gave Admitted' });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
  expect(await hosp.pings(facility)).toEqual([]);
});

test('a group that does not list the person hears nothing', async () => {
  const { message } = await region();
  const other = await make.group();
  await hosp.list(other.id, somebody());
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.pings(other.id)).toEqual([]);
});

test('other groups of the same organisation hear of their people too', async () => {
  const { facility, person, message } = await region({ isListed: false });
  const { rows } = await database.pipeline.query<{ id: string }>(
    'select organization_id as id from groups where id = $1',
    [facility],
  );
  const sister = await make.group({ organizationId: rows[0]?.id ?? '' });
  await hosp.list(sister.id, person);
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.pings(sister.id)).toEqual(['ADMIT ACTIVE current']);
});

test('a cancelled admission retracts the ping', async () => {
  const { program, message } = await region();
  await hosp.send(message('A01', '202611200900'), message('A11', '202611200900', { sentAt: '202611200930' }));
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current']);
});

test('a cancel that comes before its admission leaves nothing told', async () => {
  const { program, message } = await region();
  await hosp.send(message('A11', '202611200900', { sentAt: '202611200930' }), message('A01', '202611200900'));
  expect(await hosp.pings(program)).toEqual([]);
});

test('a discharge is another ping of the visit and is the current one then', async () => {
  const { program, message } = await region();
  await hosp.send(
    message('A01', '202611200900'),
    message('A03', '202611200955', { discharged: '202611200955', disposition: '01' }),
  );
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('a discharge taken back makes the admission the current ping again', async () => {
  const { program, message } = await region();
  await hosp.send(
    message('A01', '202611200900'),
    message('A03', '202611200945', { discharged: '202611200945' }),
    message('A13', '202611200945', { sentAt: '202611200950' }),
  );
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current', 'DISCHARGE CANCELLED']);
});

test('a message sent twice is a duplicate and is told once', async () => {
  const { program, message } = await region();
  const text = message('A01', '202611200900');
  const first = await hosp.send(text);
  const second = await hosp.send(text);
  expect(second).not.toBe(first);
  expect(await hosp.message(second)).toMatchObject({ status: 'DUPLICATE' });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

test('messages that come in one batch end as those that come one by one', async () => {
  const { program, message } = await region();
  await hosp.receive(
    message('A01', '202611200900'),
    message('A02', '202611200930', { unit: 'ICU' }),
    message('A03', '202611200955', { discharged: '202611200955' }),
  );
  await hosp.queue.drain();
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'TRANSFER ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('two record numbers of one facility become one patient by a merge', async () => {
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

test('a merge that comes before the messages it is about ends the same', async () => {
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

test('who survives a merge the other way round is identified by what is said of him or her from then on', async () => {
  const { program, message } = await region();
  const wrong = { record: 'MR-1', person: somebody() };
  await hosp.send(
    message('A01', '202611200900', wrong),
    message('A01', '202611200930', { record: 'MR-2', visit: 'V-2', person: somebody() }),
    message('A40', '202611200940', { record: 'MR-2', priorRecord: 'MR-1', person: undefined }),
    message('A40', '202611200941', { record: 'MR-1', priorRecord: 'MR-2', person: undefined }),
  );
  expect(await hosp.pings(program)).toEqual([]);
  await hosp.send(message('A08', '202611200950'));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current', 'ADMIT ACTIVE current']);
});

test('a merge that is taken out by processing its message again leaves two patients', async () => {
  const { program, message, code } = await region();
  await hosp.send(message('A01', '202611200900'));
  await hosp.send(message('A01', '202611200930', { record: 'MR-2', visit: 'V-2', person: somebody() }));
  const id = await hosp.send(message('A40', '202611200940', { priorRecord: 'MR-2' }));
  expect(await hosp.pings(program)).toHaveLength(2);
  await database.pipeline.query('delete from feed_facilities where identifier = $1', [code]);
  await again(id);
  await hosp.queue.drain();
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current', 'ADMIT CANCELLED current']);
});

test('a corrected birth date finds the person, who is then told of', async () => {
  const { program, person, message } = await region();
  await hosp.send(message('A01', '202611200900', { person: { ...person, birthDate: '1922-11-02' } }));
  expect(await hosp.pings(program)).toEqual([]);
  await hosp.send(message('A08', '202611200930'));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

test('a stay that was over before the person was listed is told to nobody, also where it is only found to be his or hers later', async () => {
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

test('a corrected birth date that is another person retracts the ping', async () => {
  const { program, person, message } = await region();
  await hosp.send(message('A01', '202611200900'));
  await hosp.send(message('A08', '202611200930', { person: { ...person, birthDate: '1922-11-02' } }));
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current']);
  await hosp.send(message('A08', '202611200940'));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

test('who moves or marries during a stay stays the one of whom was told', async () => {
  const { program, person, message } = await region();
  await hosp.send(message('A01', '202611200900'));
  await hosp.send(message('A08', '202611200930', { person: { ...person, zip: '99123' } }));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
  const married = { ...person, zip: '99123', family: 'Quillfeather' };
  await hosp.send(message('A03', '202611200940', { person: married, discharged: '202611200940' }));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('a record number that is given to somebody else waits for a decision, and tells nobody what was the first one’s', async () => {
  const { program, facility, message } = await region();
  const other = await region();
  const second = { visit: 'V-2', admitted: '202611201100', person: other.person };
  await hosp.send(message('A01', '202611200900'), message('A03', '202611201000', { discharged: '202611201000' }));
  await hosp.send(message('A01', '202611201100', second));
  await hosp.send(message('A08', '202611201110', { ...second, person: { ...other.person, sex: 'M' } }));
  expect(await hosp.pings(other.program)).toEqual([]);
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED', 'DISCHARGE CANCELLED current']);
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
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current', 'ADMIT ACTIVE current']);
});

test('a visit that turns out to be another of the listed people is retracted from the one and told of the other', async () => {
  const { program, person, message } = await region();
  const other = somebody();
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
  await hosp.send(message('A08', '202611200940', { person: { ...person, birthDate: '1922-11-02' } }));
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current', 'ADMIT CANCELLED current']);
});

test('somebody whom nobody lists is a person all the same, and no ping', async () => {
  const { facility, program, person, message } = await region({ isListed: false });
  await hosp.list(program, somebody());
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.pings(program)).toEqual([]);
  const { rows } = await database.pipeline.query(
    `select s.demographics -> 'name' ->> 'family' as family from source_patients s
     where s.group_id = $1 and s.person_id is not null`,
    [facility],
  );
  expect(rows).toEqual([{ family: person.family }]);
});

test('somebody who may be one of the listed waits for a decision, on a provisional person, untold', async () => {
  const { facility, program, person, message } = await region();
  await hosp.send(message('A01', '202611200900', { person: { ...person, zip: '10001' } }));
  expect(await hosp.pings(program)).toEqual([]);
  const { rows } = await database.pipeline.query(
    `select p.is_provisional as "isProvisional" from match_reviews r
       join source_patients s on r.subject = 'SOURCE_PATIENT' and s.id = r.subject_id join persons p on p.id = s.person_id
     where r.group_id = $1 and r.decided_at is null`,
    [facility],
  );
  expect(rows).toEqual([{ isProvisional: true }]);
});

test('who joins a roster during a stay brings one ping, of its newest event', async () => {
  const { program, person, message } = await region({ isListed: false });
  await hosp.send(message('A01', '202611200900'), message('A02', '202611200930', { unit: 'ICU' }));
  await hosp.list(program, person);
  expect(await hosp.pings(program)).toEqual(['TRANSFER ACTIVE current']);
});

test('who joins a roster between a discharge and the same one again hears of it when it stands again', async () => {
  const { program, person, message } = await region({ isListed: false });
  await hosp.send(
    message('A01', '202611200900'),
    message('A03', '202611200930', { discharged: '202611200930' }),
    message('A13', '202611200930', { sentAt: '202611200935' }),
  );
  await hosp.list(program, person);
  await hosp.send(message('A03', '202611200930', { discharged: '202611200930', sentAt: '202611200940' }));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE AMENDED current']);
});

test('who joins a roster at the moment of a discharge hears of it', async () => {
  const { program, person, message } = await region({ isListed: false });
  await hosp.send(message('A01', '202611200900'));
  await hosp.receive(message('A03', '202611200930', { discharged: '202611200930' }));
  const { id } = await make.rosterPatient({
    groupId: program,
    first_name: person.given,
    last_name: person.family,
    date_of_birth: person.birthDate,
    zip: person.zip,
    content_hash: Buffer.from(randomUUID()),
  });
  let drained: Promise<number> = Promise.resolve(0);
  await database.pipeline.transaction(async (tx) => {
    await identifyAll(tx, [{ kind: 'ROSTER_PATIENT', id }], { now });
    await sendOpenVisits(tx, [id], now);
    drained = hosp.queue.drain();
    await Promise.race([drained, sleep(300)]);
  });
  await drained;
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('who joins a roster after the stay brings none', async () => {
  const { program, person, message } = await region({ isListed: false });
  await hosp.send(message('A01', '202611200900'), message('A03', '202611200930', { discharged: '202611200930' }));
  await hosp.list(program, person);
  expect(await hosp.pings(program)).toEqual([]);
});

test('a Part 2 facility tells those alone to whom the person consents', async () => {
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

test('a ping of a Part 2 facility is not opened again for who returns to a roster after the consent ended', async () => {
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

test('an event told more than 72 hours after it happened is late', async () => {
  const { program, message } = await region();
  await hosp.send(
    message('A01', '202611160900', { admitted: '202611160900' }),
    message('A02', '202611200930', { unit: 'ICU' }),
  );
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE late', 'TRANSFER ACTIVE current']);
});

test('an admission of days ago that only an update speaks of is told once its own message comes', async () => {
  const { program, facility, message } = await region();
  await hosp.send(message('A08', '202611200930', { admitted: '202611160900' }));
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE']);
  expect(await hosp.pings(program)).toEqual([]);
  await hosp.send(message('A01', '202611160900', { admitted: '202611160900' }));
  expect(await hosp.pings(program)).toEqual(['ADMIT AMENDED current late']);
});

test('who joins a roster during a stay that began before the feed did brings a ping for it', async () => {
  const { program, message, person } = await region();
  await hosp.send(message('A08', '202611200900', { admitted: '202611170900' }));
  expect(await hosp.pings(program)).toEqual([]);
  const another = await make.group();
  await hosp.list(another.id, person);
  expect(await hosp.pings(another.id)).toEqual(['ADMIT ACTIVE current late']);
  expect(await hosp.pings(program)).toEqual([]);
});

test('a feed that loads the past tells nobody', async () => {
  const { facility, program, message } = await region({ isBackfill: true });
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE']);
  expect(await hosp.pings(program)).toEqual([]);
});

test('a nursing home hears that its former resident is in a hospital', async () => {
  const { person, message } = await region();
  const home = await make.group({ type: 'SNF', facilityType: 'SNF' });
  await hosp.enter(home.id, { code: 'ADMIT', record: 'N-1', visit: 'NV-1', person, at: '2026-11-02T14:00:00Z' });
  await hosp.enter(home.id, { code: 'DISCHARGE', record: 'N-1', visit: 'NV-1', at: '2026-11-12T14:00:00Z' });
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.pings(home.id)).toEqual(['ADMIT ACTIVE current']);
});

/** A nursing home whose resident, `person`, is in a hospital, of which it was told. */
async function residentInHospital() {
  const { person, message } = await region({ isListed: false });
  const home = await region({ type: 'SNF', facilityType: 'SNF', isListed: false });
  const admitted = '202606010900';
  await hosp.send(home.message('A01', admitted, { person, admitted, record: 'N-1' }));
  await hosp.send(message('A01', '202611200900'));
  const statuses = async () =>
    (
      await database.pipeline.query<{ status: string }>(
        'select management_status as status from pings where group_id = $1 order by id',
        [home.facility],
      )
    ).rows.map(({ status }) => status);
  expect(await statuses()).toEqual(['NEW']);
  return { person, home, admitted, statuses };
}

test('a nursing home that files its resident under another number keeps the open ping', async () => {
  const { person, home, statuses } = await residentInHospital();
  await hosp.send(home.message('A40', '202611200930', { person, record: 'N-2', priorRecord: 'N-1' }));
  expect(await statuses()).toEqual(['NEW']);
});

test('a nursing home that says late that its resident left long ago has the open ping resolved', async () => {
  const { person, home, admitted, statuses } = await residentInHospital();
  const discharged = '202607010900';
  const late = { person, admitted, discharged, record: 'N-1', sentAt: '202611200930' };
  await hosp.send(home.message('A03', discharged, late));
  expect(await statuses()).toEqual(['RESOLVED']);
});

test('a death that is said once for each past visit is told once, of the visit in which the patient died, in any order', async () => {
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
  for (const inOrder of [(m: string[]) => m, (m: string[]) => m.toReversed()]) {
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

test('a death of which only updates of past visits speak is told once, of the first that says so', async () => {
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

test('one record number of two authorities is two patients, each told to those who list him or her, in any order', async () => {
  for (const inOrder of anyOrder) {
    const { facility, program, message, person } = await region();
    const [another, other] = [await make.group(), somebody()];
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
    const standing = async (groupId: string) =>
      (await hosp.pings(groupId)).filter((ping) => !ping.includes('CANCELLED')).map((ping) => ping.split(' ')[0]);
    expect(await standing(program)).toEqual(['ADMIT']);
    expect(await standing(another.id)).toEqual(['ADMIT', 'DISCHARGE']);
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
    person: { ...person, family: 'Quillfeather', birthDate: '1922-11-02' },
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

/** Two hospitals of one sender; `second` says that a message is of the other one. */
async function sisters() {
  const where = await region();
  const other = await make.group({ type: 'HOS', facilityType: 'HOS' });
  const code = `S-${randomUUID().slice(0, 8)}`;
  await database.pipeline.query(
    `insert into feed_facilities (feed_id, identifier, group_id) select feed_id, $1, $2 from feed_facilities where group_id = $3`,
    [code, other.id, where.facility],
  );
  const stays = async () =>
    (
      await database.pipeline.query(
        `select group_id = $2 as "isSecond", status, admitted_at as "admittedAt", discharged_at as "dischargedAt",
           state ->> 'disposition' as disposition, state ->> 'dischargedTo' = $3 as "toSecond"
         from encounters where group_id in ($1, $2) and status <> 'CANCELLED' order by group_id`,
        [where.facility, other.id, code],
      )
    ).rows;
  return { ...where, other: other.id, second: { placedAt: code }, stays };
}

const anyOrder = [
  (m: string[]) => m,
  (m: string[]) => m.toReversed(),
  (m: string[]) => [...m.slice(1), ...m.slice(0, 1)],
];

for (const [how, record] of [
  ['under the same record number', 'MR-1'],
  ['under a record number of its own', 'MR-9'],
] as const) {
  test(`a transfer to a sister facility ${how} ends the stay at the first and begins one at the second, in any order`, async () => {
    for (const inOrder of anyOrder) {
      const { facility, other, program, second, message, stays } = await sisters();
      const there = { ...second, record };
      await hosp.send(
        ...inOrder([
          message('A01', '202611200900', { controlId: '1' }),
          message('A02', '202611200930', { ...there, controlId: '2' }),
          message('A08', '202611200940', { ...there, controlId: '3' }),
        ]),
      );
      const [began, moved] = ['2026-11-20T14:00:00.000Z', '2026-11-20T14:30:00.000Z'];
      expect(await stays()).toEqual([
        {
          isSecond: false,
          status: 'FINISHED',
          admittedAt: began,
          dischargedAt: moved,
          disposition: '02',
          toSecond: true,
        },
        {
          isSecond: true,
          status: 'IN_PROGRESS',
          admittedAt: moved,
          dischargedAt: null,
          disposition: null,
          toSecond: null,
        },
      ]);
      const standing = async (groupId: string) =>
        (await hosp.events(groupId))
          .filter((event) => !event.endsWith('CANCELLED'))
          .map((event) => event.split(' ')[0]);
      expect(await standing(facility)).toEqual(['ADMIT', 'DISCHARGE']);
      expect(await standing(other)).toEqual(['ADMIT']);
      expect((await hosp.pings(program)).filter((ping) => !ping.includes('CANCELLED'))).toHaveLength(3);
    }
  });
}

test('a transfer to a sister facility that is taken back leaves one stay, at the first', async () => {
  for (const inOrder of anyOrder) {
    const { second, message, stays, other } = await sisters();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200900', { controlId: '1' }),
        message('A02', '202611200930', { ...second, controlId: '2' }),
        message('A12', '202611200930', { sentAt: '202611200940', controlId: '3' }),
      ]),
    );
    expect(await stays()).toMatchObject([{ isSecond: false, status: 'IN_PROGRESS', dischargedAt: null }]);
    expect((await hosp.events(other)).filter((event) => !event.endsWith('CANCELLED'))).toEqual([]);
  }
});

test('who is transferred back and then goes home was at the first facility twice', async () => {
  const { facility, other, second, message, stays } = await sisters();
  await hosp.send(
    message('A01', '202611200900'),
    message('A02', '202611200910', second),
    message('A02', '202611200920'),
    message('A03', '202611200930', { discharged: '202611200930', disposition: '01' }),
  );
  const codes = async (groupId: string) => (await hosp.events(groupId)).map((event) => event.split(' ')[0]);
  expect(await codes(facility)).toEqual(['ADMIT', 'DISCHARGE', 'ADMIT', 'DISCHARGE']);
  expect(await codes(other)).toEqual(['ADMIT', 'DISCHARGE']);
  expect(await stays()).toMatchObject([{ status: 'FINISHED', disposition: '01' }, { status: 'FINISHED' }]);
});

test('the same visit number of somebody else at a sister facility is another stay', async () => {
  const { second, message, stays } = await sisters();
  await hosp.send(
    message('A01', '202611200900'),
    message('A02', '202611200930', { ...second, record: 'MR-9', person: somebody() }),
  );
  expect(await stays()).toMatchObject([{ status: 'IN_PROGRESS' }, { status: 'IN_PROGRESS' }]);
});

test('an admission and a transfer to a sister facility that are processed at the same moment know of each other', async () => {
  const { second, message, stays, code } = await sisters();
  // The second hospital writes MSH-4 in its own name: another lane.
  await database.pipeline.query(
    'update feeds set sending_facility = null where id = (select feed_id from feed_facilities where identifier = $1)',
    [code],
  );
  const workers = [hosp, hospital(database, clock, make)];
  await hosp.receive(message('A01', '202611200900'));
  let drained: Promise<number> = Promise.resolve(0);
  await database.pipeline.transaction(async (tx) => {
    const [claimed] = await claimMessages(tx, 1, 3);
    if (!claimed) throw new Error('There is nothing to process');
    const outcomes = await makePipeline(clock)(tx, [claimed]);
    await hosp.receive(message('A02', '202611200930', { ...second, facility: second.placedAt, authority: code }));
    drained = workers[1]?.queue.drain() ?? drained;
    await Promise.race([drained, sleep(300)]);
    await settleMessages(tx, outcomes, now);
  });
  await drained;
  await hosp.queue.drain();
  await database.pipeline.query('update feeds set sending_facility = $1 where sending_facility is null', [code]);
  expect(await stays()).toMatchObject([{ status: 'FINISHED' }, { status: 'IN_PROGRESS' }]);
});

test('an admission that is dated into the future is over with its discharge, and says that its time was not believed', async () => {
  const ofRegion = ({ message }: Region) => [
    message('A01', '202611210300', { sentAt: '202611200905', admitted: '202611210300', controlId: '1' }),
    message('A03', '202611200950', { discharged: '202611200900', admitted: '202611210300', controlId: '2' }),
  ];
  for (const inOrder of [(m: string[]) => m, (m: string[]) => m.toReversed()]) {
    const where = await region();
    await hosp.send(...inOrder(ofRegion(where)));
    const { rows } = await database.pipeline.query(
      `select status, admitted_at as "admittedAt", discharged_at as "dischargedAt", state -> 'flags' as flags from encounters where group_id = $1`,
      [where.facility],
    );
    const nine = '2026-11-20T14:00:00.000Z';
    expect(rows).toEqual([{ status: 'FINISHED', admittedAt: nine, dischargedAt: nine, flags: ['TIME_NOT_BELIEVED'] }]);
    const codes = (await hosp.events(where.facility)).map((event) => event.split(' ')[0]);
    expect(codes.toSorted((a, b) => (a ?? '').localeCompare(b ?? ''))).toEqual(['ADMIT', 'DISCHARGE']);
  }
  const { message } = await region();
  const id = await hosp.send(message('A01', '202611210300', { admitted: '202611200900' }));
  expect((await hosp.message(id)).reason).toBe('gave Admitted; time in the future, not used: EVN-6, EVN-2, MSH-7');
});

test('a message of no known feed waits in quarantine with the reason', async () => {
  const id = await hosp.send(
    adt('A01', { at: '202611200900', record: 'MR-1', facility: 'NOWHERE', person: somebody() }),
  );
  expect(await hosp.message(id)).toEqual({
    status: 'QUARANTINED',
    reason:
      "MSH-3/MSH-4 ('TESTADT', 'NOWHERE') don't match any feed. Set up a feed for this sender, then replay the message.",
    feedId: null,
  });
});

/** What stands at the end: per facility and program, whatever came first. */
async function standing({ facility, program }: Region): Promise<unknown> {
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

test('in whatever order, batches and how often messages come, the same stands and was told', async () => {
  const ofRegion = ({ message, person }: Region) => {
    const second = { record: 'MR-2', visit: 'V-2', admitted: '202611200910' };
    return [
      message('A01', '202611200900', { person: { ...person, birthDate: '1922-11-02' }, controlId: '1' }),
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
  const expected = await standing(usual);
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
      await again(replayed);
      await hosp.queue.drain();
      expect(await standing(other)).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test('two workers at once lose nothing and tell nothing twice', async () => {
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

const again = (id: string) =>
  database.pipeline.query(`update messages set status = 'PENDING', attempts = 0 where id = $1`, [id]);

test('a message processed again changes nothing that was told', async () => {
  const { facility, program, message } = await region();
  const id = await hosp.send(message('A01', '202611200900'));
  const before = await database.pipeline.query('select id, encounter_id, state from pings where group_id = $1', [
    program,
  ]);
  await again(id);
  await hosp.queue.drain();
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE']);
  const after = await database.pipeline.query('select id, encounter_id, state from pings where group_id = $1', [
    program,
  ]);
  expect(after.rows).toEqual(before.rows);
  const { rows } = await database.pipeline.query<{ received: number }>(
    'select c.received from feed_counts c join feed_facilities f using (feed_id) where f.group_id = $1',
    [facility],
  );
  expect(rows).toEqual([{ received: 1 }]);
});

test('a message processed again after its facility was put right moves there', async () => {
  const { facility, program, message, code } = await region();
  const id = await hosp.send(message('A01', '202611200900'));
  const right = await make.group({ type: 'HOS', facilityType: 'HOS' });
  await database.pipeline.query('update feed_facilities set group_id = $1 where identifier = $2', [right.id, code]);
  await again(id);
  await hosp.queue.drain();
  expect(await hosp.events(facility)).toEqual(['ADMIT CANCELLED']);
  expect(await hosp.events(right.id)).toEqual(['ADMIT ACTIVE']);
  expect((await hosp.pings(program)).sort()).toEqual(['ADMIT ACTIVE current', 'ADMIT CANCELLED current']);
});

test('a message that is quarantined when processed again takes its events along', async () => {
  const { facility, program, message, code } = await region();
  const id = await hosp.send(message('A01', '202611200900'));
  await database.pipeline.query('delete from feed_facilities where identifier = $1', [code]);
  await again(id);
  await hosp.queue.drain();
  expect(await hosp.message(id)).toMatchObject({
    status: 'QUARANTINED',
    reason: `Facility '${code}' (PV1-3.4, EVN-7 or MSH-4) isn't on the feed's facility list. Add it, then replay the message.`,
  });
  expect(await hosp.events(facility)).toEqual(['ADMIT CANCELLED']);
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current']);
});

// Each of the thirteen codes, by message where one brings it about, and by hand where staff enter it.

const byMessage: [
  code: EventCode,
  how: string,
  region: Parameters<typeof region>[0],
  messages: [string, string, Partial<AdtParts>?][],
][] = [
  ['ADMIT', 'an A01 of an inpatient', {}, [['A01', '202611200900']]],
  ['PRESENTED', 'an A04 in the emergency department', {}, [['A04', '202611200900', { patientClass: 'E' }]]],
  [
    'VISIT',
    'an A04 of an outpatient where the feed says so',
    { registrationIsVisit: true },
    [['A04', '202611200900', { patientClass: 'O' }]],
  ],
  [
    'DISCHARGE',
    'an A03',
    {},
    [
      ['A01', '202611200900'],
      ['A03', '202611200930', { discharged: '202611200930' }],
    ],
  ],
  [
    'DECEASED',
    'an A03 with disposition 20',
    {},
    [
      ['A01', '202611200900'],
      ['A03', '202611200930', { discharged: '202611200930', disposition: '20' }],
    ],
  ],
  [
    'TRANSFER',
    'an A02 to another unit',
    {},
    [
      ['A01', '202611200900'],
      ['A02', '202611200930', { unit: 'ICU' }],
    ],
  ],
  [
    'PAYOR_CHANGE',
    'an A08 with another payer',
    {},
    [
      ['A01', '202611200900', { payer: 'Harbor Health' }],
      ['A08', '202611200930', { payer: 'Lantern Mutual' }],
    ],
  ],
  [
    'MEDICAL_LEAVE_OF_ABSENCE',
    'an A21 of a nursing facility',
    { type: 'SNF', facilityType: 'SNF' },
    [
      ['A01', '202611200900'],
      ['A21', '202611200930'],
    ],
  ],
  [
    'RESUMED_SERVICES',
    'an A22 of a nursing facility',
    { type: 'SNF', facilityType: 'SNF' },
    [
      ['A01', '202611200900'],
      ['A21', '202611200930'],
      ['A22', '202611200945'],
    ],
  ],
  [
    'STARTED_HHA_SERVICES',
    'an A01 of a home-health agency',
    { type: 'ADMITTING', facilityType: 'HHA' },
    [['A01', '202611200900']],
  ],
  [
    'ENDED_HHA_SERVICES',
    'an A03 of a home-health agency',
    { type: 'ADMITTING', facilityType: 'HHA' },
    [
      ['A01', '202611200900'],
      ['A03', '202611200930', { discharged: '202611200930' }],
    ],
  ],
];

for (const [code, how, where, messages] of byMessage) {
  test(`${code} follows from ${how}`, async () => {
    const { program, message } = await region(where);
    await hosp.send(...messages.map(([trigger, at, more]) => message(trigger, at, more)));
    expect((await hosp.pings(program)).at(-1)).toBe(`${code} ACTIVE current`);
  });
}

test('CLOSED follows from an emergency visit that was left open for 48 hours, once', async () => {
  const { facility, program, message } = await region();
  await hosp.send(message('A04', '202611180900', { patientClass: 'E', admitted: '202611180900' }));
  expect(await closeHangingVisits(database.pipeline, hosp.store, now)).toBe(1);
  expect(await closeHangingVisits(database.pipeline, hosp.store, now)).toBe(0);
  await hosp.queue.drain();
  expect(await hosp.events(facility)).toEqual(['PRESENTED ACTIVE', 'CLOSED ACTIVE']);
  expect(await hosp.pings(program)).toEqual(['PRESENTED ACTIVE', 'CLOSED ACTIVE current']);
});

test('an emergency visit whose PV1-44 is that of an earlier one is closed 48 hours after the arrival', async () => {
  const { facility, message } = await region();
  await hosp.send(message('A04', '202611180900', { patientClass: 'E', admitted: '202601010900' }));
  const beforeTime = new Date('2026-11-20T13:59:00Z');
  expect(await closeHangingVisits(database.pipeline, hosp.store, beforeTime)).toBe(0);
  expect(await closeHangingVisits(database.pipeline, hosp.store, now)).toBe(1);
  await hosp.queue.drain();
  expect(await hosp.events(facility)).toEqual(['PRESENTED ACTIVE', 'CLOSED ACTIVE']);
});

const SNF = { type: 'SNF', facilityType: 'SNF' } as const;
const HHA = { type: 'ADMITTING', facilityType: 'HHA' } as const;
const byHand: [code: EventCode, where: Parameters<typeof region>[0], before: EventCode[]][] = [
  ['ADMIT', SNF, []],
  ['PRESENTED', {}, []],
  ['VISIT', {}, []],
  ['DISCHARGE', SNF, ['ADMIT']],
  ['DECEASED', SNF, ['ADMIT']],
  ['TRANSFER', SNF, ['ADMIT']],
  ['CLOSED', {}, ['PRESENTED']],
  ['PAYOR_CHANGE', SNF, ['ADMIT']],
  ['MEDICAL_LEAVE_OF_ABSENCE', SNF, ['ADMIT']],
  ['RESUMED_SERVICES', SNF, ['ADMIT', 'MEDICAL_LEAVE_OF_ABSENCE']],
  ['ENDED_SERVICES', SNF, ['ADMIT']],
  ['STARTED_HHA_SERVICES', HHA, []],
  ['ENDED_HHA_SERVICES', HHA, ['STARTED_HHA_SERVICES']],
];

for (const [code, where, before] of byHand) {
  test(`${code} follows from an entry by hand`, async () => {
    const { facility, program, person } = await region(where);
    for (const [hour, each] of [...before, code].entries()) {
      await hosp.enter(facility, {
        code: each,
        record: 'H-1',
        visit: 'HV-1',
        person,
        at: `2026-11-20T1${hour}:00:00Z`,
      });
    }
    expect((await hosp.pings(program)).at(-1)).toBe(`${code} ACTIVE current`);
  });
}
