import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { HOUR, localTime, MINUTE, setNotification, startNotificationApp } from '#server/testing/notifications.ts';
import { forgetNotifications } from './forget.ts';

const { clock, database, deliver, facility, listed, lettersOf, notified, subjectsTo, work } =
  await startNotificationApp();
const mercy = await facility();
const ONE = '1 new ping matches a saved filter';
const CORRECTION = 'A correction was made to a ping you were notified about';

/** Marks what is queued as sent, as the job of letters does. */
const send = () =>
  database.pipeline.query(sql`update outbox set state = 'sent', sent_at = ${clock.now()} where state = 'queued'`);

async function reported(over: Parameters<typeof notified>[1] = {}) {
  const user = await notified({}, over);
  const person = await listed([user.groupId]);
  await mercy.send('A01', person, { minutesAgo: 30 });
  await deliver();
  await send();
  return { ...user, person };
}

/** Returns who was notified of the ping of a person, as its explanation has it for this user. */
async function noticesOf({ client, person }: Pick<Awaited<ReturnType<typeof reported>>, 'client' | 'person'>) {
  const { rows } = await database.pipeline.query<{ id: string; eventId: string }>(sql`
    select r.id || '_' || p.encounter_id as id, p.event_id as "eventId" from pings p join roster_patients r on r.id = p.roster_patient_id
    where r.last_name = ${person.family}`);
  const params = { id: rows[0]?.id ?? '', eventId: rows[0]?.eventId ?? '' };
  return (await client.call('GET /api/patients/:id/events/:eventId/explanation', { params })).notices;
}

test('the explanation of a ping names who was notified of it and of its correction', async () => {
  const user = await reported({ text: true });
  const sent = { name: 'Ama Osei', state: 'SENT', date: clock.now().toISOString() };
  expect(await noticesOf(user)).toEqual([
    { ...sent, channel: 'EMAIL', isCorrection: false },
    { ...sent, channel: 'TEXT', isCorrection: false },
  ]);
  await mercy.send('A11', user.person);
  await deliver();
  expect((await noticesOf(user)).slice(2)).toEqual([
    { ...sent, channel: 'EMAIL', isCorrection: true, state: 'QUEUED', date: expect.any(String) },
    { ...sent, channel: 'TEXT', isCorrection: true, state: 'QUEUED', date: expect.any(String) },
  ]);
});

describe('a ping that was reported and is retracted', () => {
  test('is corrected once, by the same channels, without a name', async () => {
    const user = await reported({ text: true });
    await mercy.send('A11', user.person);
    await deliver();
    await deliver();
    const letters = await lettersOf(user.id);
    expect(letters.map(({ topic, channel, recipient }) => [topic, channel, recipient])).toEqual([
      ['SAVED_FILTER', 'e-mail', user.username],
      ['SAVED_FILTER', 'text', letters[1]?.recipient],
      ['CORRECTION', 'e-mail', user.username],
      ['CORRECTION', 'text', letters[1]?.recipient],
    ]);
    expect(letters[2]?.subject).toBe(CORRECTION);
    expect(letters[2]?.body).toContain(`${CORRECTION}.\n\nOpen the patient:\nhttp://tidings.test/notifications/`);
    expect(letters[3]?.body).toContain(`Tidings: ${CORRECTION}.`);
    expect(JSON.stringify(letters)).not.toContain(user.person.family);
  });

  test('is corrected, and another admission under the same number is reported as new', async () => {
    const user = await reported();
    await mercy.send('A11', user.person, { minutesAgo: 29 });
    await deliver();
    await send();
    await mercy.send('A01', user.person, { minutesAgo: 28 });
    await deliver();
    const subjects = await subjectsTo(user.id);
    expect(subjects).toEqual([ONE, CORRECTION, ONE]);
  });

  test('is corrected also for who has muted the filter or deleted it since', async () => {
    for (const end of ['mute', 'delete'] as const) {
      const user = await reported();
      if (end === 'mute') await setNotification(user.client, user.filterId, { muted: true });
      else await user.client.call('DELETE /api/patient-search-params/:id', { params: { id: user.filterId } });
      await mercy.send('A11', user.person);
      await deliver();
      expect([end, await subjectsTo(user.id)]).toEqual([end, [ONE, CORRECTION]]);
    }
  });

  test('is not corrected for who never got the message, nor by a channel that failed', async () => {
    const never = await notified();
    const person = await listed([never.groupId]);
    await mercy.send('A01', person, { minutesAgo: 30 });
    await deliver();
    await database.pipeline.query(sql`update outbox set state = 'failed', failure = '550' where user_id = ${never.id}`);
    const both = await reported({ text: true });
    await database.pipeline.query(
      sql`update outbox set state = 'failed', failure = '400' where user_id = ${both.id} and channel = 'text'`,
    );
    await mercy.send('A11', person);
    await mercy.send('A11', both.person);
    await deliver();
    expect(await subjectsTo(never.id)).toEqual([ONE]);
    expect((await lettersOf(both.id)).map(({ topic, channel }) => `${topic} ${channel}`)).toEqual([
      'SAVED_FILTER e-mail',
      'SAVED_FILTER text',
      'CORRECTION e-mail',
    ]);
  });

  test('is corrected after quiet hours, and not for who lost access', async () => {
    const user = await reported();
    const gone = await reported();
    await user.client.call('PUT /api/notification-settings', { body: { quietHours: { from: 0, until: 23 } } });
    await database.pipeline.query(sql`delete from grants where user_id = ${gone.id}`);
    await mercy.send('A11', user.person);
    await mercy.send('A11', gone.person);
    await deliver();
    expect(await subjectsTo(user.id)).toEqual([ONE]);
    expect((await lettersOf(gone.id)).at(-1)).toMatchObject({
      topic: 'CORRECTION',
      state: 'suppressed',
      failure: 'NO_ACCESS',
    });
    for (let hour = 0; hour < 24 && (await subjectsTo(user.id)).length < 2; hour += 1) {
      clock.advance(HOUR);
      await work();
    }
    expect(await subjectsTo(user.id)).toEqual([ONE, CORRECTION]);
  });
});

