import { beforeEach, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { CallError, type Client, signIn, startApp } from '#server/testing/app.ts';
import { adt, hospital, type TestPerson } from '#server/testing/hospital.ts';
import { listen } from '#server/testing/live.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { tendHeld } from './tend-held.ts';

const app = await startApp();
const { make, clock, database } = app;
const hosp = hospital(database, clock.now, make);
const HOUR = 3_600_000;
/** The clock's time as HL7 writes it. */
const now = (): string => clock.now().toISOString().replace(/\D/g, '').slice(0, 12);
/** Names, ZIP and four digits that identify somebody without review. */
let person: TestPerson & { ssnLast4?: string };
beforeEach(() => {
  person = newPerson();
});

/** A nursing facility with a feed and someone who may hold patients there. */
async function facility(over: { isPart2Facility?: boolean } = {}) {
  const group = await make.group({ type: 'SNF', facilityType: 'SNF', ...over });
  const team = await make.team({ organizationId: group.organizationId, groupIds: [group.id] });
  const { username } = await make.user({ team, role: 'care coordinator' });
  const code = `F-${group.id}`;
  await hosp.feed(group.organizationId, { [code]: group.id });
  return { ...group, team, code, username, client: await signIn(app, username) };
}

const bodyOf = (groupId: string, who: TestPerson, over: Record<string, unknown> = {}) => ({
  groupId,
  firstName: who.given,
  lastName: who.family,
  gender: 'Female' as const,
  dob: who.birthDate,
  zip: who.zip,
  ...over,
});
const hold = (client: Client, groupId: string, who: TestPerson, over: Record<string, unknown> = {}) =>
  client.call('POST /api/pre-admit/patients', { body: bodyOf(groupId, who, over) });
const list = (client: Client) => client.call('GET /api/pre-admit/patients', {});
const lookUp = (client: Client, id: string) =>
  client.call('GET /api/pre-admit/patients/:id/look-up', { params: { id } });
const refusal = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof CallError ? [error.status, error.body.errorKey] : error),
  );
const NOTHING = {
  isMatched: false,
  deceased: false,
  deceasedDate: null,
  isDeathInDoubt: false,
  programs: [],
  instructions: [],
  careTeam: [],
  visits: [],
};
/** Returns the listings that the entries of these calls name, of those that name any. */
async function notedBy(action: string): Promise<string[][]> {
  const { rows } = await database.pipeline.query<{ ids: string[] }>(sql`
    select patient_ids::text[] as ids from audit_entries where action = ${action} and patient_ids <> '{}' order by id`);
  return rows.map(({ ids }) => ids);
}

/** Someone on a program's roster, with what the program wrote about them. */
async function listed(who: TestPerson) {
  const program = await make.group({ name: 'Lakeshore ACO' });
  await hosp.list(program.id, who);
  const { rows } = await database.pipeline.query<{ id: string; personId: string }>(sql`
    update roster_patients set programs = '{Heart Failure Program}', care_coordinators = '{Rosa Lindgren}'
    where group_id = ${program.id} returning id, person_id as "personId"`);
  const listing = rows[0] as { id: string; personId: string };
  await database.pipeline.query(sql`
    insert into care_instructions (roster_patient_id, group_id, kind, instruction, instruction_order, created_at, modified_at)
    values (${listing.id}, ${program.id}, 'ADMIT', 'Weigh daily', 1, ${clock.now()}, ${clock.now()})`);
  const { rows: owners } = await database.pipeline.query<{ name: string }>(sql`
    select o.name from organizations o where o.id = ${program.organizationId}`);
  return { ...listing, program, organization: owners[0]?.name ?? '' };
}

