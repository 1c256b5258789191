/** The health of feeds, as administrators see it. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { admission, feedOffice, refusedWith } from '#server/testing/feed-office.ts';
import { adt } from '#server/testing/hospital.ts';
import { forgetFeedHours, watchSilence } from './watch-silence.ts';

const { app, hosp, home, away, operator } = await feedOffice();
const { make, database, clock } = app;
const db = database.pipeline;
const HOUR = 3_600_000;

/** Gives a feed a past: ten messages in each hour of the last weeks, until hours ago. */
async function past(feedId: string, { weeks = 10, hoursAgo = 4, perHour = 10 } = {}): Promise<string> {
  const last = new Date(clock.now().getTime() - hoursAgo * HOUR);
  await db.query(sql`
    insert into feed_hours (feed_id, hour, received)
    select ${feedId}, date_trunc('hour', h, 'UTC'), ${perHour}
    from generate_series(${last}::timestamptz - make_interval(weeks => ${weeks}), ${last}::timestamptz, interval '1 hour') h`);
  await db.query(sql`
    insert into feed_counts (feed_id, day, received, last_at) values (${feedId}, ${last}::timestamptz::date, 1, ${last})`);
  return last.toISOString();
}

const stateOf = async (id: string, client = home.admin) =>
  (await client.call('GET /api/feeds', {})).find((feed) => feed.id === id)?.health;

/** Adds a feed of the hospital HOME. */
const newFeed = (code: string, name = `Feed ${code}`) =>
  hosp.feed(home.organizationId, { [code]: home.facility }, { name, sendingFacility: code });

test('a feed is silent from the minute in which the job finds it so, until a new message comes', async () => {
  const id = await newFeed('QUIET');
  expect(await stateOf(id)).toMatchObject({ state: 'UNHEARD', silentSince: null, lastDay: 0, usualDay: null });
  const since = await past(id);
  expect(await stateOf(id)).toMatchObject({ state: 'HEARD', usualDay: 240 });
  await watchSilence(db, clock.now());
  expect(await stateOf(id)).toMatchObject({ state: 'SILENT', silentSince: since });
  const health = await home.admin.call('GET /api/feeds/:id/health', { params: { id } });
  expect(health.usualSinceLast).toEqual(Array(8).fill(30));
  expect(health.hours).toHaveLength(48);
  expect(health.hours.at(-5)).toMatchObject({ messages: 10 });
  expect(health.hours.at(-2)).toMatchObject({ messages: 0 });

  // A resend is no news, a message is.
  const text = admission({ facility: 'QUIET', record: 'Q-1', visit: 'Q-1' });
  await hosp.send(text.replace('|QUIET|TID', '|QUIET|TID'));
  await watchSilence(db, clock.now());
  expect(await stateOf(id)).toMatchObject({ state: 'HEARD', silentSince: null });
});

test('a sender that repeats one message is silent, and a queue that is behind is not', async () => {
  const repeats = await newFeed('REPEATS');
  const text = admission({ facility: 'REPEATS', record: 'R-1', visit: 'R-1' });
  await hosp.send(text);
  await db.query(sql`delete from feed_counts where feed_id = ${repeats}`);
  await past(repeats);
  await hosp.send(text);
  const behind = await newFeed('BEHIND');
  await past(behind);
  await hosp.receive(admission({ facility: 'BEHIND', record: 'B-1', visit: 'B-1' }));
  await watchSilence(db, clock.now());
  expect((await stateOf(repeats))?.state).toBe('SILENT');
  expect((await stateOf(behind))?.state).toBe('HEARD');
  await hosp.queue.drain();
});

test('feeds that are paused, historical, new or not approved are not silent', async () => {
  const [paused, historical, fresh, waiting] = [
    await newFeed('PAUSED'),
    await hosp.feed(home.organizationId, { HISTORY: home.facility }, { sendingFacility: 'HISTORY', isBackfill: true }),
    await newFeed('FRESH'),
    await newFeed('UNAPPROVED'),
  ];
  for (const id of [paused, historical, waiting]) await past(id);
  await past(fresh, { weeks: 1 });
  await home.admin.call('POST /api/admin/feeds/:id/pause', { params: { id: paused } });
  await db.query(sql`update feeds set approved_at = null where id = ${waiting}`);
  await watchSilence(db, clock.now());
  const states = await Promise.all([paused, historical, fresh, waiting].map((id) => stateOf(id)));
  expect(states.map((health) => health?.state)).toEqual(['PAUSED', 'HEARD', 'NEW', 'WAITING']);
  await db.query(sql`update feeds set approved_at = created_at where id = ${waiting}`);
  await home.admin.call('POST /api/admin/feeds/:id/resume', { params: { id: paused } });
  await watchSilence(db, clock.now());
  expect((await stateOf(paused))?.state).toBe('SILENT');
});

