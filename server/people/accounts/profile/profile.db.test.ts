import { describe, expect, test } from 'vitest';
import { BACKGROUND_HEADER } from '#contract/constants.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, type Client, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { e164 } from './notification-phone.ts';

const app = await startApp();
const { make, clock, database } = app;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';
const statusOf = async (client: Client) => (await client.fetch('/api/me')).status;
const profileOf = (client: Client) => client.call('GET /api/users/profile', {});

async function signInWith(username: string, userAgent: string): Promise<Client> {
  const client = anonymous(app);
  await client.fetch('/api/authenticate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ username, password: TEST_PASSWORD }),
  });
  return client;
}

describe('one’s own account', () => {
  test('begins with the defaults', async () => {
    const { username } = await make.user();
    const client = await signInWith(username, FIREFOX);
    const at = clock.now().toISOString();
    expect(await profileOf(client)).toEqual({
      preferences: DEFAULT_PREFERENCES,
      notificationPhone: null,
      mfaOptedIn: false,
      recoveryCodesLeft: 0,
      passkeys: [],
      sessions: [
        { id: expect.any(String), createdDate: at, lastSeenDate: at, device: 'Firefox on Linux', isCurrent: true },
      ],
      daysUntilPasswordExpiration: 90,
      hasPassword: true,
      isManagedElsewhere: false,
    });
  });

  test('keeps preferences, and takes no time zone that there is not', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const preferences = { timeZone: 'Pacific/Honolulu', density: 'compact', singleKeyShortcuts: false } as const;
    await client.call('PUT /api/users/preferences', { body: preferences });
    expect((await profileOf(await signIn(app, username))).preferences).toEqual(preferences);
    const chosen = { ...preferences, patientColumns: ['status', 'practice'] };
    await client.call('PUT /api/users/preferences', { body: chosen });
    expect((await profileOf(client)).preferences).toEqual(chosen);
    const body = { ...preferences, timeZone: 'Mars/Olympus' };
    expect((await errorOf(client, 'PUT /api/users/preferences', { body })).fields).toHaveProperty('timeZone');
  });

  test('has one of four clinical settings', async () => {
    const client = await signIn(app, (await make.user()).username);
    const settings = await client.call('GET /api/resources/primary-clinical-settings', {});
    expect(settings).toEqual([
      { code: 'ED', label: 'Emergency Department' },
      { code: 'INPATIENT', label: 'Inpatient' },
      { code: 'ED_AND_INPATIENT', label: 'Both Emergency Department and Inpatient' },
      { code: 'OUTPATIENT', label: 'Outpatient' },
    ]);
    const query = { primaryClinicalSetting: 'ED_AND_INPATIENT' } as const;
    await client.call('PUT /api/users/primary-clinical-setting', { query });
    expect((await client.call('GET /api/me', {})).user.primaryClinicalSetting).toBe('ED_AND_INPATIENT');
    const wrong = await client.fetch('/api/users/primary-clinical-setting?primaryClinicalSetting=ICU', {
      method: 'PUT',
    });
    expect(wrong.status).toBe(400);
  });

  test('leaves features, each once', async () => {
    const client = await signIn(app, (await make.user()).username);
    expect(await client.call('GET /api/alpha/opt-out', {})).toEqual([]);
    for (const feature of ['BETA_INBOX', 'BETA_INBOX'] as const)
      await client.call('POST /api/alpha/opt-out', { query: { feature } });
    expect(await client.call('GET /api/alpha/opt-out', {})).toEqual(['BETA_INBOX']);
  });
});

