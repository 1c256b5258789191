import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { forgetDrafts } from '../session/drafts.ts';
import { pingWith } from '../testing/patients.ts';
import { StatusPanel } from './status-panel.tsx';

const show = (props: Partial<Parameters<typeof StatusPanel>[0]> = {}) => {
  const choose = vi.fn();
  const setPanel = vi.fn();
  render(
    <MantineProvider env="test">
      <StatusPanel
        patientId="7_8"
        ping={pingWith()}
        backOnCensus={false}
        panel={null}
        setPanel={setPanel}
        choose={choose}
        {...props}
      />
    </MantineProvider>,
  );
  return { choose, setPanel };
};
afterEach(() => {
  cleanup();
  forgetDrafts();
});

test('resolving asks for a reason and sends nothing without one', async () => {
  const { choose } = show({ panel: 'resolve' });
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  expect(screen.getByText('Choose at least one reason.')).toBeTruthy();
  expect(choose).not.toHaveBeenCalled();
});

test('reasons are sent as they were chosen', async () => {
  const { choose } = show({ panel: 'resolve' });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Contacted patient' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Scheduled follow-up visit' }));
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  expect(choose).toHaveBeenCalledExactlyOnceWith({
    status: 'RESOLVED',
    resolutions: ['CONTACTED_PATIENT', 'SCHEDULED_FOLLOWUP'],
  });
});

test('another reason has to be described, within the limit', async () => {
  const { choose } = show({ panel: 'resolve' });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Other' }));
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  expect(screen.getByText('Add details about the other reason.')).toBeTruthy();
  expect(choose).not.toHaveBeenCalled();
  const text = screen.getByRole('textbox');
  expect(text.getAttribute('maxlength')).toBe('2000');
  await userEvent.type(text, ' Moved away ');
  expect(screen.getByText('12 of 2000 characters')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  expect(choose).toHaveBeenCalledExactlyOnceWith({
    status: 'RESOLVED',
    resolutions: ['OTHER'],
    otherText: 'Moved away',
  });
});

test('the automatic reason is never offered, back on census only to whom it is allowed', async () => {
  show({ panel: 'resolve' });
  await screen.findByRole('checkbox', { name: 'Other' });
  expect(screen.queryByRole('checkbox', { name: 'Automatically resolved' })).toBeNull();
  expect(screen.queryByRole('checkbox', { name: 'Brought Patient Back on Census' })).toBeNull();
  cleanup();
  show({ panel: 'resolve', backOnCensus: true });
  expect(await screen.findByRole('checkbox', { name: 'Brought Patient Back on Census' })).toBeTruthy();
});

test('a retracted ping can only be put away', async () => {
  const { choose } = show({ ping: pingWith({ state: 'CANCELLED' }) });
  expect(screen.getByText(/retracted this event/)).toBeTruthy();
  expect(screen.getAllByRole('button')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(choose).toHaveBeenCalledWith({ status: 'DISMISSED' });
});

test('a closed ping can be reopened', async () => {
  const { choose } = show({
    ping: pingWith({
      currentManagementStatus: {
        id: '9',
        status: 'DISMISSED',
        resolutions: [],
        username: 'rosa',
        otherText: null,
        date: '2026-11-21T15:00:00Z',
      },
    }),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Reopen' }));
  expect(choose).toHaveBeenCalledExactlyOnceWith({ status: 'NEW' });
});

test('what is half written is there again when the form comes back, and not after it was cancelled', async () => {
  show({ panel: 'resolve' });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Other' }));
  await userEvent.type(screen.getByRole('textbox'), 'Moved aw');
  cleanup();
  show({ panel: 'resolve' });
  expect(await screen.findByDisplayValue('Moved aw')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  cleanup();
  show({ panel: 'resolve' });
  await screen.findByRole('checkbox', { name: 'Other' });
  expect(screen.queryByRole('textbox')).toBeNull();
});
