import { expect, test } from 'vitest';
import { administration } from '#server/testing/administration.ts';
import { anonymous, signIn, startApp } from '#server/testing/app.ts';
import { mailWaitingRequests } from './request-mails.ts';

const app = await startApp();
const { clock, database } = app;
const { rows, organization } = administration(app);
const stranger = anonymous(app);
const HOUR = 60 * 60_000;

let count = 0;
const ask = async (groupId: string, over: { username?: string; firstName?: string } = {}): Promise<string> => {
  const body = {
    username: `waiting${++count}@clinic.example`,
    firstName: 'Noor',
    lastName: 'Haddad',
    groupId,
    ...over,
  };
  await stranger.call('POST /api/registrations', { body });
  return body.username;
};
const mailsTo = (username: string) =>
  rows<{ subject: string; body: string }>('select subject, body from outbox where recipient = $1 order by id', [
    username,
  ]);
const firstLines = async (username: string) => (await mailsTo(username)).map(({ body }) => body.split('\n')[0]);
const runJob = () => mailWaitingRequests(database.pipeline, 'http://tidings.test', clock.now());
const runEveryTenMinutes = async (hours: number): Promise<void> => {
  for (let turn = 0; turn < hours * 6; turn++) {
    clock.advance(HOUR / 6);
    await runJob();
  }
};

/** Declines the oldest request, or the one of this address, in a new session: an hour ends the one before. */
const decline = async (adminName: string, username?: string): Promise<void> => {
  const admin = await signIn(app, adminName);
  const all = await admin.call('GET /api/admin/access-requests', {});
  const { id = '' } = all.find((each) => username === undefined || each.username === username) ?? {};
  await admin.call('DELETE /api/admin/access-requests/:id', { params: { id } });
};

test('whoever asks within an hour after a mail is mailed once the hour is over, together with all who wait', async () => {
  const { adminName, here } = await organization();
  for (let each = 0; each < 3; each++) {
    await ask(here.id);
    clock.advance(5 * 60_000);
    await runJob();
  }
  expect(await firstLines(adminName)).toEqual([`Someone asked to join ${here.name}. Review the request:`]);
  await runEveryTenMinutes(3);
  expect(await firstLines(adminName)).toEqual([
    `Someone asked to join ${here.name}. Review the request:`,
    `3 people are waiting to join ${here.name}. Review the requests:`,
  ]);
});

test('a request that was decided within the hour is not mailed, and one that waits alone is', async () => {
  const { adminName, here } = await organization();
  await ask(here.id);
  await ask(here.id);
  await decline(adminName);
  await decline(adminName);
  await runEveryTenMinutes(2);
  expect(await mailsTo(adminName)).toHaveLength(1);
  await ask(here.id);
  await ask(here.id);
  await decline(adminName);
  await runEveryTenMinutes(2);
  expect((await firstLines(adminName)).slice(1)).toEqual([
    `Someone asked to join ${here.name}. Review the request:`,
    `Someone is waiting to join ${here.name}. Review the request:`,
  ]);
});

test('a flood of 200 requests, also at once, makes at most one mail an hour, and none once all have been heard of', async () => {
  const { adminName, here } = await organization();
  await Promise.all(Array.from({ length: 5 }, () => ask(here.id)));
  expect(await mailsTo(adminName)).toHaveLength(1);
  for (let hour = 1; hour <= 4; hour++) {
    await database.pipeline.query(
      `insert into access_requests (username, first_name, last_name, group_id, created_at)
       select 'flood' || $3::text || '-' || n || '@clinic' || n || '.example', 'F', 'F', $1, $2 from generate_series(1, 48) n`,
      [here.id, clock.now(), String(hour)],
    );
    await runEveryTenMinutes(1);
  }
  await ask(here.id);
  expect((await mailsTo(adminName)).length).toBeLessThanOrEqual(5);
  await runEveryTenMinutes(3);
  const heard = await firstLines(adminName);
  expect(heard.at(-1)).toMatch(/^19[78] people are waiting to join /);
  await runEveryTenMinutes(30);
  expect(await mailsTo(adminName)).toHaveLength(heard.length);
});

test('a request is not mailed anew after its letters were forgotten', async () => {
  const { adminName, here } = await organization();
  await ask(here.id);
  clock.advance(91 * 24 * HOUR);
  await database.pipeline.query('delete from outbox where recipient = $1', [adminName]);
  await runJob();
  expect(await mailsTo(adminName)).toEqual([]);
});

test('a declined applicant gets a letter that names only the group; an address gets one an hour', async () => {
  const { adminName, here } = await organization();
  const [noor, omar] = [`noor${++count}@clinic.example`, `omar${count}@clinic.example`];
  const askAndDecline = async (username: string, firstName: string) => {
    await ask(here.id, { username, firstName });
    await decline(adminName, username);
  };
  await askAndDecline(noor, 'Visit evil.example');
  await askAndDecline(noor, 'Noor');
  await askAndDecline(omar, 'Omar');
  const [letter, ...more] = await mailsTo(noor);
  expect(more).toEqual([]);
  expect(letter?.subject).toBe('Your request for access');
  expect(letter?.body).toContain(`A request to join ${here.name} was made with this email address. It was declined.`);
  expect(JSON.stringify(letter)).not.toMatch(/evil|Haddad|Visit/);
  expect(await mailsTo(omar)).toHaveLength(1);
  clock.advance(HOUR + 60_000);
  await askAndDecline(noor, 'Noor');
  expect(await mailsTo(noor)).toHaveLength(2);
});
