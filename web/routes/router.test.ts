import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { openApp, serve, somebody } from '../testing/app.tsx';

const at = async (router: ReturnType<typeof openApp>, path: string): Promise<void> =>
  waitFor(() => expect(router.location.pathname).toBe(path));

test('a signed-out user is sent to sign-in, and the path is kept', async () => {
  serve({});
  const router = openApp('/dashboard/rosters?x=1');
  await at(router, '/login');
  expect(router.location.state.returnTo).toBe('/dashboard/rosters?x=1');
});

test('the choice of a clinical setting is kept for after sign-in, too', async () => {
  serve({});
  const router = openApp('/primary-clinical-setting');
  await at(router, '/login');
  const { state } = router.location;
  expect(state.returnTo).toBe('/primary-clinical-setting');
  serve({
    'GET /api/me': [200, somebody({ applicationExperience: 'ANAHIT', primaryClinicalSetting: 'ED' })],
    'GET /api/resources/primary-clinical-settings': [200, [{ code: 'ED', label: 'Emergency Department' }]],
  });
  await at(openApp('/login', state), '/primary-clinical-setting');
});

test.each([
  [{ applicationExperience: 'JANUS' }, '/dashboard/home/inbox'],
  [{ applicationExperience: 'ANAHIT_AUTH0_SSO' }, '/hospital'],
  [{ applicationExperience: 'JANUS_EHR_SSO' }, '/ehr/inbox'],
  [{ applicationExperience: 'HOS_EHR_SSO', patientId: '7_8' }, '/ehr/patients/7_8'],
  [{ applicationExperience: 'ANAHIT' }, '/primary-clinical-setting'],
] as const)('%o starts at %s', async (user, path) => {
  const permissions = ['canViewPings', 'canViewPatients', 'canViewHospitalProduct'];
  serve({ 'GET /api/me': [200, somebody(user, { permissions })] });
  await at(openApp('/'), path);
});

test.each([
  ['JANUS', ['canViewPatients', 'canViewLengthOfStay'], '/dashboard/patients/my-patients'],
  ['JANUS', ['canManageUsers'], '/dashboard/admin/users'],
  ['JANUS', ['canViewLengthOfStay', 'canUploadRoster'], '/dashboard/rosters'],
  ['JANUS', [], '/permissions-error'],
  ['ANAHIT_AUTH0_SSO', ['canViewPings', 'canViewHospitalProduct'], '/hospital/home/inbox'],
  ['ANAHIT_AUTH0_SSO', ['canViewPings', 'canViewPatients'], '/permissions-error'],
  ['JANUS_EHR_SSO', ['canViewPatients'], '/permissions-error'],
] as const)('%s with %o starts at %s', async (applicationExperience, permissions, path) => {
  serve({ 'GET /api/me': [200, somebody({ applicationExperience }, { permissions: [...permissions] })] });
  await at(openApp('/'), path);
});

test('the navigation offers length of stay only to users who may also view patients', async () => {
  const entries = async (permissions: string[]) => {
    serve({ 'GET /api/me': [200, somebody({}, { permissions })] });
    openApp('/dashboard/whats-new');
    const navigation = await screen.findByRole('navigation', { name: 'Pages' });
    const names = [...navigation.querySelectorAll('a')].map(({ textContent }) => textContent);
    cleanup();
    return names;
  };
  expect(await entries(['canViewLengthOfStay', 'canUploadRoster'])).not.toContain('Length of stay');
  expect(await entries(['canViewLengthOfStay', 'canViewPatients'])).toContain('Length of stay');
});

test('a user who cannot open one page sees a message that says so, and keeps the navigation', async () => {
  serve({ 'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients'] })] });
  for (const path of ['admin/users', 'admin', 'rosters', 'home/inbox']) {
    const router = openApp(`/dashboard/${path}`);
    expect(await screen.findByRole('heading', { name: "You don't have access to this page" })).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Pages' })).toBeTruthy();
    expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull();
    expect(router.location.pathname).toBe(`/dashboard/${path}`);
    cleanup();
  }
});

test('inside an EHR, a page without its permission redirects to the 401 page, which has no link home', async () => {
  const user = { applicationExperience: 'JANUS_EHR_SSO', patientId: '7_8' } as const;
  serve({ 'GET /api/me': [200, somebody(user, { permissions: ['canViewPatients', 'canUploadRoster'] })] });
  await at(openApp('/ehr/analytics'), '/permissions-error');
  expect(await screen.findByRole('heading', { name: 'Error 401' })).toBeTruthy();
  const words = 'The proper permissions are not set up. Please contact us at help@tidings.example';
  await waitFor(() => expect(screen.getByRole('main').textContent).toContain(words));
  expect(screen.queryByText('Go To Home Page')).toBeNull();
  cleanup();
  // Loading it again leads to a page that they may open.
  const reloaded = vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' } as never]);
  await at(openApp('/permissions-error'), '/ehr/patients/7_8');
  cleanup();
  serve({ 'GET /api/me': [200, somebody(user, { permissions: ['canUploadRoster'] })] });
  await at(openApp('/permissions-error'), '/ehr/rosters');
  reloaded.mockRestore();
});

