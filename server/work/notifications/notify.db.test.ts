import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { HOUR, MINUTE, setNotification, startNotificationApp } from '#server/testing/notifications.ts';

const scene = await startNotificationApp();
const { clock, database, deliver, facility, listed, lettersOf, make, notified, saveFilter, subjectsTo, work } = scene;
const mercy = await facility();
const ONE = '1 new ping matches a saved filter';

describe('a new ping that matches a saved filter', () => {
  test('is reported once, a minute later, by a count and a link', async () => {
    const user = await notified();
    const person = await listed([user.groupId]);
    await mercy.send('A01', person);
    await work();
    expect(await lettersOf(user.id)).toEqual([]);
    clock.advance(MINUTE);
    await work();
    await work();
    const [letter, ...others] = await lettersOf(user.id);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ channel: 'e-mail', recipient: user.username, subject: ONE, state: 'queued' });
    expect(letter?.body).toMatch(
      /^1 new ping matches a saved filter\.\n\nOpen the list:\nhttp:\/\/tidings\.test\/notifications\/[\da-f-]{36}\?notificationModality=EMAIL\n/,
    );
  });

  test('is reported by text too, to a confirmed number', async () => {
    const user = await notified({}, { text: true });
    await mercy.send('A01', await listed([user.groupId]));
    await deliver();
    const letters = await lettersOf(user.id);
    expect(letters.map(({ channel }) => channel)).toEqual(['e-mail', 'text']);
    expect(letters[1]?.body).toMatch(
      /^Tidings: 1 new ping matches a saved filter\. http.*TEXT Reply STOP to opt out\.$/,
    );
  });

  test('is one match for a team with several groups that list the person', async () => {
    const user = await notified({ groups: 2 });
    await mercy.send('A01', await listed(user.groupIds));
    await deliver();
    expect(await subjectsTo(user.id)).toEqual([ONE]);
  });

  test('is reported after the job was not running, and not again after it failed', async () => {
    const user = await notified();
    await mercy.send('A01', await listed([user.groupId]));
    clock.advance(5 * HOUR);
    await deliver();
    await deliver();
    expect(await subjectsTo(user.id)).toEqual([ONE]);
  });
});

describe('no message is sent', () => {
  const none = async (user: { id: string }) => {
    await deliver();
    expect(await subjectsTo(user.id)).toEqual([]);
  };

  test('about a ping that comes more than 72 hours late', async () => {
    const user = await notified();
    await mercy.send('A01', await listed([user.groupId]), { minutesAgo: 73 * 60 });
    await none(user);
  });

  test('about a backfill', async () => {
    const user = await notified();
    await (await facility({ isBackfill: true })).send('A01', await listed([user.groupId]));
    await none(user);
  });

  test('about a 42 CFR Part 2 facility, also with a consent, or if it comes under Part 2 before the message goes out', async () => {
    const user = await notified();
    const clinic = await facility({ isPart2: true });
    const person = await listed([user.groupId]);
    await database.pipeline.query(sql`
      insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
      select person_id, ${clinic.id}, ${user.groupId}, ${clock.now()} from roster_patients where group_id = ${user.groupId}`);
    await clinic.send('A01', person);
    expect(await scene.hosp.pings(user.groupId)).toEqual(['ADMIT ACTIVE current']);
    await none(user);
    const other = await facility();
    await other.send('A01', await listed([user.groupId]));
    await work();
    await database.pipeline.query(sql`update groups set is_part2_facility = true where id = ${other.id}`);
    clock.advance(MINUTE);
    await none(user);
  });

  test('to the person who entered the event, but to a colleague', async () => {
    const { id: organizationId } = await make.organization();
    const home = await make.group({ organizationId, type: 'SNF', facilityType: 'SNF', isAutomated: false });
    const program = await make.group({ organizationId });
    const team = await make.team({ organizationId, groupIds: [home.id, program.id] });
    const [author, colleague] = [await make.user({ team }), await make.user({ team })];
    for (const { username } of [author, colleague]) {
      const client = await signIn(scene.app, username);
      await setNotification(client, await saveFilter(client));
    }
    const person = await listed([program.id]);
    const id = await scene.hosp.enter(home.id, {
      code: 'ADMIT',
      record: 'M-1',
      visit: 'M-1',
      person,
      at: new Date(clock.now().getTime() - MINUTE).toISOString(),
    });
    await database.pipeline.query(sql`update messages set entered_by = ${author.id} where id = ${id}`);
    await deliver();
    expect(await subjectsTo(author.id)).toEqual([]);
    expect(await subjectsTo(colleague.id)).toEqual([ONE]);
  });

  test('while the filter is muted, or has no channel; nor about what came before it was turned on', async () => {
    const user = await notified({}, { muted: true });
    await mercy.send('A01', await listed([user.groupId]));
    await none(user);
    await setNotification(user.client, user.filterId, { email: false });
    await mercy.send('A01', await listed([user.groupId]));
    clock.advance(MINUTE);
    await setNotification(user.client, user.filterId);
    await none(user);
  });

  test('if the filter is muted or deleted before the message is due', async () => {
    for (const end of ['mute', 'delete'] as const) {
      const user = await notified();
      await mercy.send('A01', await listed([user.groupId]));
      await work();
      if (end === 'mute') await setNotification(user.client, user.filterId, { muted: true });
      else await user.client.call('DELETE /api/patient-search-params/:id', { params: { id: user.filterId } });
      clock.advance(MINUTE);
      await none(user);
    }
  });

  test('if the ping is retracted before the message is due', async () => {
    const user = await notified();
    const person = await listed([user.groupId]);
    await mercy.send('A01', person);
    await work();
    await mercy.send('A11', person);
    clock.advance(MINUTE);
    await none(user);
  });

  test('to another team, or about a group whose pings the user may not see', async () => {
    const other = await notified();
    const user = await notified({ groups: 2 });
    await database.pipeline.query(sql`
      update grants set removed = removed || '{canViewPings}' where user_id = ${user.id} and group_id = ${user.groupIds[1] ?? ''}`);
    await mercy.send('A01', await listed([user.groupIds[1] ?? '']));
    await none(user);
    expect(await subjectsTo(other.id)).toEqual([]);
  });

  test('to a disabled user', async () => {
    const user = await notified();
    await database.pipeline.query(sql`update users set disabled_at = ${clock.now()} where id = ${user.id}`);
    await mercy.send('A01', await listed([user.groupId]));
    await none(user);
  });
});