/** Returns what the link of the user's latest email opens. */
async function opened(user: Awaited<ReturnType<typeof notified>>) {
  const letter = (await lettersOf(user.id)).findLast(({ channel }) => channel === 'e-mail');
  const uuid = /notifications\/([-0-9a-f]+)/.exec(letter?.body ?? '')?.[1] ?? '';
  return user.client.call('GET /api/notifications/:uuid', { params: { uuid } });
}

test('the link of a correction opens its patient, and that of a new ping its list', async () => {
  const user = await reported();
  expect((await opened(user)).patientId).toBeNull();
  await mercy.send('A11', user.person);
  await deliver();
  const { patientId } = await opened(user);
  const patient = await user.client.call('GET /api/patients/:id', { params: { id: patientId ?? '' } });
  expect(patient).toMatchObject({ lastName: user.person.family, currentPing: { state: 'CANCELLED' } });
});

test('several corrections of a filter within a minute are one message', async () => {
  const user = await notified();
  const people = [await listed([user.groupId]), await listed([user.groupId]), await listed([user.groupId])];
  for (const person of people) await mercy.send('A01', person, { minutesAgo: 30 });
  await deliver();
  await send();
  for (const person of people) await mercy.send('A11', person);
  await deliver();
  expect(await subjectsTo(user.id)).toEqual([
    '3 new pings match a saved filter',
    'Corrections were made to 3 pings you were notified about',
  ]);
  expect((await opened(user)).patientId).toBeNull();
});

test('a discharge that is canceled is corrected', async () => {
  const user = await reported();
  await mercy.send('A03', user.person, { minutesAgo: 5 });
  await deliver();
  await send();
  await mercy.send('A13', user.person);
  await deliver();
  expect(await subjectsTo(user.id)).toEqual([ONE, ONE, CORRECTION]);
});

test('a destination that is corrected twice is told twice, and not if it is sent again as it was', async () => {
  const user = await reported();
  const at = localTime(clock.now().getTime() - 5 * MINUTE);
  const to = async (disposition: string): Promise<void> => {
    const sentAt = localTime(clock.now().getTime());
    await mercy.send('A03', user.person, { at, sentAt, admitted: '', discharged: at, disposition });
    await deliver();
    await send();
  };
  await to('01');
  await to('03');
  expect(await subjectsTo(user.id)).toEqual([ONE, ONE, CORRECTION]);
  await to('06');
  expect(await subjectsTo(user.id)).toEqual([ONE, ONE, CORRECTION, CORRECTION]);
  await to('06');
  expect(await subjectsTo(user.id)).toEqual([ONE, ONE, CORRECTION, CORRECTION]);
});

test('after 90 days a notification is forgotten with what it reported, and corrected no more', async () => {
  const user = await reported();
  const kept = async () =>
    (await database.owner.query(sql`select from notification_matches where user_id = ${user.id}`)).rowCount;
  await forgetNotifications(database.pipeline, new Date(clock.now().getTime() + 89 * 24 * HOUR));
  expect(await kept()).toBe(1);
  await forgetNotifications(database.pipeline, new Date(clock.now().getTime() + 91 * 24 * HOUR));
  expect(await kept()).toBe(0);
});