test('a held patient has all fields, of the SSN the last four digits, and counts down from 72 hours', async () => {
  const { id, name, username, client } = await facility();
  const held = await hold(client, id, person, { ssn: '912-34-5678' });
  expect(held).toEqual({
    id: expect.any(String),
    groupId: id,
    groupName: name,
    firstName: person.given,
    lastName: person.family,
    gender: 'Female',
    dob: person.birthDate,
    zip: person.zip,
    createdDate: expect.any(String),
    hoursLeft: 72,
    owningOrgNames: [],
    ssn: '5678',
    deceased: false,
    isDeathInDoubt: false,
  });
  clock.advance(30 * 60_000 + 70 * HOUR);
  const later = await signIn(app, username);
  expect(await list(later)).toMatchObject([{ id: held.id, hoursLeft: 2 }]);
  clock.advance(2 * HOUR);
  expect(await list(await signIn(app, username))).toEqual([]);
  await tendHeld(database.pipeline, clock.now());
  const { rows } = await database.owner.query(sql`select from held_patients where id = ${held.id}`);
  expect(rows).toEqual([]);
});

test('a look-up shows programs, instructions, care team and visits of the one person it can be, and is on record for whoever lists them', async () => {
  const { id, client } = await facility();
  const mercy = await facility();
  const { organization, id: listingId } = await listed(person);
  await hosp.send(adt('A01', { at: now(), record: 'R-1', visit: 'V-1', facility: mercy.code, person }));
  const held = await hold(client, id, person);
  expect(held.owningOrgNames).toEqual([organization]);
  const found = await lookUp(client, held.id);
  expect(found).toEqual({
    isMatched: true,
    deceased: false,
    deceasedDate: null,
    isDeathInDoubt: false,
    programs: [{ organization, program: 'Heart Failure Program' }],
    instructions: [{ organization, instruction: 'Weigh daily' }],
    careTeam: [{ organization, name: 'Rosa Lindgren', title: 'Care coordinator', phone: null }],
    visits: [
      {
        facility: mercy.name,
        isPart2Facility: false,
        setting: 'SNF',
        admittedDate: expect.any(String),
        dischargedDate: null,
        isOpen: true,
      },
    ],
  });
  expect(await notedBy('pre-admit.look-up')).toContainEqual([listingId]);
});

test('nothing is shown of a namesake or of two people it could be', async () => {
  const { id, client } = await facility();
  await listed(person);
  const namesake = await hold(client, id, person, { dob: '1950-06-06', zip: '73301' });
  expect(namesake.owningOrgNames).toEqual([]);
  expect(await lookUp(client, namesake.id)).toEqual(NOTHING);

  const twin = newPerson();
  await listed(twin);
  const held = await hold(client, id, twin);
  expect((await lookUp(client, held.id)).isMatched).toBe(true);
  // Another person of the same details who is kept apart: it could be either.
  const other = await make.group({});
  const row = await make.rosterPatient({
    groupId: other.id,
    first_name: twin.given,
    last_name: twin.family,
    date_of_birth: twin.birthDate,
    zip: twin.zip,
  });
  await database.pipeline.query(sql`
    update roster_patients set content_hash = 'x' where id = ${row.id}`);
  await database.pipeline.query(sql`
    insert into blocking_keys (key, subject)
    select distinct key, ${row.id}::bigint from blocking_keys b join roster_patients r on r.id = b.subject
    where r.last_name = ${twin.family}`);
  expect(await lookUp(client, held.id)).toEqual(NOTHING);
  expect((await list(client)).find((one) => one.id === held.id)?.owningOrgNames).toEqual([]);
});

test('visits at a 42 CFR Part 2 facility need a consent for the facility that asks', async () => {
  const { id, client } = await facility();
  const clinic = await facility({ isPart2Facility: true });
  const { personId } = await listed(person);
  await hosp.send(adt('A01', { at: now(), record: 'R-2', visit: 'V-2', facility: clinic.code, person }));
  const held = await hold(client, id, person);
  expect(await lookUp(client, held.id)).toMatchObject({ isMatched: true, visits: [] });
  await database.pipeline.query(sql`
    insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
    values (${personId}, ${clinic.id}, ${id}, ${clock.now()})`);
  expect(await lookUp(client, held.id)).toMatchObject({ visits: [{ facility: clinic.name, isPart2Facility: true }] });
});

