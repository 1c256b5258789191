import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { PART_HEADER } from '#contract/constants.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { keepTyped, typedWith } from '../session/typed-memory.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith, pingWith } from '../testing/patients.ts';
import { TYPING_PAUSE } from '../ui/use-debounced.ts';
import { ASK_AFTER } from './use-live-results.ts';

const PATH = '/dashboard/patients/my-patients';
const ADA = patientWith();
const PER = patientWith({
  id: '3_4',
  firstName: 'Per',
  lastName: 'Lindqvist',
});
const page = (over: object = {}): [number, object] => [
  200,
  { patients: [ADA, PER], total: 2, numPages: 1, facets: {}, ...over },
];

const { streams, tell } = liveStream();

const open = (
  answers: Parameters<typeof serve>[0] = {},
  path = `${PATH}?showFilters=false`,
  permissions = ['canViewPatients'],
  state = {},
) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/count': [200, { count: 1204 }],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/search': page(),
    'POST /api/patients/similar-names': [200, { patientIds: ['3_4'] }],
    ...answers,
  });
  return {
    router: openApp(path, state),
    searches: () => called.filter(({ route }) => route === 'POST /api/patients/search'),
  };
};

test('a row shows the identity and warns of a similar name; the title says how many of how many are shown', async () => {
  open();
  const per = (await screen.findByRole('link', { name: 'Lindqvist, Per' })).closest('tr');
  expect(per?.textContent).toContain('LINDQVIST, Per');
  expect(per?.textContent).toMatch(/03\/14\/1941 \(\d+y\) · Female · 004 418 273/);
  await waitFor(() => expect(per?.textContent).toContain('Similar name'));
  expect((await screen.findByRole('link', { name: 'Okonkwo-Reyes, Adaeze' })).closest('tr')?.textContent).not.toContain(
    'Similar name',
  );
  expect(await screen.findByText('2 of 1,204 · Team East')).toBeTruthy();
});

const PART2_PING = pingWith({ facility: { ...pingWith().facility, isPart2Facility: true } });

test.each([
  ['is of a 42 CFR Part 2 facility', { currentPing: PART2_PING }],
  ['rests on a stay at one', { hasPart2Records: true }],
])('a row that %s carries the notice, also in print, and no other', async (_, row) => {
  const restricted = patientWith({ id: '3_4', lastName: 'Lindqvist', ...row });
  open({ 'POST /api/patients/search': page({ patients: [ADA, restricted] }) });
  const notice = await screen.findByText(PART2_NOTICE);
  expect(notice.closest('tr')?.textContent).toContain('LINDQVIST');
});

test('a text is searched after a pause, from the first page on, by relevance, and is never in the URL', async () => {
  const { router, searches } = open({}, `${PATH}?showFilters=false&view=ALL_PATIENTS&p=4`);
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Name or identifier' }), 'lind');
  await waitFor(() =>
    expect(searches().at(-1)?.body).toMatchObject({
      userDefinedFacetPreferences: { query: 'lind' },
      sortBy: ['RELEVANCE'],
      sortOrder: 'ASC',
      pageNumber: 1,
    }),
  );
  expect(searches().some(({ body }) => JSON.stringify(body).includes('"query":"l"'))).toBe(false);
  expect(router.location.href).not.toContain('lind');
  expect(JSON.stringify(router.location.state)).not.toContain('lind');
  expect(typedWith(router.location.state.typed)).toEqual({ text: 'lind' });
});

test('what was typed comes back with the history state', async () => {
  const { searches } = open({}, `${PATH}?showFilters=false&view=ALL_PATIENTS`, ['canViewPatients'], {
    typed: keepTyped({ dateOfBirth: '1956-11-02' }),
  });
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: /^Date of birth/ })).value).toBe('11/02/1956');
  await waitFor(() =>
    expect(searches().at(-1)?.body).toMatchObject({ userDefinedFacetPreferences: { dateOfBirth: '1956-11-02' } }),
  );
});

