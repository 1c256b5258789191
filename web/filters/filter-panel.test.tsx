import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { FacetCounts } from '#contract/search.ts';
import { type Called, openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const PATH = '/dashboard/patients/my-patients';
const counts = (facet: string, values: [value: string, count: number][], distinct = values.length): FacetCounts => ({
  [facet]: {
    distinct,
    options: values.map(([value, count]) => ({ value, label: value, count, field: facet, typeaheadEnabled: false })),
  },
});
const many = Array.from({ length: 10 }, (_, at): [string, number] => [`Program ${at}`, 100 - at]);
const FACET_COUNTS: FacetCounts = {
  ...counts('currentStatus', [
    ['ADMIT', 7],
    ['DISCHARGE', 3],
  ]),
  ...counts('program', many, 14),
  ...counts('careGaps', [['A1c', 2]]),
};
const results = (over: object = {}): [number, object] => [
  200,
  { patients: [patientWith()], total: 48, numPages: 5, facets: FACET_COUNTS, ...over },
];
const open = (
  permissions: string[] = ['canViewPatients'],
  answers: Parameters<typeof serve>[0] = {},
  path = PATH,
  width = 1440,
) => {
  setWidth(width);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/count': [200, { count: 200 }],
    'GET /api/patient-search-params': [200, []],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/search': results(),
    ...answers,
  });
  return { called, router: openApp(path) };
};
const searches = (called: Called[]) => called.filter(({ route }) => route === 'POST /api/patients/search');
const last = (called: Called[]) => searches(called).at(-1)?.body as Record<string, never> | undefined;
const panel = async () => within(await screen.findByRole('complementary', { name: 'Filters' }));
const header = async (name: RegExp) => (await panel()).findByRole('button', { name });

test('groups come in a fixed order, each under its permission; Current Status is open', async () => {
  open();
  const status = await header(/^Current Status/);
  expect(status.getAttribute('aria-expanded')).toBe('true');
  const names = (await panel()).getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(names.slice(0, 3)).toEqual(['Current Status', 'Facility Name', 'Facility State']);
  expect(names).not.toContain('Open Care Gaps');
  expect(names).not.toContain('City');
  expect(names.at(-1)).toBe('Age');
});

test('with permission, care gaps come first and places last', async () => {
  open(['canViewPatients', 'canViewCareGapsWorklistAlpha', 'canViewAllPatientDetails']);
  await header(/^Current Status/);
  const names = (await panel()).getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(names[0]).toBe('Open Care Gaps');
  expect(names.slice(-2)).toEqual(['City', 'Zip Code']);
});

test('a click on a value filters at once, from the first page on, and is in the URL', async () => {
  const { called, router } = open(undefined, {}, `${PATH}?p=3&view=ALL_PATIENTS`);
  await userEvent.click(await (await panel()).findByRole('checkbox', { name: /^Admitted/ }));
  await waitFor(() => expect(router.location.search).toEqual({ view: 'ALL_PATIENTS', 'f.currentStatus': 'ADMIT' }));
  await waitFor(() =>
    expect(last(called)).toMatchObject({
      pageNumber: 1,
      userDefinedFacetPreferences: {
        preferenceMap: { currentStatus: [{ field: 'currentStatus', value: 'ADMIT', negated: false }] },
      },
    }),
  );
  expect(screen.getByRole('list', { name: 'Applied filters' }).textContent).toContain('Current Status: Admitted');
});

test('"is not" excludes the chosen values, the header says so, and its ✕ removes them', async () => {
  const { called, router } = open(undefined, {}, `${PATH}?f.currentStatus=DISCHARGE`);
  await userEvent.click(await (await panel()).findByRole('radio', { name: 'is not' }));
  await waitFor(() => expect(router.location.search['f.currentStatus']).toBe('!DISCHARGE'));
  await waitFor(() =>
    expect(JSON.stringify(last(called))).toContain('{"field":"currentStatus","value":"DISCHARGE","negated":true}'),
  );
  expect((await header(/^Current Status/)).textContent).toContain('not Discharged');
  await userEvent.click((await panel()).getByRole('button', { name: 'Clear Current Status' }));
  await waitFor(() => expect(router.location.search['f.currentStatus']).toBeUndefined());
});

test('a chosen value without matches stays, and its group is open', async () => {
  open(undefined, {}, `${PATH}?f.program=Gone`);
  expect((await header(/^Program/)).getAttribute('aria-expanded')).toBe('true');
  const gone = await (await panel()).findByRole('checkbox', { name: /^Gone/ });
  expect((gone as HTMLInputElement).checked).toBe(true);
  await waitFor(() => expect(gone.closest('label, div')?.parentElement?.textContent).toContain('0'));
});

