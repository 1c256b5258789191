import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ReportedUser, ReviewedAccess } from '#contract/reports.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';

const DATE = '2026-11-20T15:00:00.000Z';
const USER: ReportedUser = {
  id: '12',
  firstName: 'Zoe',
  lastName: 'Zander',
  username: 'zoe@lakeshore.example',
  title: 'RN',
  status: 'ACTIVE',
  teams: ['Team East'],
  groups: ['North', 'South', 'East', 'West'],
  roles: ['viewer'],
  lastSignInDate: DATE,
  secondFactor: 'CODE',
  createdDate: DATE,
  invitedDate: null,
  activatedDate: DATE,
  lastActiveDate: DATE,
  signIns: 7,
  organization: null,
};
const ACCESS: ReviewedAccess = {
  id: '12_5_7',
  user: { id: '12', firstName: 'Zoe', lastName: 'Zander', username: 'zoe@lakeshore.example' },
  status: 'ACTIVE',
  team: { id: '5', name: 'Team East' },
  group: { id: '7', name: 'North' },
  role: { id: '2', name: 'viewer' },
  permissions: [
    { flag: 'canViewPings', isRecorded: true, lastUsedDate: DATE, source: 'PAGE' },
    { flag: 'canViewLengthOfStay', isRecorded: true, lastUsedDate: null, source: null },
    { flag: 'canViewHospitalProduct', isRecorded: false, lastUsedDate: null, source: null },
  ],
  lastSignInDate: null,
  lastUsedDate: DATE,
  neverUsed: 1,
  dormant: ['NO_SIGN_IN'],
  organization: null,
};
const PAGES = [
  { id: 'a', page: 'ping feed', team: null, user: null, users: 2, uses: 1200, lastUsedDate: DATE },
  { id: 'b', page: 'rising risk', team: null, user: null, users: 0, uses: 0, lastUsedDate: null },
];
const page = { total: 1, numPages: 1 };

const open = (path: string, permissions = ['canManageUsers', 'canViewRouteAuditReport']) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/admin/directory': [
      200,
      { teams: [{ id: '5', name: 'Team East', groupIds: ['7'], organization: null }], groups: [] },
    ],
    'GET /api/admin/roles': [200, []],
    'GET /api/reports/users': [200, { users: [USER], ...page }],
    'GET /api/reports/access-review': [200, { accesses: [ACCESS], ...page }],
    'GET /api/reports/route-audit': [
      200,
      { pages: PAGES, teams: [{ id: '5', name: 'Team East' }], locations: ['ping feed', 'rising risk'], ...page },
    ],
  });
  const router = openApp(path);
  const asked = (report: string) =>
    Object.fromEntries(called.filter(({ route }) => route === `GET /api/reports/${report}`).at(-1)?.query ?? []);
  return { router, asked };
};

test('the user report collapses many groups, and its file has the filters of the page', async () => {
  const { router, asked } = open('/user-report?team=5&sort=lastSignIn&order=desc');
  const rows = within(await screen.findByRole('region', { name: 'Users' }));
  expect(router.location.pathname).toBe('/dashboard/user-report');
  expect(rows.getByText('4 groups')).toBeTruthy();
  expect(rows.getByText('Code')).toBeTruthy();
  expect(rows.getByText('zoe@lakeshore.example · RN')).toBeTruthy();
  expect(asked('users')).toEqual({
    ofTeamId: '5',
    sort: 'lastSignIn',
    order: 'desc',
    pageNumber: '1',
    pageSize: '20',
  });
  expect(screen.getByRole('link', { name: 'Download as CSV' }).getAttribute('href')).toBe(
    '/api/reports/users.csv?ofTeamId=5&sort=lastSignIn&order=desc&teamId=5',
  );
  expect(screen.getByText('1 user matches 1 filter')).toBeTruthy();
});

test('filters and sort of the user report go into the URL, a typed name does not', async () => {
  const { router, asked } = open('/dashboard/user-report');
  await screen.findByRole('region', { name: 'Users' });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Locked');
  await waitFor(() => expect(asked('users')).toMatchObject({ status: 'LOCKED' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Last sign-in' }), 'Before a day');
  await userEvent.type(await screen.findByLabelText('Day of the last sign-in'), '2026-08-01');
  await waitFor(() => expect(asked('users')).toMatchObject({ lastSignIn: 'before', lastSignInDay: '2026-08-01' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Descending');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search' }), 'zan');
  await waitFor(() => expect(asked('users')).toMatchObject({ query: 'zan', order: 'desc', status: 'LOCKED' }));
  expect(router.location.searchStr).not.toContain('zan');
  expect(router.location.search).toEqual({
    status: 'LOCKED',
    signedIn: 'before',
    day: '2026-08-01',
    order: 'desc',
  });
  await userEvent.click(screen.getAllByRole('button', { name: 'Clear all' })[0] as HTMLElement);
  await waitFor(() => expect(asked('users')).toEqual({ pageNumber: '1', pageSize: '20' }));
});

test('page use lists pages that no one opened, and shows teams or users on demand', async () => {
  const { asked } = open('/dashboard/user-report/pages');
  const rows = within(await screen.findByRole('region', { name: 'Page use' }));
  expect(rows.getByText('Pings')).toBeTruthy();
  expect(rows.getByText('1,200')).toBeTruthy();
  expect(rows.getByText('Not in this period')).toBeTruthy();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Pages and users');
  await waitFor(() => expect(asked('route-audit')).toMatchObject({ by: 'user' }));
  expect(screen.getByRole('link', { name: 'Download as CSV' }).getAttribute('href')).toContain('by=user');
});

test('the access review says when each permission was used, and leads to the user', async () => {
  const { router, asked } = open('/dashboard/user-report/access');
  const rows = within(await screen.findByRole('region', { name: 'Access' }));
  expect(rows.getByText('No sign-in for 90 days')).toBeTruthy();
  await userEvent.click(rows.getByText('3 permissions, 1 never used, use of 1 not recorded'));
  const list = await screen.findByRole('list', { name: '3 permissions' });
  const items = within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(items[0]).toMatch(/^View the ping inbox: 11\/20\/2026.*, by an opened page$/);
  expect(items.slice(1)).toEqual(['View length of stay: never used', 'Use the hospital product: use not recorded']);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Dormant only' }));
  await waitFor(() => expect(asked('access-review')).toMatchObject({ dormant: 'true' }));
  expect(router.location.search).toMatchObject({ dormant: 'true' });
  const link = within(screen.getByRole('region', { name: 'Access' })).getByRole('link', { name: 'Zander, Zoe' });
  expect(link.getAttribute('href')).toBe('/dashboard/admin/users?user=12');
});

test('who may only see page use is led there, and sees no other tab', async () => {
  const { router } = open('/dashboard/user-report', ['canViewRouteAuditReport']);
  await screen.findByRole('region', { name: 'Page use' });
  expect(router.location.pathname).toBe('/dashboard/user-report/pages');
  const tabs = within(screen.getByRole('navigation', { name: 'Reports' }));
  expect(tabs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Page use']);
});

test('another path below the reports is no page, and without a permission there is none', async () => {
  open('/dashboard/user-report/nothing');
  expect(await screen.findByText('This page does not exist')).toBeTruthy();
});
