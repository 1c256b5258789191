import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { identifyAll } from '#server/record/matching/identify.ts';
import { resendMoved, sendOpenVisits } from '#server/record/pings/notify.ts';
import { admission, feedOffice, refusedWith } from '#server/testing/feed-office.ts';
import { adt, type TestPerson } from '#server/testing/hospital.ts';

const { app, hosp, home, away, operator, audited } = await feedOffice();
const { database, make } = app;

const harrowgate: TestPerson = { family: 'Harrowgate', given: 'Ines', birthDate: '1947-01-08', sex: 'F', zip: '14850' };
const pennyroyal: TestPerson = {
  family: 'Pennyroyal',
  given: 'Tobias',
  birthDate: '1933-04-22',
  sex: 'M',
  zip: '13905',
};
const mossgrove: TestPerson = { family: 'Mossgrove', given: 'Hesper', birthDate: '1949-09-02', sex: 'F', zip: '14301' };
const wetherby: TestPerson = { family: 'Wetherby', given: 'Greta', birthDate: '1956-10-11', sex: 'F', zip: '10310' };
const larkspur: TestPerson = { family: 'Larkspur', given: 'Osric', birthDate: '1961-06-27', sex: 'M', zip: '11937' };

/** Adds a patient at HOME who may be on a program's roster, by default of the same organization: only the ZIP code differs. */
async function possibleMatch(person: TestPerson, record: string, { organizationId } = home) {
  const program = await make.group({ organizationId });
  await hosp.list(program.id, person);
  await hosp.send(admission({ record, visit: `V-${record}`, person: { ...person, zip: '98101' } }));
  const { reviews } = await home.admin.call('GET /api/feeds/reviews', { query: {} });
  const review = reviews.find(({ record: { number } }) => number === record);
  if (!review) throw new Error('No review is open');
  return { program: program.id, review };
}

test('a decision links the patient and sends the ping; undoing it retracts the ping and reopens the review', async () => {
  const { program, review } = await possibleMatch(harrowgate, 'W-1');
  expect(review).toMatchObject({
    record: { source: 'FACILITY', groupName: 'Hospital HOME', number: 'W-1' },
    candidates: [{ record: { source: 'ROSTER' }, reason: expect.stringContaining('Same name and birth date') }],
  });
  const params = { id: review.id };
  const candidateId = review.candidates[0]?.id ?? '';
  const { version } = review;
  expect(await hosp.pings(program)).toEqual([]);

  await home.admin.call('POST /api/feeds/reviews/:id', { params, body: { candidateId, version } });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
  expect((await home.admin.call('GET /api/feeds/reviews', { query: {} })).reviews.map(({ id }) => id)).not.toContain(
    review.id,
  );

  const listed = await database.pipeline.query<{ id: string; message: string }>(sql`
    select r.id, (select max(message_id) from facts) as message from roster_patients r
    where group_id = ${program} and last_name = ${harrowgate.family}`);
  const [{ id, message } = { id: '', message: '' }] = listed.rows;
  await operator.call('GET /api/feeds/messages/:id', { params: { id: message } });

  await home.admin.call('POST /api/feeds/reviews/:id/undo', { params });
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current']);
  expect((await home.admin.call('GET /api/feeds/reviews', { query: {} })).reviews.map(({ id }) => id)).toContain(
    review.id,
  );
  expect(await audited('match-review.decide')).toEqual([review.id]);
  expect(await audited('match-review.undo')).toEqual([review.id]);

  const { accesses } = await operator.call('GET /api/patients/:id/accesses', { params: { id: `${id}_0` }, query: {} });
  expect(accesses.filter(({ kind }) => kind === 'matched').length).toBeGreaterThanOrEqual(3);
  expect(accesses.filter(({ kind }) => kind === 'message')).toHaveLength(1);
});

test('no ping is sent for a patient who is "Not the same person", whatever the next message says', async () => {
  const { program, review } = await possibleMatch(pennyroyal, 'K-1');
  await home.admin.call('POST /api/feeds/reviews/:id', {
    params: { id: review.id },
    body: { candidateId: null, version: review.version },
  });
  await hosp.send(
    adt('A08', { at: '202611200930', record: 'K-1', visit: 'V-K-1', facility: 'HOME', person: pennyroyal }),
  );
  expect(await hosp.pings(program)).toEqual([]);
});

test('no ping is sent for a patient who is "Not the same person" when the roster changes either', async () => {
  const { program, review } = await possibleMatch(mossgrove, 'A-1');
  await home.admin.call('POST /api/feeds/reviews/:id', {
    params: { id: review.id },
    body: { candidateId: null, version: review.version },
  });
  await database.pipeline.query('update roster_patients set zip = $1 where group_id = $2', ['98101', program]);
  const { rows } = await database.pipeline.query<{ id: string }>('select id from roster_patients where group_id = $1', [
    program,
  ]);
  await database.pipeline.transaction(async (tx) => {
    const subjects = rows.map(({ id }) => ({ kind: 'ROSTER_PATIENT' as const, id }));
    const { relinked } = await identifyAll(tx, subjects, { now: app.clock.now() });
    await resendMoved(tx, relinked, app.clock.now());
    await sendOpenVisits(
      tx,
      subjects.map(({ id }) => id),
      app.clock.now(),
    );
  });
  expect(await hosp.pings(program)).toEqual([]);
});

test('a decision that a newer link has superseded cannot be undone', async () => {
  const { review } = await possibleMatch(wetherby, 'N-1');
  const params = { id: review.id };
  await home.admin.call('POST /api/feeds/reviews/:id', {
    params,
    body: { candidateId: review.candidates[0]?.id ?? '', version: review.version },
  });
  await hosp.send(
    adt('A40', {
      at: '202611200940',
      record: 'N-2',
      facility: 'HOME',
      person: { ...wetherby, birthDate: '1922-05-05' },
      priorRecord: 'N-1',
    }),
  );
  expect(await refusedWith(home.admin.call('POST /api/feeds/reviews/:id/undo', { params }))).toEqual([
    400,
    'BAD_REQUEST',
  ]);
});

test('reviews of another organization are not found, and only a candidate can be chosen', async () => {
  const { program, review } = await possibleMatch(larkspur, 'X-1');
  const params = { id: review.id };
  const candidateId = review.candidates[0]?.id ?? '';
  const { version } = review;
  expect(await away.admin.call('GET /api/feeds/reviews', { query: {} })).toEqual({
    reviews: [],
    total: 0,
    oldestDate: null,
    revision: expect.any(String),
  });
  expect(
    await refusedWith(away.admin.call('POST /api/feeds/reviews/:id', { params, body: { candidateId, version } })),
  ).toEqual([404, 'NOT_FOUND']);
  expect(await refusedWith(away.admin.call('POST /api/feeds/reviews/:id/undo', { params }))).toEqual([
    404,
    'NOT_FOUND',
  ]);
  const stranger = '0'.repeat(32);
  expect(
    await refusedWith(
      home.admin.call('POST /api/feeds/reviews/:id', { params, body: { candidateId: stranger, version } }),
    ),
  ).toEqual([404, 'NOT_FOUND']);
  expect(await hosp.pings(program)).toEqual([]);
  await operator.call('POST /api/feeds/reviews/:id', { params, body: { candidateId, version } });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});
