import { describe, expect, test } from 'vitest';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { e164 } from './notification-phone.ts';

const app = await startApp();
const { make, clock, database } = app;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const profileOf = (client: Client) => client.call('GET /api/users/profile', {});

describe('the number for text messages', () => {
  const ask = async (client: Client, phone: string) =>
    (await client.call('POST /api/users/notification-phone', { body: { phone } })).notificationPhone;
  const confirm = (client: Client, notificationPhone: string, code: string) =>
    client.call('POST /api/users/notification-phone/verify', { body: { notificationPhone, code } });
  const confirmError = async (client: Client, notificationPhone: string, code: string) =>
    (await errorOf(client, 'POST /api/users/notification-phone/verify', { body: { notificationPhone, code } }))
      .errorKey;
  const codeSentTo = async (number: string) =>
    /\d{6}/.exec((await lettersTo(database, number)).at(-1)?.body ?? '')?.[0] ?? '';
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  test('counts once its code is entered, and the code works once', async () => {
    const client = await signIn(app, (await make.user()).username);
    const request = await ask(client, '(212) 555-0123');
    expect(request).not.toContain('555');
    const [letter] = await lettersTo(database, '+12125550123');
    expect(letter).toMatchObject({ channel: 'text', subject: '' });
    const code = await codeSentTo('+12125550123');
    expect(await confirmError(client, request, wrong(code))).toBe('WRONG_CODE');
    expect((await profileOf(client)).notificationPhone).toBeNull();
    await confirm(client, request, code);
    expect((await profileOf(client)).notificationPhone).toBe('0123');
    expect(await confirmError(client, request, code)).toBe('NOT_FOUND');
  });

  test('allows five tries in ten minutes, and only for its own user and request', async () => {
    const client = await signIn(app, (await make.user()).username);
    const request = await ask(client, '+1 646 555 0101');
    const code = await codeSentTo('+16465550101');
    const stranger = await signIn(app, (await make.user()).username);
    expect(await confirmError(stranger, request, code)).toBe('NOT_FOUND');
    for (let i = 0; i < 5; i++) expect(await confirmError(client, request, wrong(code))).toBe('WRONG_CODE');
    expect(await confirmError(client, request, code)).toBe('NOT_FOUND');
    const late = await ask(client, '+1 646 555 0101');
    const lateCode = await codeSentTo('+16465550101');
    clock.advance(10 * MINUTE);
    expect(await confirmError(client, late, lateCode)).toBe('NOT_FOUND');
  });

  test('gets at most five codes an hour', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    for (let i = 0; i < 5; i++) await ask(client, '+1 646 555 0102');
    const body = { phone: '+1 646 555 0102' };
    expect((await errorOf(client, 'POST /api/users/notification-phone', { body })).errorKey).toBe('TOO_MANY_REQUESTS');
    clock.advance(HOUR);
    await ask(await signIn(app, username), '+1 646 555 0102');
  });

  test('is refused if it is no phone number, or if no text messages can be sent', async () => {
    const client = await signIn(app, (await make.user()).username);
    const error = await errorOf(client, 'POST /api/users/notification-phone', { body: { phone: '555-0123' } });
    expect([error.errorKey, Object.keys(error.fields ?? {})]).toEqual(['BAD_REQUEST', ['phone']]);
    const silent = await startApp({ config: { twilio: null } });
    const other = await signIn(silent, (await silent.make.user()).username);
    const body = { phone: '+12125550123' };
    expect((await errorOf(other, 'POST /api/users/notification-phone', { body })).errorKey).toBe('EMAIL_NOT_SENT');
  });

  test.each([
    ['2125550123', '+12125550123'],
    ['1-212-555-0123', '+12125550123'],
    ['+44 20 7946 0123', '+442079460123'],
    ['+0123456789', null],
    ['112 555 0123', null],
    ['0123', null],
    ['+1212555012345678', null],
    ['2125550123; select', null],
  ])('%s in E.164 is %s', (typed, number) => {
    expect(e164(typed)).toBe(number);
  });
});
