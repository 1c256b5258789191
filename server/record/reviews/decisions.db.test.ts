/** Decisions that meet one another, undone ones, and those about people or records that changed meanwhile. */
import { expect, test } from 'vitest';
import type { Review } from '#contract/reviews.ts';
import { sql } from '#server/platform/database/sql.ts';
import { CallError, type Client, signIn } from '#server/testing/app.ts';
import { admission, feedOffice, refusedWith } from '#server/testing/feed-office.ts';
import { adt, type TestPerson } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const { app, hosp, home, away, operator } = await feedOffice();
const { database, make } = app;

const reviewsOf = async (client: Client) =>
  (await client.call('GET /api/feeds/reviews', { query: { pageSize: 100 } })).reviews;
const find = async (number: string, client = operator): Promise<Review | undefined> =>
  (await reviewsOf(client)).find(({ record }) => record.number === number);

/** Returns the open review about the record number. */
async function reviewOf(number: string, client = operator): Promise<Review> {
  const review = await find(number, client);
  if (!review) throw new Error(`There is no review of ${number}`);
  return review;
}

/** Decides that the record number's patient is the candidate with this number, or the first one. */
async function link(number: string, other?: string): Promise<string> {
  const { id, version, candidates } = await reviewOf(number);
  const candidate = candidates.find(({ record }) => other === undefined || record?.number === other);
  const body = { candidateId: candidate?.id ?? '', version };
  await operator.call('POST /api/feeds/reviews/:id', { params: { id }, body });
  return id;
}
const undo = (id: string, client = operator) => client.call('POST /api/feeds/reviews/:id/undo', { params: { id } });

/** Lists the person at a new program. Returns the group and the member ID. */
async function listed(person: TestPerson) {
  const { id: program } = await make.group({ organizationId: home.organizationId });
  const listing = await hosp.list(program, person);
  const { rows } = await database.pipeline.query<{ number: string }>(
    sql`select member_id as number from roster_patients where id = ${listing}`,
  );
  return { program, listing, number: rows[0]?.number ?? '' };
}

const leave = (listing: string) =>
  database.pipeline.query(sql`update roster_patients set left_at = ${app.clock.now()} where id = ${listing}`);

/** A listed person who is admitted at both hospitals without a birth date, so that each visit waits for a review. */
async function atBothHospitals(numbers: [string, string]) {
  const person = newPerson();
  const list = await listed(person);
  const unknown = { ...person, birthDate: '' };
  const arrival = (facility: string, record: string) =>
    hosp.send(admission({ record, facility, visit: `V-${record}`, person: unknown }));
  await arrival('HOME', numbers[0]);
  await arrival('AWAY', numbers[1]);
  return { person, ...list };
}

test('a decision moves the patients that people joined with this one, whose later messages send pings; undoing it returns them', async () => {
  const { program, person, number } = await atBothHospitals(['50091', '50092']);
  const first = await link('50092', '50091');
  expect(await hosp.pings(program)).toEqual([]);
  const second = await link('50091', number);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current', 'ADMIT ACTIVE current']);
  expect(await find('50092')).toBeUndefined();
  const discharge = {
    at: '202611201100',
    record: '50092',
    facility: 'AWAY',
    visit: 'V-50092',
    discharged: '202611201100',
  };
  await hosp.send(adt('A03', { ...discharge, person }));
  expect(await hosp.pings(program)).toContain('DISCHARGE ACTIVE current');

  await undo(second);
  expect((await hosp.pings(program)).filter((ping) => ping.includes('ACTIVE'))).toEqual([]);
  await link('50091', number);
  expect((await hosp.pings(program)).filter((ping) => ping.includes('ACTIVE'))).toHaveLength(3);
  await undo(first);
  expect((await hosp.pings(program)).filter((ping) => ping.includes('ACTIVE'))).toEqual(['ADMIT ACTIVE current']);
  expect(await find('50092')).toBeDefined();
});