test('inside an EHR whose patient is on none of the lists, the pages say so', async () => {
  const permissions = ['canViewPings', 'canViewPatients'];
  const user = { applicationExperience: 'JANUS_EHR_SSO', ehrPatientIdentifier: 'MR-9' } as const;
  serve({ 'GET /api/me': [200, somebody(user, { permissions })] });
  openApp('/ehr/whats-new');
  const words = 'No match on your team’s lists for record number MR-9 and the birth date in your EHR.';
  expect(await screen.findByText(words)).toBeTruthy();
  cleanup();
  serve({ 'GET /api/me': [200, somebody({ ...user, patientId: '7_8' }, { permissions })] });
  openApp('/ehr/whats-new');
  await screen.findByRole('heading', { name: 'What’s new' });
  expect(screen.queryByText(words)).toBeNull();
});

test.each([
  ['JANUS', '/dashboard/user-report', 'Admin'],
  ['JANUS', '/dashboard/user-report/access', 'Admin'],
  ['JANUS', '/dashboard/patients/7_8/care-team', 'Patients'],
  ['JANUS', '/dashboard/patients/my-patients/active-filter-id/3', 'Patients'],
  ['JANUS', '/dashboard/whats-new', 'What’s new'],
  ['ANAHIT_AUTH0_SSO', '/hospital', 'Patients'],
  ['ANAHIT_AUTH0_SSO', '/hospital/active-filter-id/3', 'Patients'],
  ['ANAHIT_AUTH0_SSO', '/hospital/patients/7_8', 'Patients'],
  ['ANAHIT_AUTH0_SSO', '/hospital/home/inbox', 'Pings'],
  ['ANAHIT_AUTH0_SSO', '/hospital/event-feed', 'Event feed'],
] as const)('%s at %s: the navigation marks %s', async (applicationExperience, path, entry) => {
  const permissions = [
    'canViewPings',
    'canViewPatients',
    'canViewHospitalProduct',
    'canManageUsers',
    'canViewEventFeed',
  ];
  serve({ 'GET /api/me': [200, somebody({ applicationExperience }, { permissions })] });
  openApp(path);
  const navigation = await screen.findByRole('navigation', { name: 'Pages' });
  const marked = [...navigation.querySelectorAll('[aria-current]')].map(({ textContent }) => textContent?.trim());
  expect(marked).toEqual([entry]);
});

test.each(['home/inbox', 'patients/my-patients', 'length-of-stay', 'rosters', 'feeds', 'admin/users', 'patients/1_1'])(
  'a page without its permission redirects to the permissions error: %s',
  async (path) => {
    serve({ 'GET /api/me': [200, somebody()] });
    await at(openApp(`/dashboard/${path}`), '/permissions-error');
  },
);

test('a path without a base goes to the user’s base, and the pages of other experiences do not exist', async () => {
  const permissions = ['canViewPings', 'canViewHospitalProduct'];
  serve({ 'GET /api/me': [200, somebody({ applicationExperience: 'ANAHIT_AUTH0_SSO' }, { permissions })] });
  const router = openApp('/inbox');
  await at(router, '/hospital/home/inbox');
  void router.history.push('/inbox/active-filter-id/3?p=2');
  await at(router, '/hospital/home/inbox/active-filter-id/3');
  expect(router.location.search).toMatchObject({ p: 2 });
  void router.history.push('/length-of-stay');
  await at(router, '/hospital/length-of-stay');
  await router.navigate({ to: '/rising-risk' });
  await at(router, '/hospital/rising-risk');
  await router.navigate({ to: '/dashboard/whats-new' });
  expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeTruthy();
  for (const base of ['/dashboard', '/ehr']) {
    await router.navigate({ to: '/hospital/user-profile' });
    await at(router, '/hospital/user-profile');
    await router.navigate({ to: base });
    expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeTruthy();
    expect(router.location.pathname).toBe(base);
  }
});

test.each(['/hospital', '/hospital/home/inbox', '/hospital/patients/1_1', '/hospital/admin/users'])(
  'without canViewHospitalProduct %s does not open',
  async (path) => {
    const permissions = ['canViewPings', 'canViewPatients', 'canManageUsers'];
    serve({ 'GET /api/me': [200, somebody({ applicationExperience: 'ANAHIT_AUTH0_SSO' }, { permissions })] });
    await at(openApp(path), '/permissions-error');
  },
);

