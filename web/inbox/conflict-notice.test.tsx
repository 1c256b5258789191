import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ConflictNotice } from './conflict-notice.tsx';
import type { Unsaved } from './status-change.ts';

const show = (current: Unsaved['current']) => {
  const reload = vi.fn();
  render(
    <MantineProvider env="test">
      <ConflictNotice unsaved={{ eventIdentifier: '41', current }} reload={reload} />
    </MantineProvider>,
  );
  return reload;
};
afterEach(cleanup);

test('a conflict says who changed the ping, to what, and that our change was not saved', async () => {
  const reload = show({ status: 'IN_PROGRESS', username: 'kofi@example.org', date: '2026-11-21T15:41:00Z' });
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('kofi@example.org set it to In Progress on 11/21/2026');
  expect(alert.textContent).toContain("Your change wasn't saved.");
  await userEvent.click(screen.getByRole('button', { name: 'Reload ping' }));
  expect(reload).toHaveBeenCalledOnce();
});

test('any other failure says that the status could not be managed', () => {
  show(null);
  expect(screen.getByText('There was a problem managing your ping status. Please try again.')).toBeTruthy();
});
