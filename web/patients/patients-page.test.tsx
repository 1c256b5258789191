import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const PATH = '/dashboard/patients/my-patients';
const ADA = patientWith();
const PER = patientWith({
  id: '3_4',
  firstName: 'Per',
  lastName: 'Lindqvist',
  similarPatients: [{ id: '9_0', name: 'LINDQVIST, Peter', dateOfBirth: '1956-11-20', memberId: null }],
});
const page = (over: object = {}): [number, object] => [
  200,
  { patients: [ADA, PER], total: 2, numPages: 1, facets: {}, ...over },
];

/** The live stream of the simulated browser: tells what the test says. */
const streams: EventTarget[] = [];
beforeEach(() => {
  streams.length = 0;
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      constructor() {
        super();
        streams.push(this);
      }
      close(): void {}
    },
  );
});
const tell = (kind: string, data: object = {}): void => {
  act(() => void streams.at(-1)?.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) })));
};

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
    ...answers,
  });
  return {
    router: openApp(path, state),
    searches: () => called.filter(({ route }) => route === 'POST /api/patients/search'),
  };
};

test('a row says who it is about, warns of a similar name, and how many of how many are shown', async () => {
  open();
  const per = (await screen.findByRole('link', { name: 'Lindqvist, Per' })).closest('tr');
  expect(per?.textContent).toContain('LINDQVIST, Per');
  expect(per?.textContent).toMatch(/03\/14\/1941 \(\d+y\) · Female · 004 418 273/);
  expect(per?.textContent).toContain('Similar name');
  expect((await screen.findByRole('link', { name: 'Okonkwo-Reyes, Adaeze' })).closest('tr')?.textContent).not.toContain(
    'Similar name',
  );
  expect(await screen.findByText('2 of 1,204 · Team East')).toBeTruthy();
});

test('a text is searched after a pause, from the first page on, by relevance, and is in no address', async () => {
  const { router, searches } = open({}, `${PATH}?showFilters=false&view=ALL_PATIENTS&p=4`);
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Name or identifier' }), 'lind');
  await waitFor(() =>
    expect(searches().at(-1)?.body).toMatchObject({
      userDefinedFacetPreferences: { query: 'lind' },
      sortBy: ['RELEVANCE'],
      sortOrder: 'DESC',
      pageNumber: 1,
    }),
  );
  expect(searches().some(({ body }) => JSON.stringify(body).includes('"query":"l"'))).toBe(false);
  expect(router.state.location.href).not.toContain('lind');
  expect(router.state.location.state.typed).toEqual({ text: 'lind' });
});

test('what was typed comes back with the state of the history', async () => {
  const { searches } = open({}, `${PATH}?showFilters=false&view=ALL_PATIENTS`, ['canViewPatients'], {
    typed: { dateOfBirth: '1956-11-02' },
  });
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: /^Date of birth/ })).value).toBe('11/02/1956');
  await waitFor(() =>
    expect(searches().at(-1)?.body).toMatchObject({ userDefinedFacetPreferences: { dateOfBirth: '1956-11-02' } }),
  );
});

test('another order begins as it should, another size of the pages begins at the first', async () => {
  const { router, searches } = open(
    { 'POST /api/patients/search': page({ total: 48, numPages: 5 }) },
    `${PATH}?p=3&view=ALL_PATIENTS&showFilters=false`,
  );
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Sort by' }), 'LENGTH_OF_STAY DESC');
  await waitFor(() =>
    expect(searches().at(-1)?.body).toMatchObject({ sortBy: ['LENGTH_OF_STAY'], sortOrder: 'DESC', pageNumber: 1 }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Next' }));
  await waitFor(() => expect(router.state.location.search.p).toBe(2));
  const size = screen.getByRole('combobox', { name: 'Rows on a page' });
  expect([...size.querySelectorAll('option')].map(({ value }) => value)).toEqual(['5', '10', '20']);
  await userEvent.selectOptions(size, '20');
  await waitFor(() => expect(searches().at(-1)?.body).toMatchObject({ pageSize: 20, pageNumber: 1 }));
});

test('a search that fails clears the result and can be tried again', async () => {
  let fails = true;
  open({
    'POST /api/patients/search': ({ body }) =>
      JSON.stringify(body).includes('LAST_NAME') && fails ? [500, { errorKey: 'INTERNAL', requestId: 'r-1' }] : page(),
  });
  await screen.findByRole('link', { name: 'Lindqvist, Per' });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'LAST_NAME ASC');
  expect((await screen.findByRole('alert')).textContent).toContain('The patients could not be loaded.');
  expect(screen.queryByRole('link', { name: 'Lindqvist, Per' })).toBeNull();
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: 'Lindqvist, Per' })).toBeTruthy();
});

test('nobody at all and nobody who matches are two things', async () => {
  open({ 'POST /api/patients/search': page({ patients: [], total: 0, numPages: 0 }) });
  expect(await screen.findByText('No patients are listed yet.')).toBeTruthy();
});

test('of filters that match nobody, the last or all are taken away', async () => {
  const { router } = open(
    { 'POST /api/patients/search': page({ patients: [], total: 0, numPages: 0 }) },
    `${PATH}?showFilters=false&f.gender=Male&f.city=Alder%20Bay`,
  );
  expect(await screen.findByText('No patients match 2 filters.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove the last one' }));
  expect(await screen.findByText('No patients match 1 filter.')).toBeTruthy();
  await userEvent.click(screen.getAllByRole('button', { name: 'Clear all' })[0] as HTMLElement);
  await waitFor(() => expect(router.state.location.search).toEqual({ showFilters: false, view: 'ALL_PATIENTS' }));
});

test('another result waits until it is shown; the same one is renewed in its place', async () => {
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
  const bar = await screen.findByRole('button', { name: 'The result has changed — show' });
  expect(screen.getAllByRole('row')[1]?.textContent).toContain('OKONKWO-REYES');
  await userEvent.click(bar);
  await waitFor(() => expect(screen.getAllByRole('row')[1]?.textContent).toContain('LINDQVIST'));
});

test('who may not see patients reads whom to ask', async () => {
  open({}, PATH, []);
  expect(await screen.findByText('The proper permissions are not set up.', { exact: false })).toBeTruthy();
});
