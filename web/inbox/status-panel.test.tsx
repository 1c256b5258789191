import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { LOGGED_CONTACTS_COUNT } from '#contract/follow-up-words.ts';
import { forgetDrafts } from '../session/drafts.ts';
import { patientWith, pingWith } from '../testing/patients.ts';
import { ResolutionForm } from './resolution-form.tsx';
import { StatusActions } from './status-panel.tsx';

const REASONS = ['CONTACTED_PATIENT', 'CONTACTED_FACILITY', 'SCHEDULED_FOLLOWUP', 'NO_ACTION_NEEDED', 'OTHER'] as const;
type Props = Parameters<typeof ResolutionForm>[0];
const seen = patientWith();
const Panel = ({ patient, reasons, choose, ...rest }: Props) => (
  <>
    <StatusActions {...rest} choose={(choice) => choose(choice, { patient, ping: rest.ping })} />
    <ResolutionForm {...{ patient, reasons, choose }} {...rest} />
  </>
);
const show = (props: Partial<Props> = {}) => {
  const choose = vi.fn();
  const chosen: Props['choose'] = (choice) => choose(choice);
  const setControl = vi.fn();
  render(
    <MantineProvider env="test">
      <Panel
        patient={seen}
        ping={pingWith()}
        single={false}
        mayChange
        scope={() => null}
        reasons={REASONS}
        control={null}
        setControl={setControl}
        choose={chosen}
        {...props}
      />
    </MantineProvider>,
  );
  return { choose, setControl };
};
afterEach(() => {
  cleanup();
  forgetDrafts();
});

test('resolving asks for a reason and sends nothing without one', async () => {
  const { choose } = show({ control: 'resolve' });
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  expect(screen.getByText(ERRORS.RESOLUTION_REQUIRED[1])).toBeTruthy();
  expect(choose).not.toHaveBeenCalled();
});

test('chosen reasons are sent', async () => {
  const { choose } = show({ control: 'resolve' });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Contacted patient' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Scheduled follow-up visit' }));
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  expect(choose).toHaveBeenCalledExactlyOnceWith({
    status: 'RESOLVED',
    resolutions: ['CONTACTED_PATIENT', 'SCHEDULED_FOLLOWUP'],
  });
});

test('whoever chooses "Contacted patient" reads that TCM asks for a logged contact', async () => {
  show({ control: 'resolve' });
  const reason = await screen.findByRole('checkbox', { name: 'Contacted patient' });
  expect(screen.queryByText(LOGGED_CONTACTS_COUNT)).toBeNull();
  await userEvent.click(reason);
  expect(screen.getByText(LOGGED_CONTACTS_COUNT)).toBeTruthy();
});

test('the reason Other requires details, within the limit', async () => {
  const { choose } = show({ control: 'resolve' });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Other' }));
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  expect(screen.getByText(ERRORS.OTHER_TEXT_REQUIRED[1])).toBeTruthy();
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

test('the reasons that the server names are offered, and no others', async () => {
  show({ control: 'resolve' });
  await screen.findByRole('checkbox', { name: 'Other' });
  expect(screen.queryByRole('checkbox', { name: 'Brought Patient Back on Census' })).toBeNull();
  cleanup();
  show({ control: 'resolve', reasons: ['BACK_ON_CENSUS', ...REASONS] });
  expect(await screen.findByRole('checkbox', { name: 'Brought Patient Back on Census' })).toBeTruthy();
});

test('a retracted ping can only be dismissed', async () => {
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
        displayName: null,
        otherText: null,
        date: '2026-11-21T15:00:00Z',
      },
    }),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Reopen' }));
  expect(choose).toHaveBeenCalledExactlyOnceWith({ status: 'NEW' });
});

test('an unfinished resolution survives closing the form, but not canceling it', async () => {
  show({ control: 'resolve' });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Other' }));
  await userEvent.type(screen.getByRole('textbox'), 'Moved aw');
  cleanup();
  show({ control: 'resolve' });
  expect(await screen.findByDisplayValue('Moved aw')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  cleanup();
  show({ control: 'resolve' });
  await screen.findByRole('checkbox', { name: 'Other' });
  expect(screen.queryByRole('textbox')).toBeNull();
});
