import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { sendLetter } from '#server/platform/mail/send.ts';
import { startApp } from '#server/testing/app.ts';
import { startNotificationApp } from '#server/testing/notifications.ts';
import { signatureOf } from './text-replies.ts';

const { app, confirmNumber, office, notified, facility, listed, deliver, lettersOf, database, clock } =
  await startNotificationApp();
const PATH = '/api/text-messages/twilio';

/** Posts a reply as Twilio does, unless told otherwise. */
async function reply(fields: Record<string, string>, { token = 'secret', url = app.url, signed = fields } = {}) {
  const all = { AccountSid: 'AC0', MessageSid: 'SM1', To: '+12125550100', ...fields };
  const signature = signatureOf(`http://tidings.test${PATH}`, { ...all, ...signed }, token);
  const response = await fetch(url + PATH, {
    method: 'POST',
    headers: { 'x-twilio-signature': signature },
    body: new URLSearchParams(all),
  });
  return { status: response.status, text: await response.text() };
}
const isOut = async (phone: string) =>
  (await database.owner.query(sql`select from text_opt_outs where phone = ${phone}`)).rowCount === 1;

test('the signature is that of Twilio’s documentation', () => {
  const fields = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675310',
    Digits: '1234',
    From: '+14158675310',
    To: '+18005551212',
  };
  expect(signatureOf('https://example.com/myapp.php?foo=1&bar=2', fields, '12345')).toBe(
    'L/OH5YylLD5NRKLltdqwSvS0BnU=',
  );
});

describe('a reply', () => {
  test('of STOP ends texts to the number, and START begins them again', async () => {
    const user = await office();
    const phone = await confirmNumber(user.id);
    const settings = () => user.client.call('GET /api/notification-settings', {});
    expect(await reply({ From: phone, Body: ' Stop ' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('<Response></Response>'),
    });
    expect(await reply({ From: phone, Body: 'STOP' })).toMatchObject({ status: 200 });
    expect((await settings()).hasOptedOut).toBe(true);
    await reply({ From: phone, Body: 'whatever', OptOutType: 'START' });
    expect((await settings()).hasOptedOut).toBe(false);
    await reply({ From: phone, Body: 'please stop' });
    expect(await isOut(phone)).toBe(false);
  });

  test('without the signature, with that of other fields or another token, changes nothing', async () => {
    const phone = '+12125550177';
    const fields = { From: phone, Body: 'STOP' };
    for (const over of [{ token: 'guess' }, { signed: { From: '+12125550178', Body: 'STOP' } }])
      expect((await reply(fields, over)).status).toBe(403);
    const unsigned = await fetch(app.url + PATH, { method: 'POST', body: new URLSearchParams(fields) });
    expect(unsigned.status).toBe(403);
    expect(await isOut(phone)).toBe(false);
  });

  test('from another account, or from what is no number, changes nothing', async () => {
    expect((await reply({ From: '+12125550179', Body: 'STOP', AccountSid: 'AC9' })).status).toBe(200);
    expect((await reply({ From: 'SHORTCODE', Body: 'STOP' })).status).toBe(200);
    expect((await database.owner.query('select from text_opt_outs')).rowCount).toBe(0);
  });

  test('is not taken by an installation without texts', async () => {
    const silent = await startApp({ config: { twilio: null } });
    expect((await reply({ From: '+12125550180', Body: 'STOP' }, { url: silent.url })).status).toBe(404);
  });
});

test('who replied STOP gets no text, and the log says why', async () => {
  const user = await notified({}, { text: true });
  const { rows } = await database.owner.query<{ phone: string }>(
    sql`select notification_phone as phone from users where id = ${user.id}`,
  );
  await reply({ From: rows[0]?.phone ?? '', Body: 'STOP' });
  await (await facility()).send('A01', await listed([user.groupId]));
  await deliver();
  const texts: string[] = [];
  const carriers = { 'e-mail': null, text: async ({ body }: { body: string }) => void texts.push(body) };
  const letters = await lettersOf(user.id);
  for (const { id } of letters)
    await sendLetter({ database: database.pipeline, carriers, demo: false }, id, clock.now());
  expect(texts).toEqual([]);
  expect((await lettersOf(user.id)).map(({ state, failure }) => [state, failure])).toEqual([
    ['failed', 'NOT_CONFIGURED'],
    ['suppressed', 'OPTED_OUT'],
  ]);
});