test('a link that contradicts an earlier decision is refused, and the match stays open', async () => {
  const { number } = await atBothHospitals(['50101', '50102']);
  const { id, version } = await reviewOf('50102');
  await operator.call('POST /api/feeds/reviews/:id', { params: { id }, body: { candidateId: null, version } });
  // The other review still names the patient who was kept apart, as if it had not been compared again.
  await database.pipeline.query(sql`
    update match_reviews set candidates = candidates || (
      select jsonb_agg(jsonb_set(candidates -> 0, '{personId}', to_jsonb(person_id::text))) from source_patients where record_number = '50102')
    where subject_id = (select id from source_patients where record_number = '50101') and decided_at is null`);
  const open = await reviewOf('50101');
  const apart = open.candidates.find(({ record }) => record?.number === '50102');
  const body = { candidateId: apart?.id ?? '', version: open.version };
  expect(await refusedWith(operator.call('POST /api/feeds/reviews/:id', { params: { id: open.id }, body }))).toEqual([
    409,
    'REVIEW_CONTRADICTED',
  ]);
  await link('50101', number);
});

test('after it was undone, a match has the evidence of today’s records', async () => {
  const person = newPerson();
  const { program } = await listed(person);
  await hosp.send(admission({ record: '40025', visit: 'V-40025', person: { ...person, zip: '' } }));
  expect(await reviewOf('40025')).toMatchObject({ isClear: true });
  const id = await link('40025');
  const corrected = { ...person, zip: '', birthDate: '2008-11-30' };
  await hosp.send(
    adt('A08', { at: '202611200930', record: '40025', visit: 'V-40025', facility: 'HOME', person: corrected }),
  );
  await undo(id);
  const reopened = await find('40025');
  if (reopened) {
    expect(reopened).toMatchObject({ isClear: false, candidates: [{ agreement: { birthDate: 'different' } }] });
  }
  const { rows } = await database.pipeline.query<{ fields: string }>(sql`
    select candidates -> 0 -> 'evidence' -> 'fields' ->> 'birthDate' as fields from match_reviews where id = ${id} and decided_at is null`);
  expect(rows.map(({ fields }) => fields)).not.toContain('exact');
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current']);
});

test('after it was undone, a match is not linked again by itself, and closes if nothing speaks for it', async () => {
  const person = newPerson();
  await listed(person);
  const without = { ...person, zip: '' };
  await hosp.send(admission({ record: '40026', visit: 'V-40026', person: without }));
  const id = await link('40026');
  const about = { record: '40026', visit: 'V-40026', facility: 'HOME' };
  await hosp.send(adt('A08', { ...about, at: '202611200930', person }));
  await undo(id);
  expect(await reviewOf('40026')).toMatchObject({ id, candidates: [{ agreement: { zip: 'same' } }] });
  await link('40026');
  await hosp.send(adt('A08', { ...about, at: '202611200940', person: newPerson() }));
  await undo(id);
  expect(await find('40026')).toBeUndefined();
});

test('a decision about other records than are shown now is refused; the same one again is saved', async () => {
  const person = newPerson();
  const { program } = await listed(person);
  await hosp.send(admission({ record: '40027', visit: 'V-40027', person: { ...person, zip: '98101' } }));
  const before = await reviewOf('40027', home.admin);
  const decide = ({ id, version, candidates }: Review, as = home.admin) =>
    as.call('POST /api/feeds/reviews/:id', { params: { id }, body: { candidateId: candidates[0]?.id ?? '', version } });
  const about = { record: '40027', visit: 'V-40027', facility: 'HOME', at: '202611200930' };
  await hosp.send(adt('A08', { ...about, person: { ...person, zip: '98102' } }));
  expect(await refusedWith(decide(before))).toEqual([409, 'REVIEW_CHANGED']);
  expect(await hosp.pings(program)).toEqual([]);
  const now = await reviewOf('40027', home.admin);
  await decide(now);
  await decide(now);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
  await undo(now.id, home.admin);
});

test('a decision that someone else has made says who made which, and when; people elsewhere are not named', async () => {
  const person = newPerson();
  await listed(person);
  await hosp.send(admission({ record: '40028', visit: 'V-40028', person: { ...person, zip: '98101' } }));
  const { username } = await make.user({
    team: home.team,
    role: 'administrator',
    firstName: 'Hedda',
    lastName: 'Quill',
  });
  const hedda = await signIn(app, username);
  const { id, version, candidates } = await reviewOf('40028', hedda);
  const params = { id };
  await hedda.call('POST /api/feeds/reviews/:id', { params, body: { candidateId: candidates[0]?.id ?? '', version } });
  const refusal = async (as: Client) =>
    as.call('POST /api/feeds/reviews/:id', { params, body: { candidateId: null, version } }).then(
      () => null,
      (error: unknown) => (error instanceof CallError ? error.body : null),
    );
  expect(await refusal(home.admin)).toMatchObject({
    errorKey: 'REVIEW_DECIDED',
    message: 'Hedda Quill has already decided this match: the same person. This decision was not saved.',
    standing: { last: { name: 'Hedda Quill', date: app.clock.now().toISOString() } },
  });
  expect((await refusal(operator))?.message).toMatch(/^Another organization has already decided/);
});