describe('the sessions', () => {
  test('are listed by device, newest first, and those that have ended are not', async () => {
    const { username } = await make.user();
    const gone = await signIn(app, username);
    await gone.call('POST /api/logout', {});
    await signInWith(username, 'curl/8');
    clock.advance(MINUTE);
    const client = await signInWith(username, FIREFOX);
    const { sessions } = await profileOf(client);
    expect(sessions.map(({ device, isCurrent }) => [device, isCurrent])).toEqual([
      ['Firefox on Linux', true],
      ['Unknown browser', false],
    ]);
    clock.advance(39 * MINUTE);
    expect((await profileOf(client)).sessions).toHaveLength(1);
  });

  test('carry an id that opens nothing', async () => {
    const client = await signIn(app, (await make.user()).username);
    const [session] = (await profileOf(client)).sessions;
    const thief = anonymous(app);
    thief.cookies.set('tidings_session', session?.id ?? '');
    expect(await statusOf(thief)).toBe(401);
  });

  test('are ended by their owner, and by nobody else', async () => {
    const { id, username } = await make.user();
    const [client, other] = [await signIn(app, username), await signIn(app, username)];
    const stranger = await signIn(app, (await make.user()).username);
    const params = { id: (await profileOf(other)).sessions.find(({ isCurrent }) => isCurrent)?.id ?? '' };
    expect((await errorOf(stranger, 'DELETE /api/users/sessions/:id', { params })).errorKey).toBe('NOT_FOUND');
    expect(await statusOf(other)).toBe(200);
    await client.call('DELETE /api/users/sessions/:id', { params });
    expect([await statusOf(client), await statusOf(other)]).toEqual([200, 401]);
    expect((await errorOf(client, 'DELETE /api/users/sessions/:id', { params })).errorKey).toBe('NOT_FOUND');
    const { rows } = await database.owner.query(
      sql`select action from audit_entries where subject_id = ${id} and action = 'session.end'`,
    );
    expect(rows).toHaveLength(1);
  });

  test('take their live streams with them, at once', async () => {
    const { username } = await make.user({ team: await make.team() });
    const [client, other] = [await signIn(app, username), await signIn(app, username)];
    const stream = await other.fetch(`/api/live?teamId=${other.teamId}`);
    const text = stream.text();
    const params = { id: (await profileOf(other)).sessions.find(({ isCurrent }) => isCurrent)?.id ?? '' };
    await client.call('DELETE /api/users/sessions/:id', { params });
    expect(await text).toContain('event: ended');
  });
});

describe('activity', () => {
  test('is told by the page, to the second, and answers when the session ends', async () => {
    const client = await signIn(app, (await make.user()).username);
    for (const seconds of [30, 30 * 60]) {
      clock.advance(seconds * 1000);
      const { endsAt } = await client.call('POST /api/session/activity', {});
      expect(endsAt).toBe(new Date(clock.now().getTime() + 40 * MINUTE).toISOString());
    }
    clock.advance(30_000);
    await client.call('POST /api/session/activity', {});
    clock.advance(40 * MINUTE - 1);
    expect(await statusOf(client)).toBe(200);
    clock.advance(40 * MINUTE);
    expect(await statusOf(client)).toBe(401);
  });

  test('is not what a live event caused', async () => {
    const client = await signIn(app, (await make.user()).username);
    const inBackground = () => client.fetch('/api/me', { headers: { [BACKGROUND_HEADER]: '1' } });
    clock.advance(39 * MINUTE);
    expect((await inBackground()).status).toBe(200);
    clock.advance(MINUTE);
    expect((await inBackground()).status).toBe(401);
  });
});

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

  test('counts once the code that was sent to it is typed, once', async () => {
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

  test('has five tries and ten minutes, and its code is good for its own user and request only', async () => {
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

  test('is asked for five times an hour at most', async () => {
    const client = await signIn(app, (await make.user()).username);
    for (let i = 0; i < 5; i++) await ask(client, '+1 646 555 0102');
    const body = { phone: '+1 646 555 0102' };
    expect((await errorOf(client, 'POST /api/users/notification-phone', { body })).errorKey).toBe('TOO_MANY_REQUESTS');
    await client.call('POST /api/session/activity', {});
    clock.advance(39 * MINUTE);
    await client.call('POST /api/session/activity', {});
    clock.advance(HOUR - 39 * MINUTE);
    await ask(client, '+1 646 555 0102');
  });

  test('is refused where it is none, and where nothing can be sent', async () => {
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
  ])('%s is %s', (typed, number) => {
    expect(e164(typed)).toBe(number);
  });
});
