import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../../testing/app.tsx';
import { liveStream } from '../../testing/live-stream.ts';
import { patientWith } from '../../testing/patients.ts';

liveStream();
afterEach(() => vi.unstubAllGlobals());

const everyone = Array.from({ length: 104 }, (_, index) =>
  patientWith({ id: `${index + 1}_0`, firstName: `N${index}` }),
);
/** A busy machine takes its time to draw a hundred rows. */
const PATIENT = { timeout: 30_000 };
const rowsShown = () => screen.getAllByRole('row').filter((row) => row.querySelector('a')).length;

const open = (search: Parameters<typeof serve>[0][string]) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients'] })],
    'GET /api/patients/count': [200, { count: 104 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/search': search,
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/prints': [204, undefined],
  });
  openApp('/dashboard/patients/my-patients?showFilters=false');
  return called;
};

const answer = ({ body }: { body: unknown }): [number, object] => {
  const { pageNumber = 1, pageSize = 10 } = body as { pageNumber?: number; pageSize?: number };
  const patients = everyone.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  return [200, { patients, total: everyone.length, numPages: 11, facets: {} }];
};

test('all rows of the list are printed and recorded, and the page comes back afterwards', {
  timeout: 90_000,
}, async () => {
  const printed: number[] = [];
  vi.stubGlobal('print', () => {
    printed.push(rowsShown());
    window.dispatchEvent(new Event('beforeprint'));
    window.dispatchEvent(new Event('afterprint'));
  });
  const called = open(answer);
  await waitFor(() => expect(rowsShown()).toBe(10), PATIENT);
  await userEvent.click(screen.getByRole('button', { name: 'Print list' }));
  await waitFor(() => expect(printed).toEqual([104]), PATIENT);
  await waitFor(() => expect(rowsShown()).toBe(10), PATIENT);
  const recorded = called
    .filter(({ route }) => route === 'POST /api/prints')
    .map(({ body }) => (body as { patientIds: string[] }).patientIds.length);
  expect(recorded).toEqual([100, 4]);
});

test('the print command of the browser prints all rows too', { timeout: 90_000 }, async () => {
  const print = vi.fn(() => window.dispatchEvent(new Event('afterprint')));
  vi.stubGlobal('print', print);
  open(answer);
  await waitFor(() => expect(rowsShown()).toBe(10), PATIENT);
  await userEvent.keyboard('{Control>}p{/Control}');
  await waitFor(() => expect(print).toHaveBeenCalledOnce(), PATIENT);
});

test('nothing is printed if the other rows cannot be loaded', { timeout: 90_000 }, async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  open((one) => ((one.body as { pageSize?: number }).pageSize === 100 ? [500, {}] : answer(one)));
  await waitFor(() => expect(rowsShown()).toBe(10), PATIENT);
  await userEvent.click(screen.getByRole('button', { name: 'Print list' }));
  expect(await screen.findByText(/Couldn't load all rows, so nothing was printed/)).toBeTruthy();
  expect(print).not.toHaveBeenCalled();
});
