/** Notifications about people on the list of rising risk. */
import { expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { errorOf } from '#server/testing/calls.ts';
import { setNotification, startNotificationApp } from '#server/testing/notifications.ts';
import { filtering } from '#server/testing/search.ts';

const { database, deliver, facility, listed, office, saveFilter, subjectsTo } = await startNotificationApp();
const mercy = await facility();
const FLAG: Permission = 'canViewRisingRiskPatientNotifications';
const ONE = '1 new ping matches a saved filter';
const HOURS = 60;

const riskFilter = { searchContext: 'ALL', ...filtering({ riskList: 'RISING' }) } as const;

/** A person of the group with an ED visit yesterday. */
async function seenOnce(groupId: string) {
  const person = await listed([groupId]);
  await mercy.send('A03', person, { patientClass: 'E', visit: `FIRST-${person.family}`, minutesAgo: 30 * HOURS });
  return person;
}

test('the visit that puts someone on the list is reported, an earlier one is not', async () => {
  const user = await office();
  await setNotification(user.client, await saveFilter(user.client, riskFilter));
  const person = await seenOnce(user.groupId);
  await deliver();
  expect(await subjectsTo(user.id)).toEqual([]);
  await mercy.send('A04', person, { patientClass: 'E' });
  await deliver();
  expect(await subjectsTo(user.id)).toEqual([ONE]);
});

test(`without ${FLAG} a filter by rising risk can't notify, any other can`, async () => {
  const user = await office({ removed: [FLAG] });
  for (const facet of ['riskList', 'risingRisk'] as const) {
    const id = await saveFilter(user.client, { searchContext: 'ALL', ...filtering({ [facet]: 'RISING' }) });
    const body = { email: true, text: false, timing: 'AT_ONCE', hour: 8, muted: false } as const;
    const refused = await errorOf(user.client, 'PUT /api/notification-filter-preferences/:id', {
      params: { id },
      body,
    });
    expect(refused.errorKey).toBe('NOT_PERMITTED');
    await setNotification(user.client, id, { email: false });
  }
  await setNotification(user.client, await saveFilter(user.client));
});

test('who loses the permission is no longer notified', async () => {
  const user = await office();
  await setNotification(user.client, await saveFilter(user.client, riskFilter));
  const person = await seenOnce(user.groupId);
  await database.pipeline.query(sql`update grants set removed = array[${FLAG}]::text[] where user_id = ${user.id}`);
  await mercy.send('A04', person, { patientClass: 'E' });
  await deliver();
  expect(await subjectsTo(user.id)).toEqual([]);
});
