import { describe, expect, test } from 'vitest';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { FIREFOX_ON_LINUX, signInWith } from '#server/testing/browsers.ts';
import { errorOf } from '#server/testing/calls.ts';

const app = await startApp();
const { make, clock } = app;
const profileOf = (client: Client) => client.call('GET /api/users/profile', {});

describe('the profile', () => {
  test('starts with the defaults', async () => {
    const { username } = await make.user();
    const client = await signInWith(app, username, FIREFOX_ON_LINUX);
    const at = clock.now().toISOString();
    expect(await profileOf(client)).toEqual({
      preferences: DEFAULT_PREFERENCES,
      notificationPhone: null,
      mfaOptedIn: false,
      recoveryCodesLeft: 0,
      passkeys: [],
      sessions: [
        {
          id: expect.any(String),
          createdDate: at,
          lastSeenDate: at,
          device: 'Firefox on Linux',
          address: '127.0.0.1',
          isCurrent: true,
        },
      ],
      daysUntilPasswordExpiration: 90,
      hasPassword: true,
      isManagedElsewhere: false,
    });
  });

  test('keeps preferences and refuses an unknown time zone', async () => {
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

  test('offers four primary clinical settings', async () => {
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

  test('records an opt-out once, and takes it back', async () => {
    const client = await signIn(app, (await make.user()).username);
    expect(await client.call('GET /api/alpha/opt-out', {})).toEqual([]);
    for (const feature of ['PALETTE_ACTIONS', 'PALETTE_ACTIONS'] as const)
      await client.call('POST /api/alpha/opt-out', { query: { feature } });
    expect(await client.call('GET /api/alpha/opt-out', {})).toEqual(['PALETTE_ACTIONS']);
    const other = await signIn(app, (await make.user()).username);
    await other.call('DELETE /api/alpha/opt-out', { query: { feature: 'PALETTE_ACTIONS' } });
    expect(await client.call('GET /api/alpha/opt-out', {})).toEqual(['PALETTE_ACTIONS']);
    await client.call('DELETE /api/alpha/opt-out', { query: { feature: 'PALETTE_ACTIONS' } });
    expect(await client.call('GET /api/alpha/opt-out', {})).toEqual([]);
  });
});