test('people who left the list are no candidates, and a match about nobody else leaves the list', async () => {
  const person = newPerson();
  const { listing } = await listed(person);
  await hosp.send(admission({ record: '40029', visit: 'V-40029', person: { ...person, zip: '98101' } }));
  const { id, version, candidates } = await reviewOf('40029', home.admin);
  const { total } = await home.admin.call('GET /api/feeds/reviews', { query: {} });
  await leave(listing);
  expect(await find('40029', home.admin)).toBeUndefined();
  expect((await home.admin.call('GET /api/feeds/reviews', { query: {} })).total).toBe(total - 1);
  const body = { candidateId: candidates[0]?.id ?? '', version };
  expect(await refusedWith(home.admin.call('POST /api/feeds/reviews/:id', { params: { id }, body }))).toEqual([
    409,
    'NOT_LISTED',
  ]);
});

test('decisions are listed for 30 days with who made them, and can be undone there', async () => {
  const person = newPerson();
  const { program, number } = await listed(person);
  await hosp.send(admission({ record: '40030', visit: 'V-40030', person: { ...person, zip: '98101' } }));
  const id = await link('40030');
  const decided = async (client: Client) => {
    const { reviews } = await client.call('GET /api/feeds/reviews/decided', { query: {} });
    return reviews.find((review) => review.id === id);
  };
  expect(await decided(home.admin)).toMatchObject({
    decidedBy: 'Another organization',
    record: { number: '40030' },
    candidate: { record: { number } },
    isLinked: true,
    canUndo: true,
  });
  expect(await decided(away.admin)).toBeUndefined();
  await undo(id, home.admin);
  expect(await decided(operator)).toBeUndefined();
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current']);
  await link('40030');
  await database.pipeline.query(sql`
    update match_reviews set decided_at = decided_at - interval '31 days' where id = ${id}`);
  expect(await decided(operator)).toBeUndefined();
});

test('a visit whose match was undone says so in the inbox, and not that the sender retracted it', async () => {
  const person = newPerson();
  const { program } = await listed(person);
  const team = await make.team({ organizationId: home.organizationId, groupIds: [program] });
  const coordinator = await signIn(app, (await make.user({ team })).username);
  await hosp.send(admission({ record: '40033', visit: 'V-40033', person: { ...person, zip: '98101' } }));
  await undo(await link('40033'));
  const { patients } = await coordinator.call('POST /api/pings', { body: {} });
  expect(patients.map(({ currentPing }) => currentPing?.reason)).toEqual([
    { code: 'UNMATCHED', label: 'This visit is no longer matched to this patient', severity: 'caution' },
  ]);
});

test('the oldest come first if asked for, and the revision changes with the evidence', async () => {
  const reviews = async (order: 'oldest' | 'likeliest') =>
    operator.call('GET /api/feeds/reviews', { query: { order, pageSize: 100 } });
  const person = newPerson();
  await listed(person);
  const about = { record: '40031', visit: 'V-40031', facility: 'HOME', at: '202611200930' };
  await hosp.send(admission({ ...about, person: { ...person, zip: '98101' } }));
  const { reviews: page, revision } = await reviews('oldest');
  const dates = page.map(({ createdDate }) => createdDate);
  expect(dates).toEqual(dates.toSorted());
  await hosp.send(
    adt('A08', { ...about, at: '202611201030', person: { ...person, zip: '98101', given: `${person.given}q` } }),
  );
  expect((await reviews('oldest')).revision).not.toBe(revision);
});

test('two people of one name at one address are confirmed each', async () => {
  const person = newPerson();
  for (const birthDate of ['1944-05-05', '1971-03-09']) {
    const { listing } = await listed({ ...person, birthDate });
    await database.pipeline.query(sql`update roster_patients set address1 = '12 Alder Lane' where id = ${listing}`);
  }
  await hosp.send(admission({ record: '40032', visit: 'V-40032', person: { ...person, birthDate: '' } }));
  const { candidates } = await reviewOf('40032');
  expect(candidates.map(({ warnings }) => warnings.length > 0)).toEqual([true, true]);
  expect(candidates[0]?.reason).toContain('The birth date is not recorded.');
});
