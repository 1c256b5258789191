/** An organization's administrator tries to read the stays of someone whom the organization does not look after. */
import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { feedOffice, refusedWith } from '#server/testing/feed-office.ts';
import { adt, type TestPerson } from '#server/testing/hospital.ts';
import { ageLetters, runOperatorMails } from '#server/testing/jobs.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { manualEntry } from '#server/testing/manual-entry.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { ATTESTED } from '#server/testing/rosters.ts';
import { processUpload } from './process.ts';

const { app, hosp, home, away, operator, operatorName } = await feedOffice();
const { database, make, clock } = app;
const { admin } = away;

const HEADER = 'Member ID,First Name,Last Name,Date of Birth,ZIP,Gender,SSN Last 4,Phone,Address 1';
const dayOf = (birthDate: string): string => birthDate.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1');

/** Returns a line of a roster file about a person. */
const row = (id: string, { given, family, birthDate, zip, sex }: TestPerson, ssn = ''): string =>
  [id, given, family, dayOf(birthDate), zip, sex, ssn, '', ''].join(',');

/** Adds a program on the attacker's team, as its administrator does. */
async function program(): Promise<string> {
  const fields = {
    state: 'NY' as const,
    timeZone: 'America/New_York',
    address: null,
    isAutomated: false,
    isPart2Facility: false,
  };
  const name = `Heron Care ${newPerson().family}`;
  const { id } = await admin.call('POST /api/admin/groups', {
    body: { ...fields, name, type: 'PROGRAM', facilityType: null },
  });
  // What administrators are given in their own new group waits for someone else.
  for (const grant of await operator.call('GET /api/admin/pending-grants', {})) {
    const { version } = grant;
    await operator.call('POST /api/admin/pending-grants/:id/confirm', { params: { id: grant.id }, body: { version } });
  }
  return id;
}

async function upload(groupId: string, lines: readonly string[], query = ATTESTED): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([[HEADER, ...lines].join('\n')]), 'roster.csv');
  return admin.fetch(`/api/rosters/${groupId}/uploads${query}`, { method: 'POST', body: form });
}

const jobOf = (jobId: string) => admin.call('GET /api/rosters/uploads/:jobId', { params: { jobId } });
const confirm = (jobId: string, as = admin) =>
  as.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId } });

/** Uploads a file and processes it as far as it goes. */
async function apply(groupId: string, ...lines: string[]) {
  const { jobId } = (await (await upload(groupId, lines)).json()) as { jobId: string };
  await processUpload(database.pipeline, jobId, { clock: clock.now });
  return jobOf(jobId);
}

/** Makes a program whose rosters are approved. */
async function approvedProgram(): Promise<string> {
  const groupId = await program();
  const { jobId } = await apply(groupId, row('OWN', newPerson()));
  await confirm(jobId, operator);
  await processUpload(database.pipeline, jobId, { clock: clock.now });
  return groupId;
}

/** Returns someone who was at the foreign hospital two years ago and in May, with the ids of these visits. */
async function formerPatient() {
  const person = newPerson();
  const stay = async (visit: string, admitted: string, discharged: string) => {
    const record = `R-${person.family}`;
    await hosp.send(adt('A03', { at: discharged, record, visit, facility: 'HOME', person, admitted, discharged }));
    const { rows } = await database.pipeline.query<{ id: string }>(
      sql`select max(e.id) as id from encounters e where e.group_id = ${home.facility}`,
    );
    return rows[0]?.id ?? '';
  };
  const old = await stay(`O-${person.family}`, '202411010900', '202411030900');
  const recent = await stay(`N-${person.family}`, '202605010900', '202605030900');
  return { person, old, recent };
}

async function listingOf(groupId: string, memberId?: string): Promise<string> {
  const { rows } = await database.pipeline.query<{ id: string }>(sql`
    select max(id) as id from roster_patients
    where group_id = ${groupId} and (${memberId ?? null}::text is null or member_id = ${memberId ?? null})`);
  return rows[0]?.id ?? '';
}

const opens = async (listing: string, visit: string): Promise<boolean> =>
  (await admin.fetch(`/api/patients/${listing}_${visit}`)).status === 200;

