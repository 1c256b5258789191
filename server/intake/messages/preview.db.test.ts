import { expect, test } from 'vitest';
import { admission, feedOffice, refusedWith } from '#server/testing/feed-office.ts';
import { adt, type TestPerson } from '#server/testing/hospital.ts';

const { app, hosp, home, operator } = await feedOffice();
const { database, make } = app;

/** The call itself is audited, is activity of its session, and uses a right. */
const OF_THE_CALL = /^(audit_entries|sessions$|right_uses$)/;

/** Returns the number and a digest of the rows in every table. */
async function allRows(): Promise<unknown> {
  const tables = await database.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'tidings'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables.rows) {
    const { rows } = await database.owner.query(
      `select count(*)::int as rows, md5(string_agg(md5(t::text), '' order by md5(t::text))) as digest from ${name} t`,
    );
    if (!OF_THE_CALL.test(name)) found[name] = rows[0];
  }
  return found;
}

test('a preview reports what a message would do, and to operators also who it matches, and changes nothing', async () => {
  const program = await make.group();
  const person: TestPerson = {
    family: 'Oxenbridge',
    given: 'Delphine',
    birthDate: '1938-12-30',
    sex: 'F',
    zip: '13021',
  };
  await hosp.list(program.id, person);
  const before = await allRows();
  const text = admission({ record: 'P-1', visit: 'PV-1', person });
  const preview = (as = operator) => as.call('POST /api/feeds/preview', { body: { feedId: home.feedId, text } });
  expect(await preview(home.admin)).toMatchObject({ outcome: 'facts', matching: null, recipients: null });
  expect(await preview()).toEqual({
    outcome: 'facts',
    reason: 'Created: admission',
    facilityName: 'Hospital HOME',
    matching: 'matched',
    events: [{ change: 'added', status: 'ADMIT', eventDate: '2026-11-20T14:00:00Z' }],
    recipients: 1,
  });
  expect(await allRows()).toEqual(before);
  expect(await preview()).toEqual(await preview());
  expect(await hosp.pings(program.id)).toEqual([]);

  await hosp.send(text);
  const cancel = adt('A11', {
    at: '202611200900',
    sentAt: '202611200930',
    record: 'P-1',
    visit: 'PV-1',
    facility: 'HOME',
    person,
  });
  const applied = await allRows();
  expect(
    await operator.call('POST /api/feeds/preview', {
      body: { feedId: home.feedId, text: cancel.replaceAll('\r', '\n') },
    }),
  ).toMatchObject({
    outcome: 'facts',
    events: [{ change: 'cancelled', status: 'ADMIT' }],
    recipients: 1,
  });
  expect(await allRows()).toEqual(applied);
  expect(await hosp.pings(program.id)).toEqual(['ADMIT ACTIVE current']);
});

test('a preview reports why a message would do nothing', async () => {
  const preview = (text: string) => operator.call('POST /api/feeds/preview', { body: { feedId: home.feedId, text } });
  const nothing = { facilityName: null, matching: null, events: [], recipients: 0 };
  expect(await preview('PID|1')).toEqual({
    ...nothing,
    outcome: 'quarantine',
    reason: "The MSH segment can't be read. Check the first line and the delimiters that the sender uses.",
  });
  expect(await preview(admission({ facility: 'AWAY' }))).toEqual({
    ...nothing,
    outcome: 'quarantine',
    reason: "MSH-3/MSH-4 of this message don't match an approved sender of this feed.",
  });
  expect(await preview(admission().replace('|P|2.5.1', '|T|2.5.1'))).toEqual({
    ...nothing,
    outcome: 'not-acted-on',
    reason: 'MSH-11 is T, which marks a test message.',
  });
  expect(await refusedWith(preview(admission() + admission()))).toEqual([400, 'BAD_REQUEST']);
});