test('the clinical setting is asked for once, and then the requested page opens', async () => {
  const called = serve({
    'GET /api/me': [200, somebody({ applicationExperience: 'ANAHIT' })],
    'GET /api/resources/primary-clinical-settings': [200, [{ code: 'ED', label: 'Emergency Department' }]],
    'PUT /api/users/primary-clinical-setting': [204],
  });
  const router = openApp('/hospital/whats-new');
  await userEvent.click(await screen.findByRole('radio', { name: 'Emergency Department' }));
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await at(router, '/hospital/whats-new');
  const put = called.find(({ route }) => route === 'PUT /api/users/primary-clinical-setting');
  expect(put?.query.get('primaryClinicalSetting')).toBe('ED');
});

test('the clinical setting that was chosen before has the focus, so that the arrow keys start there', async () => {
  serve({
    'GET /api/me': [200, somebody({ applicationExperience: 'ANAHIT', primaryClinicalSetting: 'INPATIENT' })],
    'GET /api/resources/primary-clinical-settings': [
      200,
      [
        { code: 'ED', label: 'Emergency Department' },
        { code: 'INPATIENT', label: 'Inpatient' },
      ],
    ],
  });
  openApp('/primary-clinical-setting');
  const chosen = await screen.findByRole('radio', { name: 'Inpatient', checked: true });
  expect(document.activeElement).toBe(chosen);
});

test('a user without a team is told whom to contact, without a link home', async () => {
  serve({ 'GET /api/me': [200, somebody({ teams: {} })] });
  await at(openApp('/'), '/permissions-error');
  expect(
    await screen.findByText('The proper permissions are not set up. Please contact us at', { exact: false }),
  ).toBeTruthy();
  expect(await screen.findByRole('link', { name: 'help@tidings.example' })).toBeTruthy();
  expect(await screen.findByText(/Ask an administrator in your organization for access\./)).toBeTruthy();
  expect(screen.queryByText('Go To Home Page')).toBeNull();
});

test('the page for users without access can be left after a reload, and goes on once there is access', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let teams = {};
  const allowed = somebody({}, { permissions: ['canViewPatients'] });
  const called = serve({ 'GET /api/me': () => [200, somebody({ teams })] });
  const router = openApp('/permissions-error');
  expect(await screen.findByRole('button', { name: 'Sign out' })).toBeTruthy();
  await waitFor(() => expect(called.filter(({ route }) => route === 'GET /api/me')).toHaveLength(1));
  teams = allowed.user.teams;
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  await at(router, '/dashboard/patients/my-patients');
  expect(called.filter(({ route }) => route === 'GET /api/me')[1]?.headers).toMatchObject({
    'x-tidings-background': '1',
  });
  vi.useRealTimers();
});

test('a signed-out visitor of that page has nothing to sign out of', async () => {
  serve({});
  openApp('/permissions-error');
  // The sentence of the page comes first: only someone signed in can lack access.
  expect((await screen.findByRole('main')).textContent).toMatch(
    /^Error 401The proper permissions are not set up\. Please/,
  );
  expect(screen.queryByText(/Ask an administrator/)).toBeNull();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull());
});

test.each([
  ['/permissions-error', 'The proper permissions are not set up. Please contact us at'],
  ['/sso-timeout', 'The product session has timed out. Refresh the page to renew it.'],
])('%s opens by its address for someone signed in too, and leads home when it is loaded again', async (path, words) => {
  serve({ 'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients'] })] });
  const router = openApp(path);
  expect(await screen.findByText(words, { exact: false })).toBeTruthy();
  await act(() => new Promise((passed) => setTimeout(passed, 100)));
  expect(router.location.pathname).toBe(path);
  cleanup();
  const reloaded = vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' } as never]);
  await at(openApp(path), '/dashboard/patients/my-patients');
  reloaded.mockRestore();
});

test('the timeout page of another system’s session says how to renew it', async () => {
  serve({});
  openApp('/sso-timeout');
  expect(await screen.findByText('The product session has timed out. Refresh the page to renew it.')).toBeTruthy();
  expect(screen.getByRole('img')).toBeTruthy();
  expect(await screen.findByText(/© \d{4} Alder Bay/)).toBeTruthy();
});

test('a document that starts at registration asks for no user; in an open one, users of an external provider have no such page', async () => {
  const called = serve({ 'GET /api/me': [200, somebody({ isSSO: true, isAuth0: true })] });
  const router = openApp('/registration');
  expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
  await at(router, '/registration');
  expect(called.filter(({ route }) => route === 'GET /api/me')).toEqual([]);
  cleanup();
  const known = openApp('/dashboard/whats-new');
  await at(known, '/dashboard/whats-new');
  await act(() => known.navigate({ to: '/registration' }));
  expect(await screen.findByText('This page does not exist')).toBeTruthy();
});
