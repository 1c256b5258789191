import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { Outlet, RouterProvider } from '../router/outlet.tsx';
import { Router } from '../router/router.ts';
import { createRoute } from '../router/routes.ts';
import { memoryHistory } from '../testing/memory-history.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

afterEach(cleanup);

test('leaving before the codes are saved asks first; the end of the session does not wait for an answer', async () => {
  const parent = { parent: null, component: Outlet };
  const page = (path: string, text: string) => createRoute({ parent, path, component: () => <p>{text}</p> });
  const codes = createRoute({
    parent,
    path: '/',
    component: () => <RecoveryCodes codes={['k1fd-9q2m']} close={() => {}} />,
  });
  const router = new Router({
    routes: [codes, page('/inbox', 'Inbox'), page('/login', 'Sign in')],
    history: memoryHistory(),
    pendingMs: 200,
    notFoundComponent: () => null,
    errorComponent: () => null,
  });
  const go = (to: string): void => void router.navigate({ to });
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  await screen.findByText('k1fd-9q2m');
  go('/inbox');
  await userEvent.click(await screen.findByRole('button', { name: 'Stay and save them' }));
  expect(screen.getByText('k1fd-9q2m')).toBeTruthy();
  go('/login');
  expect(await screen.findByText('Sign in')).toBeTruthy();
});