test('another sort key has its own order, and another page size starts at the first page', async () => {
  const { router, searches } = open(
    { 'POST /api/patients/search': page({ total: 48, numPages: 5 }) },
    `${PATH}?p=3&view=ALL_PATIENTS&showFilters=false`,
  );
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Sort by' }), 'LENGTH_OF_STAY DESC');
  await waitFor(() =>
    expect(searches().at(-1)?.body).toMatchObject({ sortBy: ['LENGTH_OF_STAY'], sortOrder: 'DESC', pageNumber: 1 }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Next' }));
  await waitFor(() => expect(router.location.search.p).toBe(2));
  const size = screen.getByRole('combobox', { name: 'Rows per page' });
  expect([...size.querySelectorAll('option')].map(({ value }) => value)).toEqual(['5', '10', '20']);
  await userEvent.selectOptions(size, '20');
  await waitFor(() => expect(searches().at(-1)?.body).toMatchObject({ pageSize: 20, pageNumber: 1 }));
});

test('a failed search clears the result and can be retried', async () => {
  let fails = true;
  open({
    'POST /api/patients/search': ({ body }) =>
      JSON.stringify(body).includes('LAST_NAME') && fails ? [500, { errorKey: 'INTERNAL', requestId: 'r-1' }] : page(),
  });
  await screen.findByRole('link', { name: 'Lindqvist, Per' });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'LAST_NAME ASC');
  expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load patients.");
  expect(screen.queryByRole('link', { name: 'Lindqvist, Per' })).toBeNull();
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: 'Lindqvist, Per' })).toBeTruthy();
});

test('a team without patients is not a list without matches', async () => {
  open({ 'POST /api/patients/search': page({ patients: [], total: 0, numPages: 0 }) });
  expect(await screen.findByText('No patients yet.')).toBeTruthy();
});

test('filters without matches can be removed, the last one or all', async () => {
  const { router } = open(
    { 'POST /api/patients/search': page({ patients: [], total: 0, numPages: 0 }) },
    `${PATH}?showFilters=false&f.gender=Male&f.city=Alder%20Bay`,
  );
  expect(await screen.findByText('No patients match 2 filters.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove last filter' }));
  expect(await screen.findByText('No patients match 1 filter.')).toBeTruthy();
  await userEvent.click(screen.getAllByRole('button', { name: 'Clear all' })[0] as HTMLElement);
  await waitFor(() => expect(router.location.search).toEqual({ showFilters: false, view: 'ALL_PATIENTS' }));
});

test('a name without matches can be searched without the other filters', async () => {
  const { searches } = open(
    { 'POST /api/patients/search': page({ patients: [], total: 0, numPages: 0 }) },
    `${PATH}?showFilters=false&view=CURRENTLY_ADMITTED&f.gender=Male`,
    ['canViewPatients'],
    { typed: keepTyped({ text: 'lind' }) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Keep name only' }));
  await waitFor(() =>
    expect(searches().at(-1)?.body).toMatchObject({
      userDefinedFacetPreferences: { query: 'lind', preferenceMap: {}, openPatientsOnly: false },
      sortBy: ['RELEVANCE'],
    }),
  );
  expect(await screen.findByText('No patients match 1 filter.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Keep name only' })).toBeNull();
});

test('a changed result waits until it is shown; unchanged rows are refreshed in place', async () => {
  let answer = page();
  const { searches } = open({ 'POST /api/patients/search': () => answer }, undefined, [
    'canViewPatients',
    'canViewPings',
  ]);
  await screen.findByRole('link', { name: 'Lindqvist, Per' });
  await waitFor(() => expect(streams).toHaveLength(1));
  answer = page({ patients: [ADA, { ...PER, firstName: 'Pelle' }] });
  tell('ping', { patientId: '3_4' });
  expect(await screen.findByRole('link', { name: 'Lindqvist, Pelle' })).toBeTruthy();
  expect(searches().at(-1)?.headers['x-tidings-background']).toBe('1');
  answer = page({ patients: [PER, ADA] });
  tell('ping', { patientId: '3_4' });
  const bar = await screen.findByRole('button', { name: 'List updated — show' });
  expect(screen.getAllByRole('row')[1]?.textContent).toContain('OKONKWO-REYES');
  await userEvent.click(bar);
  await waitFor(() => expect(screen.getAllByRole('row')[1]?.textContent).toContain('LINDQVIST'));
});

test('a change during the first load of the list is on it', async () => {
  const late = Promise.withResolvers<ReturnType<typeof page>>();
  let asked = 0;
  open({ 'POST /api/patients/search': () => (++asked === 1 ? late.promise : page()) });
  await waitFor(() => expect(asked).toBe(1));
  await waitFor(() => expect(streams).not.toHaveLength(0));
  tell('rows', {});
  await new Promise((resolve) => setTimeout(resolve, ASK_AFTER + 200));
  late.resolve(page({ patients: [], total: 0 }));
  expect(await screen.findByRole('link', { name: 'Lindqvist, Per' })).toBeTruthy();
});

test('users without permission to see patients read that permissions are missing', async () => {
  open({}, PATH, []);
  expect(await screen.findByText('The proper permissions are not set up.', { exact: false })).toBeTruthy();
});

test('a page that the list no longer has is replaced by the last one', async () => {
  const { router, searches } = open(
    {
      'POST /api/patients/search': ({ body }) =>
        Number(body['pageNumber']) > 2
          ? page({ patients: [], total: 12, numPages: 2 })
          : page({ total: 12, numPages: 2 }),
    },
    `${PATH}?p=9&view=ALL_PATIENTS&showFilters=false`,
  );
  await screen.findByRole('link', { name: 'Lindqvist, Per' });
  expect(router.location.search).toEqual({ p: 2, view: 'ALL_PATIENTS', showFilters: false });
  expect(searches().map(({ body }) => body['pageNumber'])).toEqual([9, 2]);
});

test('for a group without patients, the list says that only this group is empty', async () => {
  const { router } = open(
    { 'POST /api/patients/search': page({ patients: [], total: 0, numPages: 0 }) },
    `${PATH}?showFilters=false&group=7`,
  );
  expect(await screen.findByText('No patients match 1 filter.')).toBeTruthy();
  expect(screen.getByText('Only one group is shown. Other groups may have matches.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show all groups' }));
  await waitFor(() => expect(router.location.search).toEqual({ showFilters: false }));
});