test('with more than eight values, six are shown and the rest on request', async () => {
  const { called } = open();
  await userEvent.click(await header(/^Program/));
  const group = within((await panel()).getByRole('group', { name: 'Program' }));
  expect(group.getAllByRole('checkbox')).toHaveLength(6);
  await userEvent.click((await panel()).getByRole('button', { name: 'Show 8 more' }));
  expect(group.getAllByRole('checkbox')).toHaveLength(10);
  await waitFor(() => expect(last(called)).toMatchObject({ termFacetSizeOverride: 100 }));
});

test('with more than thirty values, a typeahead finds all of them, even those that are not counted', async () => {
  const agencies = Array.from({ length: 10 }, (_, at): [string, number] => [`Agency ${at}`, 1000 - at]);
  const facets = { ...counts('currentlyBilling', agencies, 300), ...counts('admittedFrom', agencies, 30) };
  const { called, router } = open(undefined, {
    'POST /api/patients/search': results({ facets }),
    'POST /api/typeahead/values': [
      200,
      [{ value: 'Zelda', label: 'Zelda', count: 1, field: 'currentlyBilling', typeaheadEnabled: false }],
    ],
  });
  await userEvent.click(await header(/^Admitted From/));
  expect((await panel()).queryByRole('combobox')).toBeNull();
  await userEvent.click(await header(/^Currently Billing/));
  await userEvent.type((await panel()).getByRole('combobox', { name: 'Look up Currently Billing' }), 'zel');
  await (await panel()).findByRole('option', { name: /Zelda/ });
  const asked = called.find(({ route }) => route === 'POST /api/typeahead/values');
  expect(asked?.body).toMatchObject({ query: 'zel', facet: 'currentlyBilling' });
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.location.search['f.currentlyBilling']).toBe('Zelda'));
});

test('floors and units have a typeahead on demand, however few there are', async () => {
  open(undefined, { 'POST /api/patients/search': results({ facets: counts('floorUnit', [['3 West', 4]]) }) });
  await userEvent.click(await header(/^Current Floor/));
  await userEvent.click((await panel()).getByRole('button', { name: 'Search' }));
  expect((await panel()).getByRole('combobox', { name: 'Look up Current Floor / Unit' })).toBe(document.activeElement);
});

test('new counts move no value while its group is open', async () => {
  let answers = 0;
  const flipped = counts('currentStatus', [
    ['DISCHARGE', 90],
    ['ADMIT', 1],
  ]);
  open(undefined, {
    'POST /api/patients/search': () => (answers++ === 0 ? results() : results({ facets: flipped })),
  });
  const values = async () =>
    within((await panel()).getByRole('group', { name: 'Current Status' })).getAllByRole('checkbox');
  await header(/^Current Status/);
  await (await panel()).findByRole('checkbox', { name: 'Admitted 7' });
  await userEvent.click((await values())[1] as HTMLElement);
  await (await panel()).findByRole('checkbox', { name: /^Admitted ?1$/ });
  expect((await values()).map((one) => (one as HTMLInputElement).labels?.[0]?.textContent)).toEqual([
    'Admitted1',
    'Discharged90',
  ]);
});

test('a range applies when typing pauses, is refused with swapped ends, and has presets', async () => {
  const { called, router } = open();
  await userEvent.click(await header(/^Age/));
  const from = (await panel()).getByRole('textbox', { name: 'Age, from, years' });
  await userEvent.type(from, '65');
  expect(router.location.search['f.age']).toBeUndefined();
  await waitFor(() => expect(router.location.search['f.age']).toBe('65:'));
  await userEvent.type((await panel()).getByRole('textbox', { name: 'Age, to, years' }), '18');
  expect(await (await panel()).findByRole('alert')).toBeTruthy();
  await userEvent.click((await panel()).getByRole('button', { name: '85 and older' }));
  await waitFor(() =>
    expect(JSON.stringify(last(called))).toContain('"age":[{"field":"age","value":"85:","negated":false}]'),
  );
});

test('"Find a filter" finds groups by name and by value, and asks for more values', async () => {
  const { called } = open();
  await (await panel()).findByRole('checkbox', { name: /^Admitted/ });
  await userEvent.type((await panel()).getByRole('searchbox', { name: 'Find a filter' }), 'program 7');
  const names = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(names()).toEqual(['Program']);
  await waitFor(() => expect(last(called)).toMatchObject({ termFacetSizeOverride: 100 }));
  expect((await panel()).getAllByRole('checkbox')).toHaveLength(1);
  await userEvent.clear((await panel()).getByRole('searchbox', { name: 'Find a filter' }));
  await userEvent.type((await panel()).getByRole('searchbox', { name: 'Find a filter' }), 'zzz');
  expect(await (await panel()).findByText('No filters match “zzz”.')).toBeTruthy();
});

