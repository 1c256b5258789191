/** The order of month and day in a feed's dates: what its messages show, the setting, and the messages that waited for it. */
import { expect, test, vi } from 'vitest';
import { feedOffice } from '#server/testing/feed-office.ts';
import { adt } from '#server/testing/hospital.ts';

const { app, hosp, home, away } = await feedOffice();

const written = (trigger: string, at: string, visit: string): string =>
  adt(trigger, {
    at,
    sentAt: at,
    record: `H-${visit}`,
    visit: `HV-${visit}`,
    facility: 'HOME',
    discharged: at,
    disposition: '01',
  });
const feed = async () => (await home.admin.call('GET /api/feeds', {}))[0];
const status = async (id: string) => (await hosp.message(id)).status;

test('unclear dates wait for the setting, which is chosen by what the others show', async () => {
  await hosp.send(written('A01', '10/25/2026 14:20', '1'), written('A01', '202611010900', '2'));
  expect(await feed()).toMatchObject({ seenDates: { MDY: 1, DMY: 0, EITHER: 0 }, hasUnreadDates: false });
  const waiting = await hosp.send(written('A03', '11/10/2026 14:20', '1'));
  expect(await status(waiting)).toBe('QUARANTINED');
  expect(await feed()).toMatchObject({
    seenDates: { MDY: 1, DMY: 0, EITHER: 1 },
    hasUnreadDates: true,
    quarantined: 1,
  });
  expect((await away.admin.call('GET /api/feeds', {})).map(({ seenDates }) => seenDates)).toEqual([
    { MDY: 0, DMY: 0, EITHER: 0 },
  ]);

  const params = { id: home.feedId };
  const { isWaiting: _, ...stored } = await home.admin.call('GET /api/admin/feeds/:id/settings', { params });
  const settings = { ...stored.settings, dateOrder: 'MDY' as const };
  const saved = await home.admin.call('PUT /api/admin/feeds/:id/settings', { params, body: { ...stored, settings } });
  expect(saved.settings).toEqual({ dateOrder: 'MDY' });
  const { rows } = await app.database.owner.query(
    `select detail -> 'changes' as changes from audit_entries where action = 'feed.change' and subject_id = $1`,
    [home.feedId],
  );
  expect(rows).toEqual([{ changes: { 'settings.dateOrder': [null, 'MDY'] } }]);

  await home.admin.call('POST /api/feeds/:id/replay', { params });
  await vi.waitFor(async () => expect(await status(waiting)).toBe('APPLIED'), 20_000);
  expect(await feed()).toMatchObject({ hasUnreadDates: false, quarantined: 0 });
  const stays = await app.database.owner.query('select status, discharged_at::text from encounters order by id');
  expect(stays.rows[0]).toEqual({ status: 'FINISHED', discharged_at: '2026-11-10 19:20:00+00' });
});

test('a preview counts nothing', async () => {
  const before = (await feed())?.seenDates;
  await home.admin.call('POST /api/feeds/preview', {
    body: { feedId: home.feedId, text: written('A01', '11/10/2026 14:20', '3') },
  });
  expect((await feed())?.seenDates).toEqual(before);
});