const openingsOf = async (groupId: string) =>
  (
    await database.pipeline.query(sql`
      select how, user_id as by, foreign_visits as visits from record_openings where group_id = ${groupId} order by id`)
  ).rows;

const details = async (action: string, groupId: string) =>
  (
    await database.pipeline.query<{ detail: Record<string, unknown> }>(sql`
      select detail from audit_entries
      where action = ${action} and (detail ->> 'groupId' = ${groupId} or (subject = 'group' and subject_id = ${groupId})) order by id`)
  ).rows.map(({ detail }) => detail);

const userId = async (client: typeof admin): Promise<string> => (await client.call('GET /api/me', {})).user.id;

describe('a new group’s first roster', () => {
  test('needs an operator, who sees what was attested, and then opens twelve months', async () => {
    const { person, old, recent } = await formerPatient();
    const groupId = await program();
    const refused = await upload(groupId, [row('A1', person)], '?relationship=COVERAGE');
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { fields: { attested: expect.stringContaining('Confirm') } },
    ]);

    const { jobId, ...waiting } = await apply(groupId, row('A1', person));
    expect(waiting).toMatchObject({ status: 'AWAITING_CONFIRMATION', waitsFor: 'OPERATOR', relationship: 'COVERAGE' });
    expect(await listingOf(groupId)).toBe('');
    expect(await refusedWith(confirm(jobId))).toEqual([403, 'ROSTER_NEEDS_OPERATOR']);
    expect(await admin.call('GET /api/rosters/waiting', {})).toEqual([]);
    const seen = await operator.call('GET /api/rosters/waiting', {});
    expect(seen).toMatchObject([{ job: { jobId, totalRows: 1 }, isOwnUpload: false }]);
    expect(JSON.stringify(seen)).not.toContain(person.family);
    await runOperatorMails(app);
    const letters = await lettersTo(database, operatorName);
    expect(letters.map(({ body }) => body)).toEqual([
      "A program's first roster waits until an operator approves it. Review it:\n\nhttp://tidings.test/dashboard/admin/groups\n",
    ]);

    await confirm(jobId, operator);
    await processUpload(database.pipeline, jobId, { clock: clock.now });
    const listing = await listingOf(groupId);
    expect([await opens(listing, recent), await opens(listing, old)]).toEqual([true, false]);
    expect(await openingsOf(groupId)).toEqual([{ how: 'ROSTER', by: await userId(admin), visits: 1 }]);
    expect(await details('roster.open', groupId)).toMatchObject([{ persons: 1, visits: 1, relationship: 'COVERAGE' }]);
    expect(await details('roster.approve', groupId)).toEqual([{ uploadId: jobId }]);

    await hosp.send(
      adt('A01', { at: '202611200900', record: `R-${person.family}`, visit: 'NOW', facility: 'HOME', person }),
    );
    expect(await hosp.pings(groupId)).toEqual(['ADMIT ACTIVE current']);
    const unstated = await upload(groupId, [row('A1', person), row('A2', newPerson())], '');
    const next = (await unstated.json()) as { jobId: string };
    await processUpload(database.pipeline, next.jobId, { clock: clock.now });
    expect(await jobOf(next.jobId)).toMatchObject({ status: 'DONE', relationship: 'COVERAGE' });
    await ageLetters(app);
    await runOperatorMails(app);
    expect(await lettersTo(database, operatorName)).toHaveLength(1);
  });

  test('is not approved by the operator who uploaded it, and shows that no relationship was stated', async () => {
    const team = await make.team();
    const user = await make.user({ team, role: 'administrator', isOperator: true });
    const groupId = team.groupIds[0] ?? '';
    await database.pipeline.query(sql`update groups set approved_at = null where id = ${groupId}`);
    const own = await signIn(app, user.username);
    const form = new FormData();
    form.set('file', new Blob([[HEADER, row('A1', newPerson())].join('\n')]), 'roster.csv');
    const response = await own.fetch(`/api/rosters/${groupId}/uploads`, { method: 'POST', body: form });
    const { jobId } = (await response.json()) as { jobId: string };
    await processUpload(database.pipeline, jobId, { clock: clock.now });
    expect(await refusedWith(confirm(jobId, own))).toEqual([403, 'ROSTER_NEEDS_OPERATOR']);
    expect(await confirm(jobId, operator)).toMatchObject({ status: 'APPLYING', relationship: null });
  });
});

