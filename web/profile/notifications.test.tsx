import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Delivery, NotificationSettings } from '#contract/notifications.ts';
import type { Profile } from '#contract/users.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';

liveStream();
const profile: Profile = {
  preferences: { timeZone: 'America/Chicago', density: 'comfortable', singleKeyShortcuts: true },
  notificationPhone: null,
  mfaOptedIn: false,
  recoveryCodesLeft: 0,
  passkeys: [],
  sessions: [],
  daysUntilPasswordExpiration: 60,
  hasPassword: true,
  isManagedElsewhere: false,
};
const settings: NotificationSettings = {
  quietHours: null,
  timeZone: 'America/Chicago',
  email: 'ana@lakeshore.example',
  phone: null,
  hasOptedOut: false,
  canEmail: true,
  canText: true,
};
const delivery = (id: string, over: Partial<Delivery>): Delivery => ({
  id,
  channel: 'EMAIL',
  topic: 'SAVED_FILTER',
  state: 'SENT',
  at: '2026-11-20T15:42:00Z',
  failure: null,
  code: null,
  pings: 2,
  ...over,
});

const open = (path = '/dashboard/user-profile', answers: Parameters<typeof serve>[0] = {}) => {
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings'] })],
    'GET /api/users/profile': [200, profile],
    'GET /api/notification-settings': [200, settings],
    'GET /api/notification-deliveries': [200, []],
    'GET /api/alpha/opt-out': [200, []],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'POST /api/users/notification-phone': [200, { notificationPhone: 'opaque-1' }],
    'POST /api/users/notification-phone/verify': [204],
    'DELETE /api/users/notification-phone': [204],
    ...answers,
  });
  return { router: openApp(path), of: (route: string) => called.filter((one) => one.route === route) };
};

test('a phone number is confirmed by its code; the address holds the opaque id of the request, never the number', async () => {
  const { router, of } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Add mobile number' }));
  const number = await screen.findByRole('dialog', { name: 'Mobile number' });
  await userEvent.type(within(number).getByLabelText('Mobile phone number'), '(312) 555-0142');
  await userEvent.click(within(number).getByRole('button', { name: 'Send code' }));
  const code = await screen.findByRole('dialog', { name: 'Verification number' });
  expect(within(code).getByText(/We texted a code to \(312\) 555-0142/)).toBeTruthy();
  expect(router.location.search).toEqual({ notificationPhone: 'opaque-1' });
  expect(JSON.stringify(router.location)).not.toContain('555');
  await userEvent.type(within(code).getByLabelText('Verification code'), '424242');
  await userEvent.click(within(code).getByRole('button', { name: 'Confirm number' }));
  expect(await screen.findByText('Your notification phone number is confirmed.')).toBeTruthy();
  expect(of('POST /api/users/notification-phone/verify')[0]?.body).toEqual({
    notificationPhone: 'opaque-1',
    code: '424242',
  });
  await waitFor(() => expect(router.location.search).toEqual({}));
});

test('a number that was typed without groups is read back in groups', async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Add mobile number' }));
  const number = await screen.findByRole('dialog', { name: 'Mobile number' });
  await userEvent.type(within(number).getByLabelText('Mobile phone number'), '3125550142');
  await userEvent.click(within(number).getByRole('button', { name: 'Send code' }));
  expect(await screen.findByText(/We texted a code to 312-555-0142\./)).toBeTruthy();
});

test('the key notificationPhone opens the dialog for the code, which outlives a reload', async () => {
  const { of } = open('/dashboard/user-profile?notificationPhone=opaque-7');
  const code = await screen.findByRole('dialog', { name: 'Verification number' });
  expect(within(code).getByText(/We texted a code to your number/)).toBeTruthy();
  expect(within(code).queryByRole('button', { name: 'Send another code' })).toBeNull();
  await userEvent.type(within(code).getByLabelText('Verification code'), '111111');
  await userEvent.click(within(code).getByRole('button', { name: 'Confirm number' }));
  await waitFor(() =>
    expect(of('POST /api/users/notification-phone/verify')[0]?.body).toMatchObject({ notificationPhone: 'opaque-7' }),
  );
});

test('a number can be removed, after a question', async () => {
  const { of } = open('/dashboard/user-profile', {
    'GET /api/users/profile': [200, { ...profile, notificationPhone: '0142' }],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Remove number' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove number' });
  expect(of('DELETE /api/users/notification-phone')).toHaveLength(0);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Your notification phone number was removed.')).toBeTruthy();
});

test('quiet hours are saved and turned off', async () => {
  const { of } = open('/dashboard/user-profile', {
    'PUT /api/notification-settings': ({ body }) => [200, { ...settings, ...body }],
  });
  await userEvent.click(await screen.findByRole('switch', { name: /Quiet hours/ }));
  await userEvent.selectOptions(screen.getByLabelText('Until'), '6 AM');
  await userEvent.click(screen.getByRole('button', { name: 'Save quiet hours' }));
  expect(await screen.findByText('Quiet hours saved.')).toBeTruthy();
  expect(of('PUT /api/notification-settings').at(-1)?.body).toEqual({ quietHours: { from: 21, until: 6 } });
  await userEvent.click(screen.getByRole('switch', { name: /Quiet hours/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save quiet hours' }));
  expect(await screen.findByText('Quiet hours turned off.')).toBeTruthy();
  expect(of('PUT /api/notification-settings').at(-1)?.body).toEqual({ quietHours: null });
});

test('the latest notifications say what became of each', async () => {
  const log = [
    delivery('5', { state: 'QUEUED', channel: 'TEXT' }),
    delivery('4', { topic: 'CORRECTION', pings: 1 }),
    delivery('3', { state: 'SUPPRESSED', channel: 'TEXT', failure: 'OPTED_OUT' }),
    delivery('2', { state: 'FAILED', failure: 'REFUSED', code: '550' }),
    delivery('1', { state: 'FAILED', channel: 'TEXT', failure: 'UNCONFIRMED' }),
  ];
  open('/dashboard/user-profile', { 'GET /api/notification-deliveries': [200, log] });
  const list = await screen.findByRole('list', { name: 'Latest notifications' });
  const texts = within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  const at = String.raw`11\/20\/2026 \d\d:\d\d [AP]M.*`;
  for (const [n, words] of [
    `^2 new pingsWaiting to be sent by text, since ${at}$`,
    `^Correction of 1 pingSent by email ${at}$`,
    `^2 new pingsNot sent by text: this number replied STOP\\. ${at}$`,
    `^2 new pingsFailed: the mail server didn't take it \\(550\\)\\. ${at} by email$`,
    `^2 new pingsFailed: not confirmed, but you may have received it\\. ${at} by text$`,
  ].entries())
    expect(texts[n]).toMatch(new RegExp(words));
});
