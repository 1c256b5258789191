import { expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import { signIn } from '#server/testing/app.ts';
import { admission, feedOffice, maren, refusedWith } from '#server/testing/feed-office.ts';
import { adt } from '#server/testing/hospital.ts';

const { app, hosp, home, away } = await feedOffice();
const { make, database } = app;

const facilities = (identifiers = ['HOME']) =>
  identifiers.map((identifier) => ({ identifier, groupId: home.facility, registrationIsVisit: false }));
const attempt = (settings: Partial<FeedSettings>, identifiers?: string[], client = home.admin) =>
  client.call('POST /api/feeds/:id/try-settings', {
    params: { id: home.feedId },
    body: { settings, facilities: facilities(identifiers) },
  });

const first = await hosp.send(admission({ record: 'T-1', visit: 'TV-1', patientClass: 'ZZ', controlId: 'CLASS-1' }));
await hosp.send(
  admission({ record: 'T-2', visit: 'TV-2', patientClass: 'ZZ' }),
  adt('A03', {
    at: '202611200930',
    record: 'T-1',
    visit: 'TV-1',
    facility: 'HOME',
    person: maren,
    disposition: 'WARD 9',
  }),
  admission({ record: '0000', visit: 'TV-3' }),
);

test('settings in force change nothing', async () => {
  expect(await attempt({})).toMatchObject({ tried: 4, total: 4, changed: 0, changes: [] });
});

test('what would read differently is counted, with examples', async () => {
  const classMap = [{ patientClass: 'ZZ', setting: 'EMERGENCY' as const }, ...DEFAULT_FEED_SETTINGS.classMap];
  const dispositionMap = { ...DEFAULT_FEED_SETTINGS.dispositionMap, 'WARD 9': '03' };
  const trial = await attempt({ classMap, dispositionMap });
  expect(trial).toMatchObject({ tried: 4, total: 4, changed: 3 });
  const words = trial.changes.map(({ what, before, after, messages }) => `${messages} ${what}: ${before} → ${after}`);
  expect(words).toEqual(['2 setting: UNKNOWN → EMERGENCY', '1 disposition: WARD 9 → 03']);
  expect(trial.changes[0]?.examples).toContainEqual({
    messageId: first,
    controlId: 'CLASS-1',
    receivedAt: '2026-11-20T15:00:00.000Z',
  });
});

test('a message that would be read, or no longer be read, says why', async () => {
  const { changes } = await attempt({ testProcessingIds: ['P'] });
  expect(changes[0]).toMatchObject({ what: 'outcome', before: 'Applied', messages: 3 });
  expect(changes[0]?.after).toMatch(/^MSH-11 is P/);
  const unlisted = await attempt({}, ['ELSEWHERE']);
  expect(unlisted.changes[0]).toMatchObject({ what: 'outcome', before: 'Applied', messages: 3 });
  expect(unlisted.changes[0]?.after).toMatch(/isn't on the feed's facility list/);
});

test('a time zone changes times, whose values are not shown; names of patients appear nowhere', async () => {
  const trial = await attempt({ timeZone: 'America/Chicago' });
  expect(trial.changes.map(({ what, before, after }) => [what, before, after])).toEqual([['time', null, null]]);
  expect(JSON.stringify(trial)).not.toMatch(/Thistlewood|Maren|T-1|1944/);
});

test('nothing is stored, also of a paused feed', async () => {
  const count = async () =>
    (
      await database.pipeline.query(
        'select (select count(*) from facts) as facts, (select count(*) from messages) as messages, (select sum(received) from feed_counts) as received, (select settings from feeds where id = $1) as settings',
        [home.feedId],
      )
    ).rows;
  const before = await count();
  await home.admin.call('POST /api/admin/feeds/:id/pause', { params: { id: home.feedId } });
  expect((await attempt({ timeZone: 'America/Chicago' })).changed).toBe(3);
  await home.admin.call('POST /api/admin/feeds/:id/resume', { params: { id: home.feedId } });
  await hosp.queue.drain();
  expect(await count()).toEqual(before);
});

test('only who manages every facility of the feed tries its settings', async () => {
  expect(await refusedWith(attempt({}, undefined, away.admin))).toEqual([404, 'NOT_FOUND']);
  const coordinator = await signIn(app, (await make.user({ team: home.team, role: 'care coordinator' })).username);
  expect(await refusedWith(attempt({}, undefined, coordinator))).toEqual([403, 'NOT_PERMITTED']);
  const other = await make.team({ organizationId: home.organizationId });
  const outsider = await signIn(app, (await make.user({ team: other, role: 'administrator' })).username);
  expect(await refusedWith(attempt({}, undefined, outsider))).toEqual([403, 'NOT_PERMITTED']);
  expect(await refusedWith(attempt({ timeZone: 'Nowhere' }))).toEqual([400, 'BAD_REQUEST']);
});
