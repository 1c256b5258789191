import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SavedFilter } from '#contract/saved-filters.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';
import { savedFilter } from '../testing/saved-filters.ts';

liveStream();
// The simulated DOM has no popovers.
beforeEach(() => {
  HTMLElement.prototype.hidePopover = () => {};
});

const PATH = '/dashboard/patients/my-patients';
const saved = (id: string, name: string, over: Partial<SavedFilter> = {}): SavedFilter =>
  savedFilter(id, name, {
    userDefinedFacetPreferences: {
      query: '',
      dateOfBirth: null,
      preferenceMap: { program: [{ field: 'program', value: 'MSSP', negated: false }] },
      openPatientsOnly: false,
    },
    ...over,
  });
const USES = [
  { filterId: '1', lastUsedAt: '2026-11-20T15:42:00Z', count: 1, colleagues: 0 },
  { filterId: '2', lastUsedAt: null, count: null, colleagues: 2 },
];
const FILTERS = [saved('1', 'High risk'), saved('2', 'My nursing homes'), saved('3', 'New ones')];

const open = (
  path = PATH,
  answers: Parameters<typeof serve>[0] = {},
  permissions = ['canViewPatients', 'canViewPings'],
) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/count': [200, { count: 200 }],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params': [200, FILTERS],
    'GET /api/patient-search-params/preferences': [200, []],
    'GET /api/patient-search-params/uses': [200, USES],
    'POST /api/patient-search-params/1/uses': [204],
    'POST /api/patient-search-params/2/uses': [204],
    'POST /api/patient-search-params/3/uses': [204],
    'POST /api/patients/search': [200, { patients: [patientWith()], total: 48, numPages: 5, facets: {} }],
    ...answers,
  });
  return { called, router: openApp(path), of: (route: string) => called.filter((one) => one.route === route) };
};
const at = (router: ReturnType<typeof openApp>, path: string) =>
  waitFor(() => expect(router.location.pathname).toBe(path));
const menu = async (item: RegExp | string): Promise<void> => {
  // The simulated DOM has no popovers, so the test sends the toggle event of the browser.
  const button = await screen.findByRole('button', { name: /^Filter: / });
  const popover = document.getElementById(button.getAttribute('popovertarget') ?? '');
  popover?.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' }));
  await userEvent.click(
    await screen.findByRole(String(item).endsWith('…') ? 'menuitem' : 'menuitemradio', { name: item }),
  );
};

test('a filter in the URL is searched, and the URL holds nothing else', async () => {
  const { of, router } = open(`${PATH}/active-filter-id/2`);
  await screen.findByRole('button', { name: 'Filter: My nursing homes' });
  await waitFor(() =>
    expect(of('POST /api/patients/search').at(-1)?.body).toMatchObject({
      sortBy: ['LAST_NAME'],
      sortOrder: 'ASC',
      pageSize: 20,
      userDefinedFacetPreferences: { preferenceMap: { program: [{ value: 'MSSP' }] } },
    }),
  );
  expect(of('POST /api/patients/search')).toHaveLength(1);
  expect(router.location.search).toEqual({});
});

test('without a filter in the URL, the list opens with the default of its module', async () => {
  const { router, of } = open(PATH, {
    'GET /api/me': [
      200,
      somebody(
        {},
        { permissions: ['canViewPatients'], defaultFilters: [{ moduleName: 'PATIENT_SEARCH', filterId: '3' }] },
      ),
    ],
  });
  await at(router, `${PATH}/active-filter-id/3`);
  await screen.findByRole('button', { name: 'Filter: New ones' });
  expect(of('POST /api/patients/search')).toHaveLength(1);
});

test.each([
  [['canViewPatients'], 'All Patients', false],
  [['canViewPatients', 'canEditPatientsAndEvents'], 'Currently Admitted', true],
])('without a default, users with %o start with %s', async (permissions, name, openPatientsOnly) => {
  const { of } = open(PATH, {}, permissions);
  await screen.findByRole('button', { name: `Filter: ${name}` });
  await waitFor(() =>
    expect(of('POST /api/patients/search').at(-1)?.body).toMatchObject({
      userDefinedFacetPreferences: { openPatientsOnly },
    }),
  );
});

test('fixed filters are offered by permission', async () => {
  open(PATH, {}, ['canViewPatients', 'canResolveBackToCensus']);
  await menu('Recently Discharged');
  await screen.findByRole('button', { name: 'Filter: Recently Discharged' });
  expect(screen.queryByRole('menuitemradio', { name: 'Currently Admitted' })).toBeNull();
});

