import { expect, test } from 'vitest';
import { signIn } from '#server/testing/app.ts';
import { admission, feedOffice, refusedWith } from '#server/testing/feed-office.ts';
import { adt } from '#server/testing/hospital.ts';

const { app, hosp, home, operator } = await feedOffice();
const { make } = app;

test('feeds are shown only to people who manage users', async () => {
  const { username } = await make.user({ team: await make.team(), role: 'care coordinator' });
  const coordinator = await signIn(app, username);
  expect(await refusedWith(coordinator.call('GET /api/feeds', {}))).toEqual([403, 'NOT_PERMITTED']);
});

test('an administrator sees the feeds of the organization with their health, an operator sees all feeds', async () => {
  const text = admission({ record: 'H-1', visit: 'HV-1' });
  await hosp.send(text, text, adt('A01', { at: '202611200900', record: 'H-2', facility: 'HOME', unit: '3W' }));
  await hosp.send(
    adt('A01', { at: '202611200900', record: 'H-3', facility: 'HOME' })
      .replaceAll('^HOME\r', '^WHERE\r')
      .replace('^A^HOME', '^A^HOME'),
  );
  const feeds = await home.admin.call('GET /api/feeds', {});
  expect(feeds).toEqual([
    {
      id: home.feedId,
      name: 'Feed HOME',
      kind: 'MLLP',
      organizationName: expect.any(String),
      sendingApplication: 'TESTADT',
      sendingFacility: 'HOME',
      timeZone: 'America/New_York',
      seenDates: { MDY: 0, DMY: 0, EITHER: 0 },
      hasUnreadDates: false,
      pausedAt: null,
      lastMessageAt: '2026-11-20T15:00:00.000Z',
      receivedToday: 4,
      quarantined: 0,
      facilities: [{ identifier: 'HOME', groupId: home.facility, groupName: 'Hospital HOME' }],
      approvedAt: expect.any(String),
      health: {
        state: 'NEW',
        silentSince: null,
        silentFacilities: [],
        lastDay: 3,
        usualDay: null,
        delayMinutes: 60,
        missingFields: 5,
        unmappedCodes: 0,
      },
      suggestedCodes: [],
      waiting: null,
    },
  ]);
  expect((await operator.call('GET /api/feeds', {})).map(({ name }) => name)).toEqual(['Feed AWAY', 'Feed HOME']);
});

test("what a feed received today is counted in its time zone, not in UTC's day", async () => {
  const today = async () =>
    (await home.admin.call('GET /api/feeds', {})).find(({ id }) => id === home.feedId)?.receivedToday ?? 0;
  const before = await today();
  // 11 PM on the day before, and midnight, in New York.
  await app.database.pipeline.query(
    "insert into feed_hours (feed_id, hour, received) values ($1, '2026-11-20T04:00Z', 70), ($1, '2026-11-20T05:00Z', 3)",
    [home.feedId],
  );
  expect(await today()).toBe(before + 3);
});
