import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { AdminRole } from '#contract/admin.ts';
import { queryClient } from '../../api/query-client.ts';
import { show } from '../../testing/show.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { RolesPage } from './roles-page.tsx';

const role: AdminRole = {
  id: '9',
  name: 'Night desk',
  isStandard: false,
  permissions: [],
  userCount: 0,
  organization: null,
  version: '1',
};
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the form of a role that was opened from an outdated list says who is affected once the list is loaded', async () => {
  let current = role;
  stubApi({ 'GET /api/admin/roles': () => [current] });
  show(<RolesPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Night desk' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Upload rosters' }));
  expect(screen.queryByText('For the 1 user with this role:')).toBeNull();
  current = { ...role, userCount: 1 };
  await queryClient.invalidateQueries();
  await waitFor(() => expect(screen.getByText('For the 1 user with this role:')).toBeTruthy());
  expect(screen.getByRole('checkbox', { name: 'Upload rosters' })).toHaveProperty('checked', true);
});
