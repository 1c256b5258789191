import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { kofi } from '../../testing/administration.ts';
import { openApp, serve, setWidth, somebody } from '../../testing/app.tsx';
import { changesSearch } from './changes-search.ts';

const entry = {
  id: '1',
  date: '2026-11-20T15:00:00.000Z',
  action: 'sign-in.failed',
  by: null,
  through: null,
  subject: { id: '2', name: 'Kofi Mensah' },
  call: null,
  organization: { id: '0', name: 'Unknown' },
  address: '203.0.113.4',
  detail: { errorKey: 'WRONG_PASSWORD' },
};
const log = { changes: [entry], total: 10_000, numPages: 200, hasMore: true };

const open = (path: string, answer: object = log) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canManageUsers'] })],
    'GET /api/admin/directory': [200, { teams: [], groups: [] }],
    'GET /api/admin/roles': [200, []],
    'GET /api/admin/users': [200, { users: [kofi], total: 1, numPages: 1 }],
    'GET /api/admin/users/2': [200, kofi],
    'GET /api/admin/changes': [200, answer],
  });
  const router = openApp(path);
  return { called, search: () => router.location.search };
};

test('the URL keeps valid filters by id and day, and nothing else', () => {
  expect(changesSearch({ user: '2', by: 3, kind: 'refused', from: '2026-11-01', to: '2026-02-30', p: '2' })).toEqual({
    user: 2,
    by: 3,
    kind: 'refused',
    from: '2026-11-01',
    p: 2,
  });
  expect(changesSearch({ user: 'Kofi', kind: 'all', from: '0026-11-01', p: 1 })).toEqual({});
});

test('a person is found by name, is in the URL by id, and starts at the first page', async () => {
  const { search } = open('/dashboard/admin/changes?p=3');
  expect(await screen.findByText('was refused: wrong password')).toBeTruthy();
  expect(screen.getByText(/^More than 10,000 entries$/)).toBeTruthy();
  expect(screen.getByText('Unknown')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Done by'), 'Kof');
  await userEvent.click(await screen.findByRole('option', { name: /Kofi Mensah/ }));
  await waitFor(() => expect(search()).toEqual({ by: 2 }));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Done by').value).toBe('Kofi Mensah'));
  await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Sign-ins');
  await waitFor(() => expect(search()).toEqual({ by: 2, kind: 'sign-ins' }));
  const file = screen.getByRole('link', { name: 'Download as CSV' }).getAttribute('href');
  expect(file).toMatch(/^\/api\/admin\/changes\.csv\?teamId=\d+&byId=2&kind=sign-ins$/);
  await userEvent.clear(screen.getByLabelText('Done by'));
  await waitFor(() => expect(search()).toEqual({ kind: 'sign-ins' }));
});

test('all filters are cleared at once, also where nothing matches', async () => {
  const none = { changes: [], total: 0, numPages: 0, hasMore: false };
  const { search } = open('/dashboard/admin/changes?user=2&from=2026-11-02&to=2026-11-01', none);
  expect(await screen.findByText('No entries match.')).toBeTruthy();
  expect(screen.getByText('This is before the first day.')).toBeTruthy();
  expect(screen.getByText('0 entries match 3 filters')).toBeTruthy();
  await userEvent.click(screen.getAllByRole('button', { name: 'Clear all' })[0] as HTMLElement);
  await waitFor(() => expect(search()).toEqual({}));
  expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('');
});