test('a look-up says that the person was reported as dead, on which day, and if the sender took it back', async () => {
  const { id, client } = await facility();
  const mercy = await facility();
  const listing = await listed(person);
  const of = { record: 'R-7', visit: 'V-7', facility: mercy.code, person };
  await hosp.send(adt('A01', { at: now(), ...of }));
  const held = await hold(client, id, person);
  expect(await lookUp(client, held.id)).toMatchObject({ isMatched: true, deceased: false, deceasedDate: null });
  await hosp.send(adt('A08', { at: now(), ...of, deceased: true, diedAt: now().slice(0, 8) }));
  const day = clock.now().toISOString().slice(0, 10);
  const died = { deceased: true, deceasedDate: day, isDeathInDoubt: false };
  expect(await lookUp(client, held.id)).toMatchObject({ ...died, programs: [{ program: 'Heart Failure Program' }] });
  expect(await list(client)).toMatchObject([{ id: held.id, deceased: true, isDeathInDoubt: false }]);
  expect(await notedBy('pre-admit.list')).toContainEqual([listing.id]);
  clock.advance(60_000);
  await hosp.send(adt('A31', { at: now(), ...of, noVisit: true }).replace(/\|\r$/u, '|N\r'));
  expect(await lookUp(client, held.id)).toMatchObject({ deceased: true, isDeathInDoubt: true });
  expect(await list(client)).toMatchObject([{ deceased: true, isDeathInDoubt: true }]);
});

test('the list says nothing of a death of someone whom no program lists, and notes no one', async () => {
  const { id, client } = await facility();
  const mercy = await facility();
  const of = { record: 'R-6', visit: 'V-6', facility: mercy.code, person };
  await hosp.send(adt('A01', { at: now(), ...of }), adt('A08', { at: now(), ...of, deceased: true }));
  await hold(client, id, person);
  const noted = await notedBy('pre-admit.list');
  expect(await list(client)).toMatchObject([{ deceased: false, isDeathInDoubt: false }]);
  expect(await notedBy('pre-admit.list')).toEqual(noted);
});

test('a death that only a 42 CFR Part 2 facility reported needs a consent too', async () => {
  const { id, client } = await facility();
  const clinic = await facility({ isPart2Facility: true });
  const { personId } = await listed(person);
  const of = { record: 'R-8', visit: 'V-8', facility: clinic.code, person };
  await hosp.send(adt('A01', { at: now(), ...of }), adt('A08', { at: now(), ...of, deceased: true }));
  const held = await hold(client, id, person);
  expect(await lookUp(client, held.id)).toMatchObject({ isMatched: true, deceased: false, deceasedDate: null });
  expect(await list(client)).toMatchObject([{ deceased: false }]);
  await database.pipeline.query(sql`
    insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
    values (${personId}, ${clinic.id}, ${id}, ${clock.now()})`);
  expect(await lookUp(client, held.id)).toMatchObject({ deceased: true });
});

test('someone whom only a 42 CFR Part 2 facility knows is answered like a stranger', async () => {
  const { id, client } = await facility();
  const clinic = await facility({ isPart2Facility: true });
  await hosp.send(adt('A01', { at: now(), record: 'R-9', visit: 'V-9', facility: clinic.code, person }));
  const [known, stranger] = [await hold(client, id, person), await hold(client, id, newPerson())];
  expect(known.owningOrgNames).toEqual(stranger.owningOrgNames);
  expect(await lookUp(client, known.id)).toEqual(await lookUp(client, stranger.id));
  const { rows } = await database.pipeline.query<{ personId: string }>(sql`
    select person_id as "personId" from encounters where group_id = ${clinic.id}`);
  await database.pipeline.query(sql`
    insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
    values (${rows[0]?.personId}, ${clinic.id}, ${id}, ${clock.now()})`);
  expect(await lookUp(client, known.id)).toMatchObject({ isMatched: true, visits: [{ facility: clinic.name }] });
});