test('what was typed is a chip; removing it restores the order too', async () => {
  const { router, searches } = open({}, `${PATH}?showFilters=false&view=ALL_PATIENTS`, ['canViewPatients'], {
    typed: keepTyped({ text: 'lind', dateOfBirth: '1956-11-02' }),
  });
  const used = await screen.findByRole('list', { name: 'Applied filters' });
  expect(used.textContent).toContain('Name or identifier: lind');
  expect(used.textContent).toContain('Born: 11/02/1956');
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter Name or identifier: lind' }));
  await waitFor(() =>
    expect(searches().at(-1)?.body).toMatchObject({
      userDefinedFacetPreferences: { query: '', dateOfBirth: '1956-11-02' },
      sortBy: ['PING_ENCOUNTER_DATE'],
    }),
  );
  expect(typedWith(router.location.state.typed)).toEqual({ dateOfBirth: '1956-11-02' });
});

test('a birth date applies once its year is complete or the field is left, and is written out', async () => {
  const { searches } = open();
  const born = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Date of birth/ });
  const asked = () =>
    (searches().at(-1)?.body as SearchParametersInput | undefined)?.userDefinedFacetPreferences?.dateOfBirth;
  await userEvent.type(born, '11/2/19');
  await new Promise((resolve) => setTimeout(resolve, 2 * TYPING_PAUSE));
  expect([born.value, asked()]).toEqual(['11/2/19', null]);
  await userEvent.type(born, '56');
  await waitFor(() => expect([born.value, asked()]).toEqual(['11/02/1956', '1956-11-02']));
  await userEvent.clear(born);
  await userEvent.type(born, '3/7/61{Enter}');
  await waitFor(() => expect([born.value, asked()]).toEqual(['03/07/1961', '1961-03-07']));
  await userEvent.clear(born);
  await userEvent.type(born, '3/7/61');
  await userEvent.tab();
  await waitFor(() => expect(born.value).toBe('03/07/1961'));
});

test('the group of the list is a chip; removing it shows all groups', async () => {
  const me = somebody({}, { permissions: ['canViewPatients'] });
  const groups = {
    7: { id: '7', name: 'Oak Hollow', abbreviation: 'OH', type: 'SNF', isAutomated: true, permissions: [] },
  };
  const teams = { 5: { ...me.user.teams['5'], groups } };
  const answers = { 'GET /api/me': [200, { ...me, user: { ...me.user, teams } }] } satisfies Parameters<typeof open>[0];
  const { router } = open(answers, `${PATH}?showFilters=false&group=7`);
  const used = await screen.findByRole('list', { name: 'Applied filters' });
  expect(used.textContent).toBe('Group: Oak Hollow');
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter Group: Oak Hollow' }));
  await waitFor(() => expect(router.location.search).toEqual({ showFilters: false }));
});

test('columns come from the preferences of the user and are stored there', async () => {
  const preferences = { ...DEFAULT_PREFERENCES, patientColumns: ['practice', 'gone'] };
  let kept: unknown = null;
  const { router } = open({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients'], preferences })],
    'PUT /api/users/preferences': ({ body }) => {
      kept = body;
      return [204];
    },
  });
  await screen.findByRole('columnheader', { name: 'Practice' });
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads()).toEqual(['Patient', 'Practice']);
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Provider' }));
  expect(heads()).toEqual(['Patient', 'Practice', 'Provider']);
  expect(kept).toEqual({ ...preferences, patientColumns: ['practice', 'provider'] });
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Columns' })).toBeNull());
  expect(router.location.pathname).toBe(PATH);
});