test('"Find a filter" finds values that are too rare to be counted', async () => {
  const option = { value: 'Quiet Program', label: 'Quiet Program', count: 1, field: 'program', typeaheadEnabled: true };
  const { called, router } = open(undefined, { 'POST /api/typeahead/programs': [200, [option]] });
  await (await panel()).findByRole('checkbox', { name: /^Admitted/ });
  await userEvent.type((await panel()).getByRole('searchbox', { name: 'Find a filter' }), 'quiet');
  expect((await panel()).getByText('Searching all values…')).toBeTruthy();
  const found = await (await panel()).findByRole('checkbox', { name: /^Quiet Program/ });
  const asked = called.filter(({ route }) => route.startsWith('POST /api/typeahead/'));
  expect(asked).toEqual([expect.objectContaining({ body: expect.objectContaining({ query: 'quiet', pageSize: 50 }) })]);
  await userEvent.click(found);
  await waitFor(() => expect(router.location.search['f.program']).toBe('Quiet Program'));
});

test('a facility is looked up during typing, within the other filters', async () => {
  const { called, router } = open(
    undefined,
    {
      'POST /api/typeahead/facilities': [
        200,
        [{ value: 'Oak Hollow', label: 'Oak Hollow', count: 12, field: 'facilityName', typeaheadEnabled: true }],
      ],
    },
    `${PATH}?f.currentStatus=ADMIT`,
  );
  await userEvent.click(await header(/^Facility Name/));
  await userEvent.type((await panel()).getByRole('combobox', { name: 'Look up Facility Name' }), 'oak');
  await (await panel()).findByRole('option', { name: /Oak Hollow/ });
  const asked = called.find(({ route }) => route === 'POST /api/typeahead/facilities');
  expect(asked?.body).toMatchObject({
    query: 'oak',
    parameters: { userDefinedFacetPreferences: { preferenceMap: { currentStatus: [{ value: 'ADMIT' }] } } },
  });
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.location.search['f.facilityName']).toBe('Oak Hollow'));
});

test('diagnoses have a typeahead on demand', async () => {
  open();
  await userEvent.click(await header(/^Diagnoses/));
  expect((await panel()).queryByRole('combobox')).toBeNull();
  await userEvent.click((await panel()).getByRole('button', { name: 'Search' }));
  expect((await panel()).getByRole('combobox', { name: 'Look up Diagnoses' })).toBe(document.activeElement);
});

test('on a phone the panel takes the focus, away from its buttons, and returns it', async () => {
  open(undefined, {}, `${PATH}?f.currentStatus=ADMIT`, 390);
  const button = await screen.findByRole('button', { name: /^Filters/ });
  button.focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Filters'));
  expect(document.activeElement?.tagName).toBe('H2');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('a closed panel counts nothing', async () => {
  const { called } = open(undefined, {}, `${PATH}?showFilters=false`);
  await screen.findByRole('link', { name: /Okonkwo-Reyes/ });
  expect(last(called)).toMatchObject({ termFacetSizeOverride: 0 });
});

test('while the list cannot be loaded, no values are said to be loading', async () => {
  open(undefined, { 'POST /api/patients/search': [500, { errorKey: 'INTERNAL', message: 'Something went wrong.' }] });
  expect(await screen.findByText("Couldn't load patients.")).toBeTruthy();
  await header(/^Current Status/);
  expect((await panel()).getByText("Couldn't load values. Retry the list.")).toBeTruthy();
  expect((await panel()).queryByText('Loading…')).toBeNull();
});

test('follow-ups are listed by urgency, however many there are of each', async () => {
  const due = counts('dueWork', [
    ['DUE', 9],
    ['OVERDUE', 2],
    ['DUE_TODAY', 4],
  ]);
  open(
    ['canViewPatients', 'canViewPings'],
    {
      'GET /api/pings/count/open': [200, { count: 15 }],
      'GET /api/pings/count/resolved': [200, { count: 0 }],
      'POST /api/pings': results({ facets: due }),
    },
    '/dashboard/home/inbox?showFilters=true',
  );
  await header(/^Follow-up/);
  const names = (await panel()).getAllByRole<HTMLInputElement>('checkbox', { name: /^Overdue|^Due / });
  expect(names.map(({ labels }) => labels?.[0]?.textContent)).toEqual(['Overdue2', 'Due today4', 'Due later9']);
});
