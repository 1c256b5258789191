/** What reviewers see of the records, in which order, and what is kept of their looks and decisions. */
import { expect, test } from 'vitest';
import type { Review } from '#contract/reviews.ts';
import { sql } from '#server/platform/database/sql.ts';
import { identifyAll } from '#server/record/matching/identify.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { admission, feedOffice, refusedWith } from '#server/testing/feed-office.ts';
import type { TestPerson } from '#server/testing/hospital.ts';
import { manualEntry } from '#server/testing/manual-entry.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const { app, hosp, home, away, operator } = await feedOffice();
const { database, make, clock } = app;
const { enter, processing } = manualEntry(app);
const ELSEWHERE = '98101';

/** Admits the person at HOME with another ZIP code than on a roster, which makes a review. */
const arrive = (person: TestPerson, record: string, zip = ELSEWHERE) =>
  hosp.send(admission({ record, visit: `V-${record}`, person: { ...person, zip } }));

/** Lists the person at a new program. Returns the group and the listing. */
async function listed(person: TestPerson, organizationId: string) {
  const program = await make.group({ organizationId, name: `Program ${person.family} ${person.zip}` });
  return { program: program.id, listing: await hosp.list(program.id, person) };
}

const reviewsOf = async (client: Client) =>
  (await client.call('GET /api/feeds/reviews', { query: { pageSize: 100 } })).reviews;

/** Returns the open review about the record number or member ID. */
async function reviewOf(client: Client, number: string): Promise<Review> {
  const found = (await reviewsOf(client)).find(({ record }) => record.number === number);
  if (!found) throw new Error(`There is no review of ${number}`);
  return found;
}

const decide = (client: Client, { id, version, candidates: [first] }: Review, onlyIfClear = false) =>
  client.call('POST /api/feeds/reviews/:id', {
    params: { id },
    body: { candidateId: first?.id ?? '', version, onlyIfClear },
  });

/** A second administrator of an organization. */
async function colleague({ team }: Pick<typeof home, 'team'>, groupIds: string[]): Promise<Client> {
  const { organizationId } = team;
  const office = await make.team({ organizationId, groupIds });
  return signIn(app, (await make.user({ team: office, role: 'administrator' })).username);
}

test('records of the own organization are shown in full, side by side, with what agrees and why', async () => {
  const person = newPerson();
  await listed(person, home.organizationId);
  await arrive(person, 'OWN-1');
  const review = await reviewOf(home.admin, 'OWN-1');
  expect(review).toMatchObject({
    createdDate: clock.now().toISOString(),
    record: {
      source: 'FACILITY',
      groupName: 'Hospital HOME',
      since: clock.now().toISOString(),
      values: {
        family: person.family,
        birthDate: person.birthDate,
        sex: 'Female',
        street: '12 Alder Lane',
        zip: ELSEWHERE,
      },
    },
    candidates: [
      {
        record: {
          source: 'ROSTER',
          values: { family: person.family, given: person.given, zip: person.zip, phone: null },
        },
        otherRecords: 0,
        agreement: {
          family: 'same',
          given: 'same',
          birthDate: 'same',
          zip: 'different',
          street: 'unknown',
          phone: 'unknown',
        },
        reason: 'Same name and birth date. The ZIP code differs.',
        warnings: [],
      },
    ],
    hasOutsideCandidate: false,
    isOwnEntry: false,
    isClear: false,
  });
});