test('who loses access before the message is due is sent nothing, and the log says why', async () => {
  const user = await notified();
  await mercy.send('A01', await listed([user.groupId]));
  await work();
  await database.pipeline.query(sql`delete from grants where user_id = ${user.id}`);
  clock.advance(MINUTE);
  await work();
  expect(await lettersOf(user.id)).toMatchObject([{ state: 'suppressed', failure: 'NO_ACCESS', body: '' }]);
});

test('a text to a number that was removed is suppressed, and the email goes out', async () => {
  const user = await notified({}, { text: true });
  await mercy.send('A01', await listed([user.groupId]));
  await user.client.call('DELETE /api/users/notification-phone', {});
  await deliver();
  expect((await lettersOf(user.id)).map(({ state, failure }) => [state, failure])).toEqual([
    ['queued', null],
    ['suppressed', 'NO_NUMBER'],
  ]);
});

test('a burst of 300 pings within a minute is one message for each user and filter', async () => {
  const user = await notified();
  const people = [];
  for (let n = 0; n < 300; n += 1) people.push(await listed([user.groupId]));
  for (const [n, person] of people.entries()) {
    await mercy.send('A01', person);
    if (n % 60 === 59) {
      await work();
      clock.advance(10_000);
    }
  }
  await deliver();
  expect(await subjectsTo(user.id)).toEqual(['300 new pings match a saved filter']);
}, 240_000);

test('a user gets at most twelve messages an hour; what comes above that is joined and not lost', async () => {
  const user = await notified();
  for (let n = 0; n < 20; n += 1) {
    await mercy.send('A01', await listed([user.groupId]));
    await deliver();
  }
  expect(await subjectsTo(user.id)).toEqual(Array(12).fill(ONE));
  clock.advance(HOUR);
  await work();
  expect((await subjectsTo(user.id)).slice(12)).toEqual(['8 new pings match a saved filter']);
}, 240_000);

test('a digest comes once a day at its hour, and quiet hours hold back what is to be sent right away', async () => {
  // It is some time after 10 a.m. in New York.
  const digest = await notified({}, { timing: 'DAILY', hour: 7 });
  const night = await notified();
  await night.client.call('PUT /api/notification-settings', { body: { quietHours: { from: 9, until: 6 } } });
  for (let n = 0; n < 3; n += 1) await mercy.send('A01', await listed([digest.groupId, night.groupId]));
  await deliver();
  expect([await subjectsTo(digest.id), await subjectsTo(night.id)]).toEqual([[], []]);
  const hourOf = () =>
    Number(
      new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23' }).format(
        clock.now(),
      ),
    );
  const sentAt = { digest: -1, night: -1 };
  for (let quarter = 0; quarter < 96; quarter += 1) {
    clock.advance(15 * MINUTE);
    await work();
    if (sentAt.digest < 0 && (await subjectsTo(digest.id)).length > 0) sentAt.digest = hourOf();
    if (sentAt.night < 0 && (await subjectsTo(night.id)).length > 0) sentAt.night = hourOf();
  }
  expect(sentAt).toEqual({ digest: 7, night: 6 });
  const three = '3 new pings match a saved filter';
  expect([await subjectsTo(digest.id), await subjectsTo(night.id)]).toEqual([[three], [three]]);
}, 240_000);

describe('a filter that a colleague shares', () => {
  test('notifies each user by their own setting, once, of what they may see', async () => {
    const owner = await notified();
    const { filterId } = owner;
    await owner.client.call('PUT /api/patient-search-params/:id/shared', {
      params: { id: filterId },
      body: { shared: true },
    });
    const colleague = await make.user({ team: owner.team, role: 'care coordinator' });
    const client = await signIn(scene.app, colleague.username);
    await setNotification(client, filterId);
    const blind = await make.user({ team: owner.team, role: 'care coordinator' });
    await setNotification(await signIn(scene.app, blind.username), filterId);
    await database.pipeline.query(sql`update grants set removed = array['canViewPings'] where user_id = ${blind.id}`);
    await mercy.send('A01', await listed([owner.groupId]));
    await deliver();
    expect(await subjectsTo(owner.id)).toEqual([ONE]);
    expect(await subjectsTo(colleague.id)).toEqual([ONE]);
    expect(await subjectsTo(blind.id)).toEqual([]);

    await owner.client.call('PUT /api/patient-search-params/:id/shared', {
      params: { id: filterId },
      body: { shared: false },
    });
    await mercy.send('A01', await listed([owner.groupId]));
    await deliver();
    expect(await subjectsTo(owner.id)).toHaveLength(2);
    expect(await subjectsTo(colleague.id)).toEqual([ONE]);
  });
});