describe('a review about someone of another organization', () => {
  test('shows no evidence, is not decided by the uploader, and is left to an operator', async () => {
    const { person, recent } = await formerPatient();
    const groupId = await approvedProgram();
    await apply(groupId, row('W1', { ...person, zip: '98101' }));
    const [review] = (await admin.call('GET /api/feeds/reviews', { query: {} })).reviews;
    expect(review).toMatchObject({ candidates: [], isClear: false, hasOutsideCandidate: true, isOwnEntry: true });
    const params = { id: review?.id ?? '' };
    const versionFor = async (as: typeof admin) =>
      (await as.call('GET /api/feeds/reviews', { query: {} })).reviews.find(({ id }) => id === params.id)?.version ??
      '';
    const decide = async (candidateId: string | null, as = admin) => {
      const body = { candidateId, version: await versionFor(as) };
      return refusedWith(as.call('POST /api/feeds/reviews/:id', { params, body }));
    };
    expect(await decide(null)).toEqual([403, 'OWN_ENTRY']);

    const [seen] = (await operator.call('GET /api/feeds/reviews', { query: {} })).reviews;
    const candidate = seen?.candidates[0]?.id ?? '';
    expect(seen?.candidates[0]?.record).toMatchObject({ source: 'FACILITY', values: { family: person.family } });
    expect(await decide(candidate)).toEqual([403, 'OWN_ENTRY']);
    const { id: teamId, organizationId } = { id: admin.teamId ?? '', organizationId: away.organizationId };
    const { username } = await make.user({ team: { id: teamId, organizationId }, role: 'administrator' });
    const colleague = await signIn(app, username);
    expect(await decide(null, colleague)).toEqual([403, 'REVIEW_OUTSIDE']);
    expect(await decide(candidate, colleague)).toEqual([404, 'NOT_FOUND']);

    await operator.call('POST /api/feeds/reviews/:id', {
      params,
      body: { candidateId: candidate, version: seen?.version ?? '' },
    });
    expect(await opens(await listingOf(groupId, 'W1'), recent)).toBe(true);
    expect(await openingsOf(groupId)).toEqual([{ how: 'REVIEW', by: await userId(operator), visits: 1 }]);
  });
});

