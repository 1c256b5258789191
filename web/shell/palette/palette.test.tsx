import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../../testing/app.tsx';
import { liveStream } from '../../testing/live-stream.ts';
import { cardWith, encounterWith, patientWith, pingWith } from '../../testing/patients.ts';
import { typedPatient } from './typed-patient.ts';

liveStream();

const ping = pingWith();
const adaeze = patientWith({ currentPing: ping, currentPingEncounter: encounterWith(ping), card: cardWith([ping]) });
const hit = {
  value: adaeze.id,
  label: 'OKONKWO-REYES, Adaeze',
  id: adaeze.id,
  name: 'OKONKWO-REYES, Adaeze',
  dateOfBirth: '1941-03-14',
  gender: 'Female',
  memberId: 'LA-1',
  isSimilarToAnother: true,
};

const saved = {
  ignoredFacets: [],
  id: '7',
  name: 'My SNF',
  searchContext: 'PINGS',
  sortBy: [],
  pageSize: 20,
  userDefinedFacetPreferences: { query: '', dateOfBirth: null, preferenceMap: {}, openPatientsOnly: false },
};

/** What the server finds for any text. */
let found: object[] = [];
const serveHits = (hits: object[]): void => {
  found = hits;
};
const open = async (
  path: string,
  { optedOut = [] as string[], permissions = [] as string[], hits = [hit] as object[] } = {},
) => {
  setWidth(1440);
  serveHits(hits);
  const called = serve({
    'GET /api/me': [
      200,
      somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canManagePings', ...permissions] }),
    ],
    'GET /api/alpha/opt-out': [200, optedOut],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params': [200, [saved]],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/typeahead/patients': () => [200, found],
    'POST /api/pings': [200, { patients: [adaeze], total: 1, numPages: 1, facets: {}, hash: 'h' }],
    [`GET /api/patients/${adaeze.id}`]: [200, adaeze],
  });
  const router = openApp(path);
  await screen.findByRole('navigation', { name: 'Pages' });
  return { called, router };
};
const NAME = { name: 'Search patients, pages and actions' };
const openPalette = async () => {
  await userEvent.keyboard('{Control>}k{/Control}');
  return screen.findByRole('combobox', NAME);
};
const options = () => within(screen.getByRole('listbox')).getAllByRole('option');
const active = () =>
  document.getElementById(screen.getByRole('combobox', NAME).getAttribute('aria-activedescendant') ?? '');

test('names, birth dates and identifiers are told apart, and one letter is too little', () => {
  const today = new Date('2026-11-25T12:00:00');
  expect(typedPatient('lindq 11/2/56', today)).toEqual({ query: 'lindq', dateOfBirth: '1956-11-02' });
  expect(typedPatient(' 11021956 ', today)).toEqual({ query: '', dateOfBirth: '1956-11-02' });
  expect(typedPatient('LA-0003012', today)).toEqual({ query: 'LA-0003012', dateOfBirth: null });
  expect(typedPatient('Ng Li', today)).toEqual({ query: 'Ng Li', dateOfBirth: null });
  expect(typedPatient('n', today)).toBeNull();
  expect(typedPatient("'-", today)).toBeNull();
  expect(typedPatient('', today)).toBeNull();
});

test('a patient is found with what tells them apart, and opened; nothing typed is in an address', async () => {
  const { called, router } = await open('/dashboard/whats-new');
  await userEvent.type(await openPalette(), 'okonk 3/14/1941');
  const patients = await screen.findByRole('group', { name: 'Patients' });
  const option = within(patients).getByRole('option');
  expect(option.textContent).toMatch(/OKONKWO-REYES, Adaeze.*03\/14\/1941 \(85y\) · Female · LA-1.*Similar name/);
  const sent = called.filter(({ route }) => route === 'POST /api/typeahead/patients').map(({ body }) => body);
  expect(sent.at(-1)).toMatchObject({
    query: 'okonk',
    parameters: { userDefinedFacetPreferences: { dateOfBirth: '1941-03-14' } },
  });
  expect(active()).toBe(option);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.location.pathname).toBe(`/dashboard/patients/${adaeze.id}`));
  expect(screen.queryByRole('combobox', NAME)).toBeNull();
  expect(router.location.href).not.toMatch(/okonk|1941/i);
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/okonk|1941/i);
});

test('a hit under Pings says which stay it leads to, and lands there', async () => {
  const stay = {
    status: 'DISCHARGE',
    state: 'AMENDED',
    setting: 'INPATIENT',
    dischargedTo: 'Oak Hollow SNF',
    payor: null,
    eventDate: '2026-11-20T15:00:00Z',
    facilityName: 'Mercy General',
    timeZone: 'America/New_York',
    managementStatus: 'NEW',
  };
  const earlier = { ...hit, id: '1_1', value: '1_1', stay: { ...stay, managementStatus: 'IN_PROGRESS' } };
  const { router } = await open('/dashboard/whats-new', { hits: [{ ...hit, stay }, earlier] });
  await userEvent.type(await openPalette(), 'okonk');
  const [first, second] = within(await screen.findByRole('group', { name: 'Pings' })).getAllByRole('option');
  expect(first?.textContent).toMatch(
    /Discharged — to Oak Hollow SNF Amended · Mercy General · 11\/20\/2026 · 10:00 AM ET · Unresolved$/,
  );
  expect(second?.textContent).toMatch(/In Progress$/);
  await userEvent.click(second as HTMLElement);
  await waitFor(() => expect(router.location.search).toMatchObject({ sel: '1_1' }));
});