test('a saved filter replaces a fixed one and the reverse, and both keep the group', async () => {
  const { router } = open(`${PATH}?view=RECENTLY_DISCHARGED&f.city=Alder%20Bay&group=7`);
  await menu('High risk');
  await at(router, `${PATH}/active-filter-id/1`);
  expect(router.location.search).toEqual({ group: '7' });
  await menu('All Patients');
  await at(router, PATH);
  expect(router.location.search).toEqual({ group: '7', view: 'ALL_PATIENTS' });
});

test('a modified filter says so and can be reset or saved', async () => {
  const { router, of } = open(`${PATH}/active-filter-id/1`, {
    'PUT /api/patient-search-params/1': ({ body }) => [200, { ...saved('1', 'High risk'), ...body }],
  });
  await screen.findByRole('button', { name: 'Filter: High risk' });
  expect(screen.queryByText(/Modified/)).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Remove filter Program: MSSP' }));
  const changed = within(await screen.findByRole('group', { name: 'Modified filter' }));
  await userEvent.click(changed.getByRole('button', { name: 'Reset' }));
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Modified filter' })).toBeNull());
  await userEvent.click(await screen.findByRole('button', { name: 'Remove filter Program: MSSP' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved High risk')).toBeTruthy();
  expect(of('PUT /api/patient-search-params/1')[0]?.body).toMatchObject({
    name: 'High risk',
    userDefinedFacetPreferences: { preferenceMap: {} },
  });
  await waitFor(() => expect(router.location.search).toEqual({}));
});

test('a new filter needs a name, shows how many pings it would have matched, and is selected once saved', async () => {
  const { router, of } = open(`${PATH}?f.program=MSSP`, {
    'POST /api/patient-search-params/preview': [200, { days: 30, pings: 214, patients: 180 }],
    'POST /api/patient-search-params': ({ body }) => [200, { ...saved('4', ''), ...body }],
    'POST /api/patient-search-params/preferences': [204],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Save filter' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Save filter' }));
  expect(
    await modal.findByText('In the last 30 days this filter would have matched 214 pings for 180 patients.'),
  ).toBeTruthy();
  expect(modal.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  await userEvent.type(modal.getByRole('textbox', { name: 'Name' }), '  {Enter}');
  expect(of('POST /api/patient-search-params')).toHaveLength(0);
  await userEvent.type(modal.getByRole('textbox', { name: 'Name' }), 'Shared savings');
  await userEvent.click(modal.getByRole('checkbox', { name: 'Make this my default view' }));
  await userEvent.click(modal.getByRole('button', { name: 'Save' }));
  await at(router, `${PATH}/active-filter-id/4`);
  expect(await screen.findByText('Saved Shared savings')).toBeTruthy();
  const made = of('POST /api/patient-search-params/preferences')[0];
  expect(Object.fromEntries(made?.query ?? [])).toEqual({ filterId: '4', moduleName: 'PATIENT_SEARCH' });
});

test('a failure to save says so and keeps what was typed', async () => {
  open(`${PATH}?f.program=MSSP`, {
    'POST /api/patient-search-params/preview': [200, { days: 30, pings: 0, patients: 0 }],
    'POST /api/patient-search-params': [500, { errorKey: 'INTERNAL' }],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Save filter' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Save filter' }));
  await userEvent.type(modal.getByRole('textbox', { name: 'Name' }), 'Mine');
  await userEvent.click(modal.getByRole('button', { name: 'Save' }));
  expect(
    await screen.findByText('There was a problem saving your filter. Please try saving your filter again.'),
  ).toBeTruthy();
  expect(modal.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Mine');
});

test('filters are moved by keys, renamed, made the default, and deleted after confirmation', async () => {
  let list = [...FILTERS];
  const { of, router } = open(`${PATH}/active-filter-id/3`, {
    'GET /api/patient-search-params': () => [200, list],
    'PUT /api/patient-search-params/3': ({ body }) => {
      if (body['orderNum'] === 2)
        list = [
          saved('1', 'High risk'),
          { ...saved('3', 'New ones'), orderNum: 2 },
          { ...saved('2', 'My nursing homes'), orderNum: 3 },
        ];
      return [200, { ...saved('3', 'New ones'), ...body, orderNum: 2 }];
    },
    'DELETE /api/patient-search-params/3': [204],
    'POST /api/patient-search-params/preferences': [204],
  });
  await menu('Manage filters…');
  const modal = within(await screen.findByRole('dialog', { name: 'Manage filters' }));
  (await modal.findByRole('button', { name: 'Move New ones up' })).focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() =>
    expect(modal.getAllByRole('listitem').map((item) => item.textContent?.slice(0, 9))).toEqual([
      'High risk',
      'New ones ',
      'My nursin',
    ]),
  );
  expect(of('PUT /api/patient-search-params/3')[0]?.body).toMatchObject({ orderNum: 2, name: 'New ones' });

  await userEvent.click(modal.getByRole('button', { name: 'Rename New ones' }));
  const field = modal.getByRole('textbox', { name: 'New name for New ones' });
  await userEvent.clear(field);
  await userEvent.type(field, 'Newest{Enter}');
  expect(await screen.findByText('Renamed Newest filter')).toBeTruthy();
  await userEvent.click(await modal.findByRole('button', { name: 'Make Newest my default view' }));
  await waitFor(() => expect(of('POST /api/patient-search-params/preferences')).toHaveLength(1));

  await userEvent.click(modal.getByRole('button', { name: 'Delete Newest' }));
  const confirm = within(await screen.findByRole('dialog', { name: 'Delete filter' }));
  await userEvent.click(confirm.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Deleted Newest filter')).toBeTruthy();
  await at(router, PATH);
});

test('the list of filters says what each finds now and when it was last used; using one is recorded', async () => {
  const { of } = open(`${PATH}/active-filter-id/2`);
  await waitFor(() => expect(of('POST /api/patient-search-params/2/uses')).toHaveLength(1));
  await menu('Manage filters…');
  const modal = within(await screen.findByRole('dialog', { name: 'Manage filters' }));
  expect(await modal.findByText(/^1 patient now · Last used 11\/20\/2026 /)).toBeTruthy();
  expect(modal.getByText("You don't have access to this count · Not used yet")).toBeTruthy();
});

test('a saved filter says how many of its facets no longer exist', async () => {
  open(`${PATH}/active-filter-id/1`, {
    'GET /api/patient-search-params': [200, [saved('1', 'High risk', { ignoredFacets: ['shoeSize'] })]],
  });
  expect(await screen.findByText('1 filter no longer exists and was skipped.')).toBeTruthy();
});

test('for a filter that no longer exists, the list shows its default filter', async () => {
  open(`${PATH}/active-filter-id/99`);
  expect(
    await screen.findByText('This saved filter no longer exists. The list shows its default filter.'),
  ).toBeTruthy();
});

test('a filter that was deleted while someone had changed it: its changes still apply, and can be saved as a new one', async () => {
  let list = FILTERS;
  const { router, of } = open(`${PATH}/active-filter-id/1?edited=true&f.program=MSSP,ACO`, {
    'GET /api/patient-search-params': () => [200, list],
    'PUT /api/patient-search-params/1': () => {
      list = FILTERS.slice(1);
      return [404, { errorKey: 'NOT_FOUND' }];
    },
    'POST /api/patient-search-params/preview': [200, { days: 30, pings: 0, patients: 0 }],
    'POST /api/patient-search-params': ({ body }) => [200, { ...saved('4', 'Mine'), ...body }],
    'POST /api/patient-search-params/4/uses': [204],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  const text = 'This saved filter was deleted or is no longer shared. Your filters still apply.';
  const notice = (await screen.findByText(text)).parentElement as HTMLElement;
  expect(screen.queryByRole('button', { name: 'Filter: High risk' })).toBeNull();
  expect(screen.queryByText(/There was a problem/)).toBeNull();
  expect(of('POST /api/patients/search').at(-1)?.body).toMatchObject({
    userDefinedFacetPreferences: { preferenceMap: { program: [{ value: 'MSSP' }, { value: 'ACO' }] } },
  });
  await userEvent.click(within(notice).getByRole('button', { name: 'Save as' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Save filter' }));
  await userEvent.type(modal.getByRole('textbox', { name: 'Name' }), 'Mine');
  await userEvent.click(modal.getByRole('button', { name: 'Save' }));
  await at(router, `${PATH}/active-filter-id/4`);
});

test('patients hidden by a filter stay hidden through changes of it, until their chip is removed', async () => {
  const { of } = open(`${PATH}/active-filter-id/1?showFilters=false`, {
    'GET /api/patient-search-params': [200, [saved('1', 'High risk', { ignoredPatientIds: ['7_8', '9_0'] })]],
    'PUT /api/patient-search-params/1': ({ body }) => [200, { ...saved('1', 'High risk'), ...body }],
  });
  await waitFor(() =>
    expect(of('POST /api/patients/search').at(-1)?.body).toMatchObject({ ignoredPatientIds: ['7_8', '9_0'] }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Remove filter Program: MSSP' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(of('PUT /api/patient-search-params/1')).toHaveLength(1));
  expect(of('PUT /api/patient-search-params/1')[0]?.body).toMatchObject({ ignoredPatientIds: ['7_8', '9_0'] });
  await userEvent.click(await screen.findByRole('button', { name: 'Remove filter 2 patients hidden' }));
  await waitFor(() => expect(of('POST /api/patients/search').at(-1)?.body).not.toHaveProperty('ignoredPatientIds'));
});

test('the link to a filter leaves out its name and birth date', async () => {
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const over = saved('1', 'High risk').userDefinedFacetPreferences;
  const list = [
    saved('1', 'High risk', {
      userDefinedFacetPreferences: { ...over, query: 'lindqvist', dateOfBirth: '1956-11-02' },
    }),
  ];
  open(PATH, { 'GET /api/patient-search-params': [200, list] });
  await menu('Manage filters…');
  await userEvent.click(await screen.findByRole('button', { name: 'Copy link to High risk' }));
  const link = new URL(written.mock.calls[0]?.[0] ?? '');
  expect(link.pathname).toBe(PATH);
  expect(link.searchParams.get('f.program')).toBe('MSSP');
  expect(link.href).not.toMatch(/lindqvist|1956/i);
});

test('a modified filter without matches says how many patients there are without filters', async () => {
  open(`${PATH}/active-filter-id/1?edited=true&f.program=Gone`, {
    'POST /api/patients/search': [200, { patients: [], total: 0, numPages: 0, facets: {} }],
  });
  const changed = await screen.findByRole('group', { name: 'Modified filter' });
  await waitFor(() =>
    expect(changed.textContent).toContain('Nothing matches right now. Without filters there are 200 patients.'),
  );
});

test('the groups of the panel follow the chosen filter, even those that were closed by hand', async () => {
  open(`${PATH}/active-filter-id/1`);
  const program = () => screen.findByRole('button', { name: /^Program/ });
  await waitFor(async () => expect((await program()).getAttribute('aria-expanded')).toBe('true'));
  await userEvent.click(await program());
  expect((await program()).getAttribute('aria-expanded')).toBe('false');
  await menu('My nursing homes');
  await waitFor(async () => expect((await program()).getAttribute('aria-expanded')).toBe('true'));
});

const BY_COLLEAGUE = saved('7', 'Team list', {
  orderNum: 4,
  isShared: true,
  owner: { name: 'Pat Owner', isYou: false, isOnTeam: false },
  mayChange: false,
});

test('filters that colleagues share come after one’s own, with their owner, and can only be used', async () => {
  open(PATH, { 'GET /api/patient-search-params': [200, [...FILTERS, BY_COLLEAGUE]] });
  await menu('Manage filters…');
  expect(screen.getByText('Shared by the team')).toBeTruthy();
  expect(screen.getByRole('menuitemradio', { name: 'Team list (Pat Owner)', hidden: true })).toBeTruthy();
  const dialog = await screen.findByRole('dialog');
  const item = (await within(dialog).findByText('Team list')).closest('li') as HTMLElement;
  expect(item.textContent).toContain('Shared by Pat Owner, who is no longer on this team');
  const buttons = within(item)
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));
  expect(buttons).toContain('Make Team list my default view');
  expect(buttons.filter((name) => /Rename|Delete|Move|[Ss]har/.test(name ?? ''))).toEqual([]);
  // The last of one's own is the last that moves.
  expect(within(dialog).getByRole('button', { name: 'Move New ones down' })).toHaveProperty('disabled', true);
});

test('a filter is shared, and a failure says why', async () => {
  const { of } = open(PATH, {
    'PUT /api/patient-search-params/1/shared': [200, saved('1', 'High risk', { isShared: true })],
    'PUT /api/patient-search-params/2/shared': [400, { errorKey: 'BAD_REQUEST' }],
  });
  await menu('Manage filters…');
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Share High risk with the team' }));
  expect(await within(dialog).findByText('Shared with your team')).toBeTruthy();
  expect(of('PUT /api/patient-search-params/1/shared')[0]?.body).toEqual({ shared: true });
  expect(within(dialog).getByRole('button', { name: 'Stop sharing High risk' })).toBeTruthy();
});

test('a filter that looks for a person cannot be shared', async () => {
  const personal = saved('1', 'A name', {
    userDefinedFacetPreferences: { query: 'lind', dateOfBirth: null, preferenceMap: {}, openPatientsOnly: false },
  });
  open(PATH, { 'GET /api/patient-search-params': [200, [personal]] });
  await menu('Manage filters…');
  const share = await screen.findByRole('button', { name: 'Share A name with the team' });
  expect(share).toHaveProperty('disabled', true);
});

test('changes to a colleague’s filter are saved as another one', async () => {
  open(`${PATH}/active-filter-id/7?edited=true&openOnly=true`, {
    'GET /api/patient-search-params': [200, [...FILTERS, BY_COLLEAGUE]],
    'POST /api/patient-search-params/7/uses': [204],
  });
  const group = await screen.findByRole('group', { name: 'Modified filter' });
  expect(
    within(group)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Save as', 'Reset']);
});