test('delay, missing fields and codes without a mapping are counted once for each message', async () => {
  const id = await newFeed('LATE');
  const parts = { facility: 'LATE', person: undefined, patientClass: 'ZZ' } as const;
  // The clock says 10:00 in New York.
  await hosp.send(
    adt('A01', { ...parts, at: '202611200958', record: 'L-1', visit: 'L-1', admitted: '202611200958' }),
    adt('A03', {
      ...parts,
      at: '202611200600',
      record: 'L-1',
      visit: 'L-1',
      discharged: '202611200600',
      disposition: 'ELSEWHERE',
    }),
    adt('A08', { ...parts, at: '202611200930', record: 'L-1', visit: 'L-1', patientClass: 'I' }),
  );
  const params = { id };
  const health = await home.admin.call('GET /api/feeds/:id/health', { params });
  expect(health).toMatchObject({
    state: 'NEW',
    lastDay: 3,
    delayMinutes: 60,
    delays: [
      { withinMinutes: 5, messages: 1 },
      { withinMinutes: 60, messages: 1 },
      { withinMinutes: 240, messages: 1 },
    ],
    codes: [
      { field: 'PV1-2', code: 'ZZ', messages: 2 },
      { field: 'PV1-36', code: 'ELSEWHERE', messages: 1 },
    ],
    unmappedCodes: 2,
  });
  expect(health.fields).toContainEqual({ field: 'PID-7', messages: 2, missing: 2 });
  expect(health.fields).toContainEqual({ field: 'PV1-36', messages: 1, missing: 0 });
  expect(health.fields).toContainEqual({ field: 'PV1-19', messages: 2, missing: 0 });
  expect(health.fields).toContainEqual({ field: 'DG1-3', messages: 1, missing: 1 });
  const { messages } = await home.admin.call('GET /api/feeds/messages', { query: { feedId: id } });
  for (const message of messages)
    await home.admin.call('POST /api/feeds/messages/:id/replay', { params: { id: message.id } });
  expect(await home.admin.call('GET /api/feeds/:id/health', { params })).toMatchObject({
    codes: health.codes,
    fields: health.fields,
    delays: health.delays,
  });
});

test('a code that is text is not counted, because it could be about a patient', async () => {
  const id = await newFeed('TEXTS');
  const sent = { facility: 'TEXTS', at: '202611200600', record: 'X-1', visit: 'X-1', discharged: '202611200600' };
  await hosp.send(adt('A03', { ...sent, disposition: 'with her daughter Maren, 518-555-0100' }));
  const { codes } = await home.admin.call('GET /api/feeds/:id/health', { params: { id } });
  expect(codes).toEqual([]);
});

test('health is shown only to administrators of the organization and to operators', async () => {
  const params = { id: home.feedId };
  expect(await refusedWith(away.admin.call('GET /api/feeds/:id/health', { params }))).toEqual([404, 'NOT_FOUND']);
  expect((await operator.call('GET /api/feeds/:id/health', { params })).id).toBe(home.feedId);
  const coordinator = await signIn(app, (await make.user({ team: home.team, role: 'care coordinator' })).username);
  expect(await refusedWith(coordinator.call('GET /api/feeds/:id/health', { params }))).toEqual([403, 'NOT_PERMITTED']);
});

test('what nothing compares any more is deleted', async () => {
  const id = await newFeed('OLD');
  await past(id, { weeks: 20 });
  await forgetFeedHours(db, clock.now());
  const { rows } = await db.query<{ weeks: number }>(sql`
    select round(extract(epoch from max(hour) - min(hour)) / 604800)::int as weeks from feed_hours where feed_id = ${id}`);
  expect(rows).toEqual([{ weeks: 13 }]);
});

test('counts of messages by day and of codes by month are kept for 400 days, and a feed’s last day always', async () => {
  const [busy, ended] = [await newFeed('BUSY'), await newFeed('ENDED')];
  const counts = [
    [busy, 500],
    [busy, 399],
    [ended, 600],
    [ended, 500],
  ] as const;
  for (const [feed, days] of counts) {
    const at = new Date(clock.now().getTime() - days * 86_400_000);
    await db.query(
      sql`insert into feed_counts (feed_id, day, received, last_at) values (${feed}, ${at}::date, ${days}, ${at})`,
    );
    await db.query(sql`
      insert into outpatient_codes (feed_id, month, field, code) values (${feed}, date_trunc('month', ${at}::date), 'PV1-18', 'C')`);
  }
  await forgetFeedHours(db, clock.now());
  const { rows } = await db.query(sql`
    select feed_id as feed, received as days from feed_counts where feed_id in (${busy}, ${ended}) order by 2`);
  expect(rows).toEqual([
    { feed: busy, days: 399 },
    { feed: ended, days: 500 },
  ]);
  const { rows: codes } = await db.query(
    sql`select feed_id as feed from outpatient_codes where feed_id in (${busy}, ${ended})`,
  );
  expect(codes).toEqual([]);
});