test.each([
  ['ZIP code', { zip: '73301', ssn: '5678' }],
  ['SSN', { ssn: '5679' }],
])('a %s that contradicts what is known opens nothing', async (_, wrong) => {
  const { id, client } = await facility();
  const { id: listingId } = await listed(person);
  await database.pipeline.query(sql`update roster_patients set ssn_last4 = '5678' where id = ${listingId}`);
  const held = await hold(client, id, person, wrong);
  expect(held.owningOrgNames).toEqual([]);
  expect(await lookUp(client, held.id)).toEqual(NOTHING);
  await client.call('DELETE /api/pre-admit/patients/:id', { params: { id: held.id } });
  // The first five digits decide, and who leaves them out contradicts nothing.
  const right = await hold(client, id, person, { zip: `${person.zip}-1234`, ssn: '5678' });
  expect((await lookUp(client, right.id)).isMatched).toBe(true);
});

test('an admission ends the hold of the person who arrives and of nobody else, and says so', async () => {
  const { id, code, client } = await facility();
  const someoneElse = newPerson();
  await hold(client, id, person);
  await hold(client, id, someoneElse);
  await hosp.send(adt('A05', { at: now(), record: 'R-3', visit: 'V-3', facility: code, person }));
  expect(await list(client)).toHaveLength(2);
  await hosp.send(adt('A01', { at: now(), record: 'R-3', visit: 'V-3', facility: code, person }));
  expect(await list(client)).toMatchObject([{ lastName: someoneElse.family }]);
  const [ended] = await client.call('GET /api/pre-admit/admissions', {});
  expect(ended).toMatchObject({ lastName: person.family, patientId: expect.stringMatching(/^\d+_\d+$/) });
  const { patientId } = ended as { patientId: string };
  expect(await client.call('GET /api/patients/:id', { params: { id: patientId } })).toMatchObject({
    lastName: person.family,
    currentPingEncounter: { status: 'IN_PROGRESS' },
  });
});

test('an admission that is canceled says so where it ended the hold', async () => {
  const { id, code, client } = await facility();
  await hold(client, id, person);
  const of = { record: 'R-4', visit: 'V-4', facility: code, person };
  await hosp.send(adt('A01', { at: now(), ...of }));
  expect(await client.call('GET /api/pre-admit/admissions', {})).toMatchObject([{ isCanceled: false }]);
  await hosp.send(adt('A11', { at: now(), ...of }));
  expect(await list(client)).toEqual([]);
  expect(await client.call('GET /api/pre-admit/admissions', {})).toMatchObject([{ isCanceled: true }]);
});

test('a hold is of its facility: others neither see, look up nor delete it, and a program cannot hold anyone', async () => {
  const { id, client } = await facility();
  const elsewhere = await facility();
  const held = await hold(client, id, person);
  expect(await list(elsewhere.client)).toEqual([]);
  const params = { params: { id: held.id } };
  expect(await refusal(lookUp(elsewhere.client, held.id))).toEqual([404, 'NOT_FOUND']);
  expect(await refusal(elsewhere.client.call('DELETE /api/pre-admit/patients/:id', params))).toEqual([
    404,
    'NOT_FOUND',
  ]);
  expect(await refusal(hold(elsewhere.client, id, newPerson()))).toEqual([404, 'NOT_FOUND']);
  const program = await make.group({});
  const team = await make.team({ organizationId: program.organizationId, groupIds: [program.id] });
  const coordinator = await signIn(app, (await make.user({ team, role: 'care coordinator' })).username);
  expect(await refusal(hold(coordinator, program.id, person))).toEqual([404, 'NOT_FOUND']);
  const viewer = await signIn(app, (await make.user({ team: elsewhere.team, role: 'viewer' })).username);
  expect(await refusal(list(viewer))).toEqual([403, 'NOT_PERMITTED']);
  await client.call('DELETE /api/pre-admit/patients/:id', params);
  expect(await list(client)).toEqual([]);
});