test('an action whose beginning is typed comes before patients who were found in spite of a typing error', async () => {
  const resnik = { ...hit, id: '8_8', value: '8_8', name: 'RESNIK, Ola', label: 'RESNIK, Ola' };
  const reso = { ...hit, id: '9_9', value: '9_9', name: 'RÉSOLME, Ida', label: 'RÉSOLME, Ida' };
  await open(`/dashboard/home/inbox?sel=${adaeze.id}`, { hits: [resnik] });
  await screen.findByRole('button', { name: 'Mark in progress' });
  await userEvent.type(await openPalette(), 'reso');
  await screen.findByRole('group', { name: 'Other patients' });
  expect(options().map(({ textContent }) => textContent?.slice(0, 7))).toEqual(['Resolve', 'RESNIK,', 'RESNIK,']);
  expect(active()?.textContent).toContain('Resolve: choose a reason');
  await userEvent.keyboard('{Control>}k{/Control}');
  serveHits([resnik, reso]);
  await userEvent.type(await openPalette(), 'reso');
  await screen.findByRole('group', { name: 'Patients' });
  expect(options().map(({ textContent }) => textContent?.slice(0, 7))).toEqual([
    'RÉSOLME',
    'RÉSOLME',
    'Resolve',
    'RESNIK,',
    'RESNIK,',
  ]);
});

test('a ping that is found lands on its row', async () => {
  const { router } = await open('/dashboard/whats-new');
  await userEvent.type(await openPalette(), 'okonk');
  await userEvent.click(within(await screen.findByRole('group', { name: 'Pings' })).getByRole('option'));
  await waitFor(() => expect(router.location.pathname).toBe('/dashboard/home/inbox'));
  await waitFor(() => expect(document.activeElement?.id).toBe(`ping-${adaeze.id}`));
});

test('pages and filters are offered to those who may open them, with their keys', async () => {
  const { router } = await open('/dashboard/whats-new');
  await openPalette();
  const pages = await screen.findByRole('group', { name: 'Pages' });
  expect(within(pages).getByRole('option', { name: /Patients/ }).textContent).toBe('PatientsGP');
  expect(within(pages).queryByRole('option', { name: /Admin/ })).toBeNull();
  await userEvent.type(screen.getByRole('combobox', NAME), 'snf');
  expect((await screen.findByRole('option', { name: 'Pings: My SNF' })).getAttribute('aria-selected')).toBe('true');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.location.pathname).toBe('/dashboard/home/inbox/active-filter-id/7'));
});

test('the open ping is acted on from the palette, unless the user opted out of that', async () => {
  await open(`/dashboard/home/inbox?sel=${adaeze.id}`);
  await screen.findByRole('button', { name: 'Mark in progress' });
  await openPalette();
  const actions = await screen.findByRole('group', { name: 'Open ping: OKONKWO-REYES, Adaeze' });
  expect(within(actions).getByRole('option', { name: /Resolve/ }).textContent).toBe('Resolve: choose a reasonE');
  expect(within(actions).queryByRole('option', { name: 'Reopen' })).toBeNull();
  await userEvent.type(screen.getByRole('combobox', NAME), 'resolve');
  await waitFor(() => expect(active()?.textContent).toContain('Resolve: choose a reason'));
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('form', { name: 'Resolve this ping' })).toBeTruthy();
});

test('opting out takes the actions away, and nothing else', async () => {
  await open(`/dashboard/home/inbox?sel=${adaeze.id}`, { optedOut: ['PALETTE_ACTIONS'] });
  await screen.findByRole('button', { name: 'Mark in progress' });
  await openPalette();
  await screen.findByRole('group', { name: 'Pages' });
  expect(screen.queryByRole('group', { name: /Open ping|Actions/ })).toBeNull();
});

test('arrow keys go round the results, and Escape and Ctrl K close', async () => {
  await open('/dashboard/whats-new');
  await openPalette();
  await screen.findByRole('group', { name: 'Actions' });
  await screen.findByRole('option', { name: 'Pings: My SNF' });
  expect(active()).toBe(options()[0]);
  await userEvent.keyboard('{ArrowUp}');
  expect(active()).toBe(options().at(-1));
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toBe(options()[1]);
  await userEvent.keyboard('{Control>}k{/Control}');
  expect(screen.queryByRole('combobox', NAME)).toBeNull();
});
