import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { PREFERENCES_FAILED } from '#contract/notification-words.ts';
import type { SavedFilter, SearchPreference } from '#contract/saved-filters.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';
import { savedFilter } from '../testing/saved-filters.ts';

liveStream();
// The simulated DOM has no popovers.
beforeEach(() => {
  HTMLElement.prototype.hidePopover = () => {};
});

const INBOX = '/dashboard/home/inbox';
const saved = (id: string, name: string): SavedFilter =>
  savedFilter(id, name, {
    loggableFilterRepresentation: 'none',
    searchContext: 'PINGS',
    sortBy: [],
    sortOrder: 'DESC',
  });
const PREFERENCE = { email: true, text: false, timing: 'AT_ONCE', hour: 8, muted: false };
const SETTINGS = {
  quietHours: { from: 21, until: 7 },
  timeZone: 'America/New_York',
  email: 'ana@lakeshore.example',
  phone: null,
  hasOptedOut: false,
  canEmail: true,
  canText: true,
};

const reader = (defaults: SearchPreference[] = []) =>
  somebody({}, { permissions: ['canViewPatients', 'canViewPings'], defaultFilters: defaults });

const open = (path = INBOX, answers: Parameters<typeof serve>[0] = {}) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, reader()],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/patient-search-params': [200, [saved('1', 'High risk'), saved('2', 'Nursing homes')]],
    'GET /api/patient-search-params/preferences': [200, []],
    'GET /api/patient-search-params/uses': [200, []],
    'POST /api/patient-search-params/2/uses': [204],
    'POST /api/patient-search-params/1/uses': [204],
    'POST /api/pings': [200, { patients: [patientWith()], total: 1, numPages: 1, facets: {} }],
    'GET /api/notification-filter-preferences': [200, [{ filterId: '2', ...PREFERENCE }]],
    'GET /api/notification-settings': [200, SETTINGS],
    ...answers,
  });
  return { router: openApp(path), of: (route: string) => called.filter((one) => one.route === route) };
};

const openMenu = async (): Promise<void> => {
  // The simulated DOM has no popovers, so the test sends the toggle event of the browser.
  const button = await screen.findByRole('button', { name: /^Filter: / });
  const popover = document.getElementById(button.getAttribute('popovertarget') ?? '');
  popover?.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' }));
};
const choose = async (item: string): Promise<void> => {
  await openMenu();
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
};

