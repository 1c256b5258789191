/** A sender that waits is mailed to operators, and their decision to whoever asked. */
import { expect, test } from 'vitest';
import { type Client, signIn } from '#server/testing/app.ts';
import { addApprovedFeed, approveFeed, declineFeed } from '#server/testing/feed-approval.ts';
import { feedOffice } from '#server/testing/feed-office.ts';
import { ageLetters, runOperatorMails } from '#server/testing/jobs.ts';
import { lettersTo } from '#server/testing/letters.ts';

const { app, home, away, operator, operatorName } = await feedOffice();
const { make, database } = app;

const claim = (code: string, groupId = home.facility, identifiers = [code]) => ({
  name: `Feed ${code}`,
  sendingApplication: 'TESTADT',
  sendingFacility: code,
  facilities: identifiers.map((identifier) => ({ identifier, groupId, registrationIsVisit: false })),
});

/** Changes a feed as it is now. */
async function change(client: Client, id: string, part: object): Promise<void> {
  const params = { id };
  const read = await client.call('GET /api/admin/feeds/:id/settings', { params });
  await client.call('PUT /api/admin/feeds/:id/settings', { params, body: { ...read, ...part } });
}

/** Returns what someone was mailed with this subject, after all jobs have run. */
async function mailed(username: string, subject: string) {
  await runOperatorMails(app);
  return (await lettersTo(database, username)).filter((letter) => letter.subject === subject);
}
const waiting = (username = operatorName) => mailed(username, 'A sender waits for your approval');
const decisions = async (username: string) =>
  (await mailed(username, 'Your request in Tidings was decided')).map(({ body }) => body.split('\n\n')[1]);

test('operators are mailed that senders wait, once an hour and without names', async () => {
  const [disabled, invited] = [await make.user({ isOperator: true }), await make.user({ isOperator: true })];
  await database.pipeline.query('update users set disabled_at = now() where id = $1', [disabled.id]);
  await database.pipeline.query('update users set activated_at = null where id = $1', [invited.id]);
  await home.admin.call('POST /api/admin/feeds', { body: claim('WEST') });
  await away.admin.call('POST /api/admin/feeds', { body: claim('EAST', away.facility) });
  const [letter, ...more] = await waiting();
  expect(more).toEqual([]);
  expect(letter?.body).toBe(
    'The sender of a feed waits until an operator approves it. Review it:\n\nhttp://tidings.test/dashboard/feeds\n',
  );
  for (const username of [disabled.username, invited.username, home.adminName]) {
    expect(await waiting(username)).toEqual([]);
  }
  await home.admin.call('POST /api/admin/feeds', { body: claim('NORTH') });
  expect(await waiting()).toHaveLength(1);
  await ageLetters(app);
  await home.admin.call('POST /api/admin/feeds', { body: claim('SOUTH') });
  expect(await waiting()).toHaveLength(2);
});

test('a new sender of a running feed is mailed; a setting and what an operator saves are not', async () => {
  const { id } = await addApprovedFeed({ admin: home.admin, operator }, claim('MAIN'));
  const before = (await waiting()).length;
  await ageLetters(app);
  await change(home.admin, id, { settings: { timeZone: 'America/Chicago' } });
  await operator.call('POST /api/admin/feeds', { body: claim('OWN') });
  expect(await waiting()).toHaveLength(before);
  const { facilities } = claim('MAIN', home.facility, ['MAIN', '*']);
  await change(home.admin, id, { facilities });
  expect(await waiting()).toHaveLength(before + 1);
  await ageLetters(app);
  await change(home.admin, id, { settings: { timeZone: 'America/Denver' } });
  await change(operator, id, { settings: { timeZone: 'America/New_York' } });
  expect(await waiting()).toHaveLength(before + 1);
});

test('whoever asked is mailed what an operator decided', async () => {
  const { username } = await make.user({ team: home.team, role: 'administrator' });
  const asking = await signIn(app, username);
  const { id } = await asking.call('POST /api/admin/feeds', { body: claim('HILL') });
  const { id: other } = await asking.call('POST /api/admin/feeds', { body: claim('DALE') });
  await change(home.admin, other, { name: 'Feed of the dale' });
  await approveFeed(operator, id);
  await declineFeed(operator, other);
  const { facilities } = claim('HILL', home.facility, ['HILL', '*']);
  await change(asking, id, { facilities });
  await change(operator, id, { name: 'Feed of the hill' });
  await declineFeed(operator, id);
  expect(await decisions(username)).toEqual([
    'The sender of the feed Feed HILL was approved.',
    'The sender of the feed Feed of the dale was declined, and the feed was removed.',
    'The new sender of the feed Feed of the hill was declined, and the feed runs as before.',
  ]);
  expect(await decisions(home.adminName)).toEqual(['The sender of the feed Feed MAIN was approved.']);
});