describe('guesses', () => {
  test('of a number in one file are held, all of them, and reported', async () => {
    const { person } = await formerPatient();
    const groupId = await approvedProgram();
    const guesses = Array.from({ length: 26 }, (_, n) => row(`G${n}`, person, String(1000 + n)));
    const job = await apply(groupId, ...guesses, row('OK', newPerson()));
    expect(job).toMatchObject({ status: 'DONE', totalErrorRows: 26, errorsByColumn: { 'Whole row': 26 } });
    expect(await listingOf(groupId, 'G7')).toBe('');
    expect(await openingsOf(groupId)).toEqual([]);
    expect(await details('roster.guess-pattern', groupId)).toEqual([{ uploadId: job.jobId, rows: 26 }]);
    const { changes } = await operator.call('GET /api/admin/changes', { query: {} });
    expect(changes).toContainEqual(
      expect.objectContaining({ action: 'roster.guess-pattern', detail: { uploadId: job.jobId, rows: 26 } }),
    );
  });

  test('of a birth date are held as well', async () => {
    const person = newPerson();
    const groupId = await approvedProgram();
    const guesses = ['1950-05-01', '1950-05-02', '1950-05-03'].map((birthDate, n) =>
      row(`G${n}`, { ...person, birthDate }, '4711'),
    );
    expect(await apply(groupId, ...guesses)).toMatchObject({ status: 'FAILED', totalErrorRows: 3 });
  });

  test('of the birth date of one name at an address or in a ZIP code are held, but a few namesakes are not', async () => {
    const [person, groupId] = [newPerson(), await approvedProgram()];
    const guess = (n: number, street = '') =>
      `${row(`${street}${n}`, { ...person, birthDate: `1950-05-${10 + n}` })}${street}`;
    const guesses = (count: number, street = '') => Array.from({ length: count }, (_, n) => guess(n, street));
    expect(await apply(groupId, ...guesses(3, '4 Elm St'))).toMatchObject({ status: 'FAILED', totalErrorRows: 3 });
    expect(await apply(groupId, ...guesses(11))).toMatchObject({ status: 'FAILED', totalErrorRows: 11 });
    expect(await apply(groupId, ...guesses(4))).toMatchObject({ status: 'DONE', totalErrorRows: 0 });
  });

  test('of a birth date, one in each file, are held after three changes', async () => {
    const [person, groupId] = [newPerson(), await approvedProgram()];
    const errors: number[] = [];
    for (const n of [1, 2, 3, 4, 5]) {
      const guess = row(`G${n}`, { ...person, birthDate: `1950-05-1${n}` });
      errors.push((await apply(groupId, row('KEEP', { ...person, family: 'Keep' }), guess)).totalErrorRows);
    }
    expect(errors).toEqual([0, 0, 0, 0, 1]);
  });

  test.each([
    ['under one member id', () => 'G'],
    ['under a new member id each time', (n: number) => `G${n}`],
  ])('in one file after the other are held after three changes, %s', async (_, idOf) => {
    const person = newPerson();
    const groupId = await approvedProgram();
    const errors: number[] = [];
    for (const n of [1, 2, 3, 4, 5]) {
      const { totalErrorRows } = await apply(
        groupId,
        row('KEEP', { ...person, family: 'Keep' }),
        row(idOf(n), person, `100${n}`),
      );
      errors.push(totalErrorRows);
    }
    expect(errors).toEqual([0, 0, 0, 0, 1]);
    expect(await details('roster.guess-pattern', groupId)).toHaveLength(1);
    await database.owner.query(
      sql`update identity_attempts set at = at - interval '31 days' where group_id = ${groupId}`,
    );
    await database.owner.query(
      sql`update roster_patients set left_at = left_at - interval '31 days' where group_id = ${groupId}`,
    );
    expect(await apply(groupId, row(idOf(5), person, '1005'))).toMatchObject({ totalErrorRows: 0 });
  });
});

describe('guesses that are spelled differently', () => {
  const days = Array.from({ length: 60 }, (_, n) => new Date(Date.UTC(1950, 4, 1 + n)).toISOString().slice(0, 10));
  const letters = 'abcdefghijklmnopqrstuvwxyz';

  test.each<[string, (person: TestPerson, n: number) => Partial<TestPerson>]>([
    ['with a number after the name', ({ family }, n) => ({ family: `${family}${n + 1}` })],
    ['with the rest of the ZIP code', ({ zip }, n) => ({ zip: `${zip}-${1000 + n}` })],
    ['with an initial', ({ given }, n) => ({ given: `${given} ${letters[n % 26]}${n < 26 ? '' : ' b'}` })],
    [
      'with a title, an accent and a mark',
      ({ family }, n) => ({ given: 'Mrs. Márgaret', family: `${family}'`.slice(0, n % 2 ? 99 : -1) }),
    ],
  ])('are held %s, and reported', async (_, spelled) => {
    const { person, recent } = await formerPatient();
    const someone = { ...person, given: 'Margaret' };
    const groupId = await approvedProgram();
    const guesses = days.map((birthDate, n) => row(`G${n}`, { ...someone, birthDate, ...spelled(someone, n) }));
    const job = await apply(groupId, row('OWN', newPerson()), ...guesses);
    expect(job).toMatchObject({ totalErrorRows: 60 });
    expect(await details('roster.guess-pattern', groupId)).toEqual([{ uploadId: job.jobId, rows: 60 }]);
    expect(await opens(await listingOf(groupId), recent)).toBe(false);
  });

  test('are held when digits are tried with a wrong ZIP code', async () => {
    const [person, groupId] = [newPerson(), await approvedProgram()];
    const guesses = Array.from({ length: 30 }, (_, n) =>
      row(`S${n}`, { ...person, family: `${person.family}${n}`, zip: '49111' }, String(4200 + n)),
    );
    expect(await apply(groupId, ...guesses)).toMatchObject({ totalErrorRows: 30 });
  });

  test('count together in all programs of the organization', async () => {
    const [person, one, other] = [newPerson(), await approvedProgram(), await approvedProgram()];
    const guess = (n: number) => row(`G${n}`, { ...person, family: `${person.family}${n}` }, String(1000 + n));
    expect(await apply(one, guess(1), guess(2))).toMatchObject({ totalErrorRows: 0 });
    expect(await apply(other, row('OWN', newPerson()), guess(3), guess(4))).toMatchObject({ totalErrorRows: 2 });
  });
});

