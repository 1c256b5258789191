import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { forgetDrafts } from '../session/drafts.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';
import { forgetAll } from '../ui/forget.ts';

beforeEach(() => {
  forgetDrafts();
  forgetAll();
});

const me = somebody({}, { permissions: ['canViewPatients', 'canViewPings', 'canManagePings'] });
const theirs = { status: 'IN_PROGRESS', username: 'kofi@example.org', displayName: null, date: '2026-11-21T15:41:00Z' };

/** Opens a patient and resolves the ping with typed details. Status changes get these answers in turn. */
const resolve = async (answers: [status: number, body?: unknown][]) => {
  const patient = patientWith();
  const path = '/api/patients/1_2/events/management-status';
  const called = serve({
    'GET /api/me': [200, me],
    'GET /api/patients/1_2': [200, patient],
    [`POST ${path}`]: () => answers.shift() ?? [500, { errorKey: 'INTERNAL' }],
    [`POST ${path}-history`]: [200, []],
  });
  openApp('/dashboard/patients/1_2');
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Other' }));
  await userEvent.type(screen.getByRole('textbox', { name: /Add details/ }), 'Moved away');
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  return called.filter.bind(called, ({ route }) => route === `POST ${path}`);
};

test.each([
  ['a conflict', [409, { errorKey: 'PING_CHANGED_BY_OTHER', current: theirs }]],
  ['a busy server', [503, { errorKey: 'BUSY' }]],
] as [string, [number, unknown]][])('after %s the form still has what was typed', async (_, refusal) => {
  await resolve([refusal]);
  await screen.findByText(/Your change: Resolved · Moved away/);
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  expect(await screen.findByDisplayValue('Moved away')).toBeTruthy();
});

test('after a conflict, keeping mine sends it again, and only then is what was typed forgotten', async () => {
  const saved = { ...theirs, id: '9', status: 'RESOLVED', resolutions: ['OTHER'], otherText: 'Moved away' };
  const sent = await resolve([
    [409, { errorKey: 'PING_CHANGED_BY_OTHER', current: theirs }],
    [200, saved],
  ]);
  await userEvent.click(await screen.findByRole('button', { name: 'Keep mine' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent().at(-1)?.body).toMatchObject({ status: 'RESOLVED', otherText: 'Moved away' });
  await screen.findByText(/^OKONKWO-REYES: Resolved/);
  expect(screen.queryByRole('button', { name: 'Keep mine' })).toBeNull();
});

test('the message about a change that was not saved names the patient', async () => {
  await resolve([[503, { errorKey: 'BUSY' }]]);
  expect(await screen.findByText(/^OKONKWO-REYES: There was a problem managing your ping status/)).toBeTruthy();
});
