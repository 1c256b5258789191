/** Notifications of filters that are saved on the event feed. */
import { expect, test } from 'vitest';
import { setNotification, startNotificationApp } from '#server/testing/notifications.ts';

const { deliver, facility, listed, office, saveFilter, subjectsTo } = await startNotificationApp();
const mercy = await facility();

test('report to those who may open the feed, also without pings, and a correction follows', async () => {
  const analyst = await office({ role: 'analyst' });
  await setNotification(analyst.client, await saveFilter(analyst.client, { searchContext: 'EVENTS' }));
  // One of the inbox can't be set by somebody who may not open it.
  await expect(setNotification(analyst.client, await saveFilter(analyst.client))).rejects.toThrow('NOT_PERMITTED');
  const person = await listed([analyst.groupId]);
  await mercy.send('A01', person);
  await deliver();
  expect(await subjectsTo(analyst.id)).toEqual(['1 new event matches a saved filter']);
  await mercy.send('A11', person);
  await deliver();
  expect((await subjectsTo(analyst.id))[1]).toBe('A correction was made to an event you were notified about');
});

test('report nothing to someone who may not open the feed', async () => {
  const viewer = await office({ role: 'viewer' });
  const filterId = await saveFilter(viewer.client, { searchContext: 'EVENTS' });
  await expect(setNotification(viewer.client, filterId)).rejects.toThrow('NOT_PERMITTED');
  await mercy.send('A01', await listed([viewer.groupId]));
  await deliver();
  expect(await subjectsTo(viewer.id)).toEqual([]);
});