describe('a manual entry', () => {
  const { enter: enterAt, processing } = manualEntry(app);
  const enter = (person: TestPerson, over: Record<string, unknown> = {}) => enterAt(admin, away.facility, person, over);

  test('attests treatment if it says nothing else, opens nothing of the past, and is audited', async () => {
    const { person, recent } = await formerPatient();
    expect(await refusedWith(enter(person, { relationship: 'FRIENDSHIP' }))).toEqual([400, 'BAD_REQUEST']);
    const { patientId } = await processing(enter(person, { eventDate: '2026-04-01', relationship: undefined }));
    const [listing = ''] = patientId.split('_');
    expect(await opens(listing, recent)).toBe(false);
    const rows = await database.pipeline.query(sql`
      select p.relationship, p.attested_by as by, (select count(distinct group_id)::int from encounters e where e.person_id = p.person_id) as facilities
      from roster_patients p where p.id = ${listing}`);
    expect(rows.rows).toEqual([{ relationship: 'TREATMENT', by: await userId(admin), facilities: 2 }]);
    expect((await details('patient.enter', away.facility)).at(-1)).toMatchObject({
      relationship: 'TREATMENT',
      visits: 0,
    });

    const at = clock.now().toISOString().replaceAll(/[-:T]/g, '').slice(0, 12);
    await hosp.send(
      adt('A01', {
        at,
        record: `R-${person.family}`,
        visit: `C-${person.family}`,
        facility: 'HOME',
        person,
        admitted: at,
      }),
    );
    expect((await hosp.pings(away.facility)).length).toBe(1);
  });

  test('that opens a stay going on elsewhere is recorded', async () => {
    const person = newPerson();
    const at = clock.now().toISOString().replaceAll(/[-:T]/g, '').slice(0, 12);
    await hosp.send(
      adt('A01', { at, record: `R-${person.family}`, visit: 'C', facility: 'HOME', person, admitted: at }),
    );
    await processing(enter(person));
    expect((await openingsOf(away.facility)).at(-1)).toEqual({ how: 'MANUAL', by: await userId(admin), visits: 1 });
    expect((await details('patient.enter', away.facility)).at(-1)).toMatchObject({ visits: 1 });
  });

  test('of one name with other birth dates is refused after the third', async () => {
    const person = newPerson();
    const guesses = [1, 2, 3, 4, 5].map((n) => enter(person, { dateOfBirth: `1950-05-1${n}`, zip: `1462${n}` }));
    const outcomes = await processing(Promise.allSettled(guesses));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  });

  test.each<[string, (person: TestPerson, n: number) => Record<string, unknown>]>([
    ['numbers after it', ({ family }, n) => ({ lastName: `${family}${n}` })],
    ['initials after it', ({ given }, n) => ({ firstName: `${given} ${'abcdef'[n]}` })],
  ])('of one name with %s and other birth dates is refused after the third', async (_, spelled) => {
    const person = newPerson();
    const guesses = [1, 2, 3, 4, 5].map((n) => enter(person, { dateOfBirth: `1955-11-1${n}`, ...spelled(person, n) }));
    const outcomes = await processing(Promise.allSettled(guesses));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  });

  test('with other digits is refused after the third, also when sent at once, and reported', async () => {
    const person = newPerson();
    // Numbers of their own: without one, the same person entered several times at once is entered once.
    const guesses = [1, 2, 3, 4, 5, 6].map((n) => enter(person, { ssnLast4: `100${n}`, recordNumber: `G-${n}` }));
    const outcomes = await processing(Promise.allSettled(guesses));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(3);
    expect(refused).toContainEqual(expect.objectContaining({ reason: expect.objectContaining({ status: 429 }) }));
    expect((await details('roster.guess-pattern', away.facility)).length).toBeGreaterThanOrEqual(3);
  });
});
