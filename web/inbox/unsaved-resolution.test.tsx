import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { forgetDrafts } from '../session/drafts.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { encounterWith, patientWith, pingWith } from '../testing/patients.ts';
import { forgetAll } from '../ui/forget.ts';

const { streams, tell } = liveStream();
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

test('what a colleague does while the form is open is not overwritten: the change is about what the user saw', async () => {
  const ping = pingWith();
  const resolved = { ...ping.currentManagementStatus, ...theirs, id: '99', status: 'RESOLVED' as const };
  const changed = { ...ping, currentManagementStatus: resolved };
  const after = patientWith({ currentPing: changed, currentPingEncounter: encounterWith(changed) });
  let current = patientWith({ currentPing: ping, currentPingEncounter: encounterWith(ping) });
  const path = '/api/patients/1_2/events/management-status';
  const called = serve({
    'GET /api/me': [200, me],
    'GET /api/patients/1_2': () => [200, current],
    [`POST ${path}`]: [409, { errorKey: 'PING_CHANGED_BY_OTHER', current: { ...theirs, status: 'RESOLVED' } }],
    [`POST ${path}-history`]: [200, []],
  });
  openApp('/dashboard/patients/1_2');
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  await screen.findByRole('checkbox', { name: 'Other' });
  await waitFor(() => expect(streams).not.toHaveLength(0));
  current = after;
  tell('rows', { at: '2026-11-21T15:42:00Z' });
  await screen.findByRole('button', { name: 'Reopen' });
  // 5: Other. What is typed next are its details.
  await userEvent.keyboard('5');
  await waitFor(() => expect(document.activeElement?.tagName).toBe('TEXTAREA'));
  await userEvent.keyboard('left word with her son');
  const form = screen.getByRole('form', { name: 'Resolve this ping' });
  await userEvent.click(within(form).getByRole('button', { name: 'Resolve' }));
  await screen.findByRole('button', { name: 'Keep mine' });
  const [sent] = called.filter(({ route }) => route === `POST ${path}`);
  expect(sent?.body).toMatchObject({
    expectedStatusId: ping.currentManagementStatus.id,
    otherText: 'left word with her son',
  });
});