test('of a candidate elsewhere, a hospital sees and decides by agreement only; operators see the record', async () => {
  const person = newPerson();
  const { program } = await listed(person, away.organizationId);
  await arrive(person, 'FEED-1');
  const review = await reviewOf(home.admin, 'FEED-1');
  expect(review).toMatchObject({
    candidates: [{ record: null, otherRecords: 0, agreement: { family: 'same', zip: 'different' } }],
    hasOutsideCandidate: false,
    isClear: false,
  });
  expect(JSON.stringify(review.candidates)).not.toMatch(
    new RegExp(`${person.family}|${person.birthDate}|${person.zip}|Program`),
  );
  expect((await reviewOf(operator, 'FEED-1')).candidates).toMatchObject([{ record: { values: { zip: person.zip } } }]);
  await decide(home.admin, review);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

test('a patient entered by hand reveals nothing about anyone outside, as a roster row does not', async () => {
  const person = newPerson();
  const { organizationId } = away;
  await arrive(person, 'ELSE-1');
  const office = await make.group({ organizationId, type: 'SNF', facilityType: 'SNF', approvedAt: clock.now() });
  const admin = await colleague(away, [office.id]);
  const second = await colleague(away, [office.id]);
  await processing(enter(admin, office.id, { ...person, zip: '14850' }));
  const [entered] = await reviewsOf(second);
  expect(entered).toMatchObject({ candidates: [], hasOutsideCandidate: true, isOwnEntry: false, isClear: false });
  expect((await reviewsOf(admin))[0]).toMatchObject({ candidates: [], isOwnEntry: true });
  const params = { id: entered?.id ?? '' };
  const refused = (candidateId: string | null) =>
    refusedWith(
      second.call('POST /api/feeds/reviews/:id', {
        params,
        body: { candidateId, version: entered?.version ?? '' },
      }),
    );
  const seen = (await reviewsOf(operator)).find(({ id }) => id === params.id);
  expect(await refused(seen?.candidates[0]?.id ?? '')).toEqual([404, 'NOT_FOUND']);
  expect(await refused(null)).toEqual([403, 'REVIEW_OUTSIDE']);
});

test('a roster row is compared with the own record alone, though the person has records elsewhere', async () => {
  const person = newPerson();
  await listed(person, away.organizationId);
  await arrive(person, 'BOTH-1', person.zip);
  const { id: second } = await make.group({ organizationId: away.organizationId });
  const { id } = await make.rosterPatient({
    groupId: second,
    member_id: `SECOND-${person.family}`,
    first_name: person.given,
    last_name: person.family,
    date_of_birth: person.birthDate,
    gender: 'Female',
    address1: '9 Guessed Road',
    zip: ELSEWHERE,
    content_hash: Buffer.from('x'),
  });
  await database.pipeline.transaction((tx) => identifyAll(tx, [{ kind: 'ROSTER_PATIENT', id }], { now: clock.now() }));
  const admin = await colleague(away, [second]);
  const review = await reviewOf(admin, `SECOND-${person.family}`);
  expect(review).toMatchObject({ candidates: [{ record: { source: 'ROSTER' }, otherRecords: 0 }], isClear: false });
  expect(review.candidates[0]?.agreement.street).toBe('unknown');
  const [full] = (await reviewOf(operator, `SECOND-${person.family}`)).candidates;
  expect(full?.otherRecords).toBe(1);
});

test('the likeliest come first, then the oldest; the age of the oldest is of all pages', async () => {
  const [plain, later, doubtful, near] = [newPerson(), newPerson(), newPerson(), newPerson()];
  for (const person of [plain, later, near]) await listed(person, home.organizationId);
  await listed({ ...doubtful, given: `${doubtful.given}x`, sex: 'M' }, home.organizationId);
  const known = new Set((await reviewsOf(home.admin)).map(({ id }) => id));
  const before = clock.now();
  await arrive(doubtful, 'ORDER-D', doubtful.zip);
  await arrive({ ...plain, sex: 'M' }, 'ORDER-A');
  clock.advance(60_000);
  await arrive({ ...later, sex: 'M' }, 'ORDER-B');
  await arrive(near, 'ORDER-C');
  const { reviews, oldestDate } = await home.admin.call('GET /api/feeds/reviews', { query: { pageSize: 100 } });
  const order = reviews.filter(({ id }) => !known.has(id)).map(({ record }) => record.number);
  expect(order).toEqual(['ORDER-C', 'ORDER-A', 'ORDER-B', 'ORDER-D']);
  expect(new Date(oldestDate ?? '').getTime()).toBeLessThanOrEqual(before.getTime());
  const { reviews: first, total } = await home.admin.call('GET /api/feeds/reviews', { query: { pageSize: 1 } });
  expect([first.length, total]).toEqual([1, reviews.length]);
});

test('clear matches are linked one by one; one that is no longer clear stays open, and says so', async () => {
  const [clear, doubtful] = [newPerson(), newPerson()];
  const { program } = await listed(clear, home.organizationId);
  await listed(doubtful, home.organizationId);
  await arrive(clear, 'BULK-1', '');
  await arrive(doubtful, 'BULK-2', '');
  const [one, two] = [await reviewOf(home.admin, 'BULK-1'), await reviewOf(home.admin, 'BULK-2')];
  expect([one.isClear, two.isClear]).toEqual([true, true]);
  await listed({ ...doubtful, zip: '98199' }, home.organizationId);
  // Another candidate came up: the patient's next message finds both.
  await arrive(doubtful, 'BULK-2', '98102');
  await decide(home.admin, one, true);
  expect(await refusedWith(decide(home.admin, two, true))).toEqual([409, 'REVIEW_CHANGED']);
  expect(await refusedWith(decide(home.admin, await reviewOf(home.admin, 'BULK-2'), true))).toEqual([409, 'NOT_CLEAR']);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
  expect((await reviewOf(home.admin, 'BULK-2')).isClear).toBe(false);
});

test('decisions are kept as labeled pairs without values; undoing one marks it, and a later one adds to them', async () => {
  const person = newPerson();
  await listed(person, home.organizationId);
  await arrive(person, 'LABEL-1');
  const review = await reviewOf(home.admin, 'LABEL-1');
  const params = { id: review.id };
  await decide(home.admin, review);
  await home.admin.call('POST /api/feeds/reviews/:id/undo', { params });
  await home.admin.call('POST /api/feeds/reviews/:id', {
    params,
    body: { candidateId: null, version: (await reviewOf(home.admin, 'LABEL-1')).version },
  });
  const { rows } = await database.pipeline.query<{ outcome: string; isUndone: boolean; evidence: object }>(sql`
    select outcome, undone_at is not null as "isUndone", evidence from labeled_pairs where review_id = ${review.id} order by id`);
  expect(rows.map(({ outcome, isUndone }) => [outcome, isUndone])).toEqual([
    ['SAME', true],
    ['DIFFERENT', false],
  ]);
  expect(rows[0]?.evidence).toMatchObject({ version: expect.any(String), fields: { family: 'exact', zip: 'differs' } });
  expect(JSON.stringify(rows)).not.toMatch(
    new RegExp(`${person.family}|${person.given}|${person.zip}|${person.birthDate}`),
  );
  await expect(database.app.query('select from labeled_pairs')).rejects.toThrow('permission denied');
});

test('a look at a page is in the audit log with the patients shown, and in the list of who has seen them', async () => {
  const person = newPerson();
  const { listing } = await listed(person, home.organizationId);
  await arrive(person, 'AUDIT-1');
  await reviewsOf(home.admin);
  const { rows } = await database.pipeline.query<{ patientIds: string[] }>(sql`
    select patient_ids as "patientIds" from audit_entries where action = 'match-review.list' order by id desc limit 1`);
  expect(rows[0]?.patientIds).toContain(listing);
  const { accesses } = await operator.call('GET /api/patients/:id/accesses', {
    params: { id: `${listing}_0` },
    query: {},
  });
  expect(accesses).toContainEqual(expect.objectContaining({ kind: 'matched', by: expect.anything() }));
});
