import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { RecoveryCodes } from './recovery-codes.tsx';

afterEach(cleanup);

test('leaving before the codes are saved asks first; the end of the session does not wait for an answer', async () => {
  const root = createRootRoute();
  const page = (path: string, text: string) =>
    createRoute({ getParentRoute: () => root, path, component: () => <p>{text}</p> });
  const codes = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: () => <RecoveryCodes codes={['k1fd-9q2m']} close={() => {}} />,
  });
  const router = createRouter({
    routeTree: root.addChildren([codes, page('/inbox', 'Inbox'), page('/login', 'Sign in')]),
    history: createMemoryHistory(),
  });
  const go = (to: string): void => void (router as { navigate: (options: { to: string }) => unknown }).navigate({ to });
  render(
    <MantineProvider env="test">
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
  await screen.findByText('k1fd-9q2m');
  go('/inbox');
  await userEvent.click(await screen.findByRole('button', { name: 'Stay and save them' }));
  expect(screen.getByText('k1fd-9q2m')).toBeTruthy();
  go('/login');
  expect(await screen.findByText('Sign in')).toBeTruthy();
});
