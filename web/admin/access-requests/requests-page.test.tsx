import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { AT, groups, kofi, roles, teams } from '../../testing/administration.ts';
import { directoryAnswers } from '../../testing/directory-answers.ts';
import { show } from '../../testing/show.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { UserDrawer } from '../users/user-drawer.tsx';
import { RequestsPage } from './requests-page.tsx';

const night = { ...(teams[0] as (typeof teams)[number]), id: '12', name: 'Night shift', groupIds: ['2'] };
const elsewhere = { ...night, id: '3', name: 'Elsewhere', groupIds: ['1'] };
const directory = {
  ...directoryAnswers({ teams: [night, elsewhere, ...teams], groups }),
  'GET /api/admin/roles': roles,
};
const request = {
  id: '7',
  username: 'lena@x.example',
  firstName: 'Lena',
  lastName: 'Okafor',
  title: 'Charge nurse',
  groupId: '2',
  groupName: 'St. Brendan',
  createdDate: AT,
  organization: null,
};
const open = (over: Parameters<typeof stubApi>[0] = {}) => {
  const asked = stubApi({
    ...directory,
    'GET /api/admin/access-requests': [request],
    'GET /api/admin/pending-grants': [],
    'POST /api/users/authorize-group': undefined,
    ...over,
  });
  show(<RequestsPage />);
  return () => asked.find(({ route }) => route.startsWith('POST'))?.path;
};
const ask = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Approve Lena Okafor for St. Brendan' }));
  return within(await screen.findByRole('dialog', { name: 'Approve Lena Okafor for St. Brendan?' }));
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a request is approved as a viewer on the selected team, unless another team or role is chosen', async () => {
  const posted = open();
  const dialog = await ask();
  expect(screen.getByText('Charge nurse')).toBeTruthy();
  const [team, role] = [
    dialog.getByLabelText<HTMLSelectElement>('Team'),
    dialog.getByLabelText<HTMLSelectElement>('Role'),
  ];
  expect([team.value, role.value]).toEqual(['1', '5']);
  expect([...team.options].map(({ text }) => text)).toEqual(['Lakeshore', 'Night shift']);
  await userEvent.selectOptions(team, 'Night shift');
  await userEvent.selectOptions(role, 'Clinician');
  expect(dialog.getByText('Adds:').parentElement?.textContent).toContain('change ping status');
  await userEvent.click(dialog.getByRole('button', { name: 'Approve request' }));
  expect(await screen.findByText(/Lena Okafor was added to St. Brendan/)).toBeTruthy();
  expect(posted()).toBe(
    '/api/users/authorize-group?username=lena%40x.example&groupId=2&requestId=7&teamId=12&roleId=3',
  );
});

test('a refusal is shown where the request is approved', async () => {
  const message = 'This would give you more access than you have.';
  open({ 'POST /api/users/authorize-group': { refuse: 403, errorKey: 'NOT_PERMITTED', message } });
  const dialog = await ask();
  await userEvent.click(dialog.getByRole('button', { name: 'Approve request' }));
  expect(await dialog.findByText('No changes were made.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a list without permission says so', async () => {
  open({ 'GET /api/admin/access-requests': { refuse: 403, errorKey: 'NOT_PERMITTED', message: 'No.' } });
  expect(await screen.findByText("You don't have access to access requests.")).toBeTruthy();
});

test('the title that someone gave with their request can be changed later', async () => {
  const asked = stubApi({
    ...directory,
    'GET /api/admin/users/:id': { ...kofi, title: 'Charge nurse' },
    'PUT /api/admin/users/:id': kofi,
  });
  const saved = vi.fn();
  show(<UserDrawer id="2" saved={saved} outdated={vi.fn()} showChanges={vi.fn()} close={vi.fn()} />);
  const field = await screen.findByLabelText<HTMLInputElement>('Title');
  expect(field.value).toBe('Charge nurse');
  await userEvent.clear(field);
  await userEvent.type(field, 'Nurse manager');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalled());
  expect(asked.at(-1)?.body).toMatchObject({ title: 'Nurse manager' });
});
