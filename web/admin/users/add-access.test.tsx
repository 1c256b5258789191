import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { groups, kofi, roles, teams } from '../../testing/administration.ts';
import { directoryAnswers } from '../../testing/directory-answers.ts';
import { show } from '../../testing/show.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { directoryOf } from '../directory/use-directory.ts';
import { InviteDrawer } from './invite-drawer.tsx';
import { UserDrawer } from './user-drawer.tsx';

const [VIEWER, CLINICIAN] = ['5', '3'] as const;
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('an invitation gives the access that is selected, without "Add access"', async () => {
  const asked = stubApi({ 'POST /api/users': kofi });
  const invited = vi.fn();
  show(<InviteDrawer directory={directoryOf(teams, groups, roles)} invited={invited} close={vi.fn()} />);
  await userEvent.type(screen.getByLabelText('Email'), 'ana@x.example');
  await userEvent.type(screen.getByLabelText('First name'), 'Ana');
  await userEvent.type(screen.getByLabelText('Last name'), 'Reyes');
  await userEvent.click(screen.getByLabelText('Mercy General'));
  // The role counts as it is when the form is sent.
  await userEvent.selectOptions(screen.getByLabelText('Role'), CLINICIAN);
  expect(screen.getByText('Adds:').parentElement?.textContent).toContain('change ping status');
  await userEvent.click(screen.getByRole('button', { name: 'Invite' }));
  await vi.waitFor(() => expect(invited).toHaveBeenCalled());
  expect(asked[0]?.body).toMatchObject({ grants: [{ teamId: '1', groupId: '1', roleId: CLINICIAN }] });
  expect(asked[0]?.body).not.toHaveProperty('selected');
});

test('saving a user adds the access that is selected to what there is', async () => {
  const asked = stubApi({
    ...directoryAnswers({ teams, groups }),
    'GET /api/admin/roles': roles,
    'GET /api/admin/users/:id': kofi,
    'PUT /api/admin/users/:id': kofi,
  });
  const saved = vi.fn();
  show(<UserDrawer id="2" saved={saved} outdated={vi.fn()} showChanges={vi.fn()} close={vi.fn()} />);
  await userEvent.click(await screen.findByLabelText('St. Brendan'));
  expect(screen.getByText('Adds:').parentElement?.textContent).toContain('view the ping inbox');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalled());
  expect(asked.at(-1)?.body).toMatchObject({
    grants: [
      { groupId: '1', roleId: VIEWER },
      { teamId: '1', groupId: '2', roleId: VIEWER },
    ],
  });
});

test('what was selected in one team is not kept when another is chosen', async () => {
  const two = [...teams, { ...teams[0], id: '2', name: 'Night', groupIds: ['2'] }] as typeof teams;
  show(<InviteDrawer directory={directoryOf(two, groups, roles)} invited={vi.fn()} close={vi.fn()} />);
  await userEvent.click(screen.getByLabelText('Mercy General'));
  expect(screen.getByText('Adds:')).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText('Team'), 'Night');
  expect(screen.queryByText('Adds:')).toBeNull();
});
