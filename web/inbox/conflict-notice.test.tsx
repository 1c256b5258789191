import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ConflictNotice } from './conflict-notice.tsx';
import type { Unsaved } from './status-change.ts';

const choice = { status: 'RESOLVED', resolutions: ['CONTACTED_PATIENT', 'OTHER'], otherText: 'Moved away' } as const;

const show = (current: Unsaved['current'], said?: string) => {
  const keepMine = vi.fn();
  const takeTheirs = vi.fn();
  const unsaved: Unsaved = {
    eventIdentifier: '41',
    single: true,
    events: ['41'],
    choice: { ...choice, resolutions: [...choice.resolutions] },
    current,
    said,
  };
  render(
    <MantineProvider env="test">
      <ConflictNotice unsaved={unsaved} keepMine={keepMine} takeTheirs={takeTheirs} />
    </MantineProvider>,
  );
  return { keepMine, takeTheirs };
};
afterEach(cleanup);

test('a conflict says who changed the ping and what was not saved, and offers to keep mine or take theirs', async () => {
  const { keepMine, takeTheirs } = show({
    status: 'IN_PROGRESS',
    username: 'kofi@example.org',
    displayName: 'Kofi Owusu',
    otherText: null,
    date: '2026-11-21T15:41:00Z',
  });
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('Kofi Owusu set it to In Progress on 11/21/2026');
  expect(alert.textContent).toContain("Your change wasn't saved.");
  expect(alert.textContent).toContain('Your change: Resolved · Contacted patient · Moved away');
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
  expect(keepMine).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole('button', { name: 'Take theirs' }));
  expect(takeTheirs).toHaveBeenCalledOnce();
});

test('any other failure says that the status could not be managed, and can be tried again', async () => {
  const { keepMine } = show(null);
  expect(screen.getByText('There was a problem managing your ping status. Please try again.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(keepMine).toHaveBeenCalledOnce();
});

test('what would be refused again says why, and can only be discarded', () => {
  show(null, 'The event was retracted, so its ping can only be dismissed.');
  expect(screen.getByText('The event was retracted, so its ping can only be dismissed.')).toBeTruthy();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Discard my change']);
});

test('a change by Tidings itself says why, and calls no one someone else', () => {
  show({
    status: 'RESOLVED',
    username: 'System',
    displayName: null,
    otherText: 'No longer on the list.',
    date: '2026-11-21T15:41:00Z',
  });
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toMatch(
    /This ping just changed\.It was automatically set to Resolved on 11\/21\/2026 .*\. No longer on the list\. Your change wasn't saved\./,
  );
  expect(alert.textContent).not.toContain('Someone else');
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Keep mine',
    'Discard my change',
  ]);
});