test('the way back from a patient focuses the row', async () => {
  const { router } = open({ 'GET /api/patients/3_4': [200, PER] }, undefined, ['canViewPatients', 'canViewPings']);
  await userEvent.click(await screen.findByRole('link', { name: 'Lindqvist, Per' }));
  await waitFor(() => expect(router.location.pathname).toBe('/dashboard/patients/3_4'));
  await screen.findByRole('heading', { name: /LINDQVIST/ });
  act(() => router.history.back());
  const row = await screen.findByRole('link', { name: 'Lindqvist, Per' });
  await waitFor(() => expect(document.activeElement).toBe(row));
});

test('a printed list has its counts, filters, order and a confidentiality notice', async () => {
  open({}, `${PATH}?showFilters=false&f.gender=!Male&f.program=MSSP,Lantern,Harbor&sort=LAST_NAME`);
  await screen.findByRole('link', { name: 'Lindqvist, Per' });
  const words = () => document.querySelector('section[hidden]')?.textContent;
  await waitFor(() => expect(words()).toContain('1–2 of 2 patients · 2 of 1,204'));
  expect(words()).toContain('Patients · Team East');
  expect(words()).toContain('Program: MSSP, Lantern, Harbor; Gender: not Male');
  expect(words()).toContain('Last name, A to Z');
  expect(document.querySelector('thead tr[hidden]')?.textContent).toMatch(
    /^Confidential: contains patient information \(PHI\)\. Printed .+ by A\. Example\.$/,
  );
});

test('tag names are shortened to 30 characters, with the full name as the title', async () => {
  const preferences = { ...DEFAULT_PREFERENCES, patientColumns: ['tags'] };
  const permissions = ['canViewPatients', 'canViewPatientTags'];
  const tag = 'Diabetes education, second series';
  open(
    {
      'GET /api/me': [200, somebody({}, { permissions, preferences })],
      'POST /api/patients/search': page({ patients: [{ ...PER, patientTags: ['Home visit', tag] }], total: 1 }),
    },
    undefined,
    permissions,
  );
  const short = await screen.findByTitle(tag);
  expect(short.closest('td')?.textContent).toBe('Home visit, Diabetes education, second ser…');
});

test('a hospital starts with columns for its own patients', async () => {
  open(
    {
      'GET /api/me': [
        200,
        somebody(
          { applicationExperience: 'ANAHIT_AUTH0_SSO' },
          { permissions: ['canViewPatients', 'canViewHospitalProduct'] },
        ),
      ],
    },
    '/hospital?showFilters=false',
  );
  await screen.findByRole('link', { name: 'Lindqvist, Per' });
  expect(screen.getAllByRole('columnheader').flatMap(({ textContent, hidden }) => (hidden ? [] : textContent))).toEqual(
    ['Patient', 'Current status', 'Facility', 'Stay', 'Managing Provider', 'Diagnosis'],
  );
});

test('a hospital’s list opens with visits where its user works, and one click shows all patients', async () => {
  const me = somebody(
    { applicationExperience: 'ANAHIT', primaryClinicalSetting: 'INPATIENT' },
    { permissions: ['canViewPatients', 'canViewHospitalProduct'] },
  );
  const { searches } = open({ 'GET /api/me': [200, me] }, '/hospital?showFilters=false');
  const asked = () =>
    (searches().at(-1)?.body as SearchParametersInput | undefined)?.userDefinedFacetPreferences?.preferenceMap;
  await waitFor(() =>
    expect(asked()).toEqual({
      setting: ['INPATIENT', 'OBSERVATION'].map((value) => ({ field: 'setting', value, negated: false })),
    }),
  );
  await userEvent.click(await screen.findByRole('button', { name: /Clear all/ }));
  await waitFor(() => expect(asked()).toEqual({}));
});

test('while the server is still loading the list, its counts say so, and it is asked again until it is whole', async () => {
  let whole = false;
  const { searches } = open({
    'POST /api/patients/search': () =>
      whole ? page({ total: 40, numPages: 2 }) : page({ total: 12, isCounting: true }),
  });
  expect(await screen.findByText('1–2 of 12 so far')).toBeTruthy();
  expect(await screen.findByText('Counting… · Team East')).toBeTruthy();
  expect(await screen.findByText('Still counting. More rows may appear.')).toBeTruthy();
  expect(searches()[0]?.headers).toMatchObject({ [PART_HEADER]: '1' });
  whole = true;
  expect(await screen.findByText('1–2 of 40', {}, { timeout: 3000 })).toBeTruthy();
  expect(await screen.findByText('40 of 1,204 · Team East')).toBeTruthy();
});

test('a list that is still loaded and has no rows yet does not say that nothing matches', async () => {
  open({ 'POST /api/patients/search': page({ patients: [], total: 0, numPages: 0, isCounting: true }) });
  expect(await screen.findByText('Still counting. More rows may appear.')).toBeTruthy();
  expect(screen.queryByText(/No patients/)).toBeNull();
});