test('a birth date long past, or to come at the facility, is refused', async () => {
  const { id, username } = await facility();
  await database.pipeline.query(sql`update groups set time_zone = 'Pacific/Honolulu' where id = ${id}`);
  // Past midnight in UTC, the day before at the facility.
  const today = clock.now().toISOString().slice(0, 10);
  const midnight = Date.parse(`${today}T00:30:00Z`) + 24 * HOUR;
  clock.advance(midnight - clock.now().getTime());
  const at = new Date(midnight).toISOString().slice(0, 10);
  const again = await signIn(app, username);
  for (const dob of ['01/01/0001', '12/31/1850', at, '2199-01-01'])
    expect(await refusal(hold(again, id, person, { dob }))).toEqual([400, 'BAD_REQUEST']);
});

test('someone held already, guesses of details and many look-ups are refused', async () => {
  const { id, client } = await facility();
  const held = await hold(client, id, person);
  expect(await refusal(hold(client, id, person))).toEqual([400, 'BAD_REQUEST']);
  clock.advance(60_000);
  const guesses = [];
  for (let digits = 1000; digits < 1015; digits++) {
    clock.advance(60_000);
    const guess = { dob: `19${(digits % 40) + 20}-01-02`, ssn: String(digits) };
    guesses.push(await refusal(hold(client, id, person, guess)));
  }
  expect(guesses.at(-1)).toEqual([429, 'IDENTITY_GUESSES']);
  clock.advance(60_000);
  for (let n = 0; n < 20; n++) await lookUp(client, held.id);
  expect(await refusal(lookUp(client, held.id))).toEqual([429, 'TOO_MANY_REQUESTS']);
});

test('birth dates of one person are not tried out in other spellings, nor with swapped names', async () => {
  const { id, client } = await facility();
  person = newPerson({ given: 'Nikhil', family: 'Venkatesan' });
  await listed(person);
  const written = [
    ['Pikhil', 'Venkatesan'],
    ['Venkatesan', 'Nikhil'],
    ['Nikhils', 'Benkatesan'],
    ['Nikkhil', 'Venkatesan'],
  ] as const;
  const answers = [];
  for (const [n, [firstName, lastName]] of written.entries()) {
    const dob = n < 3 ? `196${n}-0${n + 2}-1${n}` : person.birthDate;
    answers.push(await refusal(hold(client, id, person, { firstName, lastName, dob })));
  }
  expect(answers).toEqual([null, null, null, [429, 'IDENTITY_GUESSES']]);
});

test('guesses count for the organization, whichever of its facilities they are entered at', async () => {
  const { organizationId, id, client } = await facility();
  for (let n = 0; n < 3; n++) {
    const other = await make.group({ type: 'SNF', facilityType: 'SNF', organizationId });
    const theirs = await make.team({ organizationId, groupIds: [other.id] });
    const { username } = await make.user({ team: theirs, role: 'care coordinator' });
    const guess = { dob: person.birthDate, zip: String(10_001 + n * 1111) };
    expect((await hold(await signIn(app, username), other.id, person, guess)).id).toBeTruthy();
  }
  expect(await refusal(hold(client, id, person, { zip: '60601' }))).toEqual([429, 'IDENTITY_GUESSES']);
});

test('colleagues learn at once who is held and whose hold ended, and no other team does', async () => {
  const { id, code, team, client } = await facility();
  const elsewhere = await facility();
  const colleague = await signIn(app, (await make.user({ team, role: 'care coordinator' })).username);
  const [theirs, others] = [await listen(colleague), await listen(elsewhere.client)];
  const { id: heldId } = await hold(client, id, person);
  await theirs.next('held');
  expect(await list(colleague)).toMatchObject([{ id: heldId }]);
  await client.call('DELETE /api/pre-admit/patients/:id', { params: { id: heldId } });
  await theirs.next('held');
  expect(await list(colleague)).toEqual([]);
  await hold(client, id, person);
  await theirs.next('held');
  await hosp.send(adt('A01', { at: now(), record: 'M-1', facility: code, person }));
  await theirs.next('held');
  expect(await list(colleague)).toEqual([]);
  await hold(client, id, newPerson());
  await theirs.next('held');
  clock.advance(73 * HOUR);
  await tendHeld(database.pipeline, clock.now());
  await theirs.next('held');
  expect(others.heard()).not.toContain('held');
});