test('notifications of a filter are turned on from the list of filters, and its bell says so', async () => {
  const { of } = open(INBOX, {
    'PUT /api/notification-filter-preferences/1': ({ body }) => [200, { filterId: '1', ...body }],
  });
  await choose('Manage filters…');
  await screen.findByRole('button', { name: 'Notifications for Nursing homes: Email, right away' });
  await userEvent.click(screen.getByRole('button', { name: 'Notifications for High risk: Off' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit notifications' });
  expect((await within(dialog).findByLabelText<HTMLSelectElement>('Saved filter')).value).toBe('1');
  expect(within(dialog).getByText(/quiet hours, 9 PM to 7 AM/)).toBeTruthy();
  expect(within(dialog).getByRole('checkbox', { name: 'Text message' }).hasAttribute('disabled')).toBe(true);
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Email' }));
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Once a day' }));
  await userEvent.selectOptions(within(dialog).getByLabelText('Time of day'), '6 AM');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'Notifications for High risk: Email, daily at 6 AM' });
  expect(of('PUT /api/notification-filter-preferences/1')[0]?.body).toEqual({
    ...PREFERENCE,
    timing: 'DAILY',
    hour: 6,
  });
});

test('a mobile number is added from the notifications of a filter, which are saved only afterwards', async () => {
  const { of } = open(INBOX, {
    'POST /api/users/notification-phone': [200, { notificationPhone: 'opaque-1' }],
    'POST /api/users/notification-phone/verify': [204],
    'GET /api/notification-settings': () => [
      200,
      { ...SETTINGS, phone: of('POST /api/users/notification-phone/verify').length > 0 ? '0142' : null },
    ],
    'PUT /api/notification-filter-preferences/2': ({ body }) => [200, { filterId: '2', ...body }],
  });
  await choose('Manage filters…');
  await userEvent.click(await screen.findByRole('button', { name: /^Notifications for Nursing homes/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit notifications' });
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Add mobile number' }));
  await userEvent.type(await screen.findByLabelText('Mobile phone number'), '(312) 555-0142');
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
  await userEvent.type(await screen.findByLabelText('Verification code'), '424242');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm number' }));
  await within(dialog).findByText('To the number ending in 0142');
  expect(of('PUT /api/notification-filter-preferences/2')).toHaveLength(0);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'Notifications for Nursing homes: Email and text, right away' });
});

test('all are muted and unmuted at once', async () => {
  const { of } = open(INBOX, {
    'PUT /api/notification-filter-preferences': ({ body }) => [200, [{ filterId: '2', ...PREFERENCE, ...body }]],
  });
  await choose('Manage filters…');
  await userEvent.click(await screen.findByRole('button', { name: 'Mute all notifications' }));
  await screen.findByRole('button', { name: 'Notifications for Nursing homes: Muted' });
  await userEvent.click(screen.getByRole('button', { name: 'Unmute all notifications' }));
  await screen.findByRole('button', { name: 'Notifications for Nursing homes: Email, right away' });
  expect(of('PUT /api/notification-filter-preferences').map(({ body }) => body)).toEqual([
    { muted: true },
    { muted: false },
  ]);
});

test('the menu marks filters that notify, and opens the default filter of the module NOTIFICATIONS', async () => {
  const { of } = open(INBOX, {
    'GET /api/me': [200, reader([{ moduleName: 'NOTIFICATIONS', filterId: '2' }])],
    'PUT /api/notification-filter-preferences/2': ({ body }) => [200, { filterId: '2', ...body }],
    'DELETE /api/patient-search-params/preferences': [204],
  });
  await openMenu();
  const marked = await screen.findByRole('menuitemradio', { name: /^Nursing homes/ });
  await within(marked).findByRole('img', { name: 'Notifies you' });
  expect(within(screen.getByRole('menuitemradio', { name: /^High risk/ })).queryByRole('img')).toBeNull();
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit notifications…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit notifications' });
  expect((await within(dialog).findByLabelText<HTMLSelectElement>('Saved filter')).value).toBe('2');
  const first = within(dialog).getByRole<HTMLInputElement>('checkbox', { name: 'Show this filter first' });
  expect(first.checked).toBe(true);
  await userEvent.click(first);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByText('Notifications for Nursing homes saved.');
  expect(of('DELETE /api/patient-search-params/preferences')[0]?.query.get('moduleName')).toBe('NOTIFICATIONS');
});

test('preferences that cannot be loaded are said in the agreed words, and Retry loads them', async () => {
  let fails = true;
  open(INBOX, {
    'GET /api/notification-filter-preferences': () => (fails ? [500, { errorKey: 'INTERNAL' }] : [200, []]),
  });
  await choose('Edit notifications…');
  expect(await screen.findByText(PREFERENCES_FAILED)).toBeTruthy();
  expect(PREFERENCES_FAILED).toBe('An error occurred getting Filter Notification Preferences. Please try again.');
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByLabelText('Saved filter')).toBeTruthy();
});

test('the link of a notification opens the list with its filter', async () => {
  const uuid = '5f0c3f0e-54a9-4a53-9d1c-d86d5dbe9f0c';
  const { router } = open(`/notifications/${uuid}?notificationModality=EMAIL`, {
    [`GET /api/notifications/${uuid}`]: [200, { teamId: '5', filterId: '2', searchContext: 'PINGS' }],
  });
  await screen.findByRole('button', { name: 'Filter: Nursing homes' });
  expect(router.location.pathname).toBe(`${INBOX}/active-filter-id/2`);
});

test('the link of a notification whose filter was deleted opens the default filter of notifications', async () => {
  const uuid = '5f0c3f0e-54a9-4a53-9d1c-d86d5dbe9f0d';
  const { router } = open(`/notifications/${uuid}`, {
    [`GET /api/notifications/${uuid}`]: [200, { teamId: '5', filterId: null, searchContext: 'PINGS' }],
    'GET /api/me': [200, reader([{ moduleName: 'NOTIFICATIONS', filterId: '1' }])],
  });
  await screen.findByRole('button', { name: 'Filter: High risk' });
  await waitFor(() => expect(router.location.pathname).toBe(`${INBOX}/active-filter-id/1`));
});

test('the link of a mail about a document opens the documents of its patient', async () => {
  const uuid = '5f0c3f0e-54a9-4a53-9d1c-d86d5dbe9f0f';
  const target = { teamId: '5', filterId: null, searchContext: 'PINGS', patientId: '1_2', opensDocuments: true };
  const { router } = open(`/notifications/${uuid}`, { [`GET /api/notifications/${uuid}`]: [200, target] });
  await waitFor(() => expect(router.location.pathname).toBe('/dashboard/patients/1_2/case-management'));
});

test('the link of someone else’s notification leads nowhere', async () => {
  open('/notifications/5f0c3f0e-54a9-4a53-9d1c-d86d5dbe9f0e');
  expect(await screen.findByText('This page does not exist')).toBeTruthy();
});
