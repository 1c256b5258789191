import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { forgetDrafts } from '../session/drafts.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';
import { forgetAll } from '../ui/forget.ts';

liveStream();
beforeEach(() => {
  forgetDrafts();
  forgetAll();
});

const SAVE = '/api/patients/1_2/events/management-status';
const REFUSED = [500, { errorKey: 'INTERNAL' }] as [number, unknown];
const SAVED = [
  200,
  {
    id: '9',
    status: 'RESOLVED',
    resolutions: ['CONTACTED_PATIENT'],
    otherText: null,
    username: 'ana@lakeshore.example',
    date: '2026-11-21T15:41:00Z',
  },
] as [number, unknown];

/** Opens an inbox with two patients, and resolves the first. Its changes get these answers in turn. */
const resolve = async (answers: (Promise<[number, unknown]> | [number, unknown])[]) => {
  setWidth(1440);
  const first = patientWith();
  const second = patientWith({ id: '3_4', lastName: 'Baptiste', firstName: 'Noor' });
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canManagePings'] })],
    'GET /api/patients/count': [200, { count: 2 }],
    'GET /api/pings/count/open': [200, { count: 2 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'GET /api/patients/1_2': [200, first],
    'GET /api/patients/3_4': [200, second],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings': [200, { patients: [first, second], total: 2, numPages: 1, facets: [] }],
    [`POST ${SAVE}`]: () => answers.shift() ?? REFUSED,
    [`POST ${SAVE}-history`]: [200, []],
  });
  const router = openApp('/dashboard/home/inbox?sel=1_2');
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Contacted patient' }));
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  return {
    opened: () => document.querySelector('[aria-current=true][id^=ping-]')?.id,
    sent: () => called.filter(({ route }) => route === `POST ${SAVE}`),
    router,
  };
};
const failed = () => screen.findByText(/^OKONKWO-REYES: There was a problem managing your ping status/);

test('a failed save comes back to the patient, with the reasons, and Retry saves them', async () => {
  const { opened, sent } = await resolve([REFUSED, SAVED]);
  const toast = (await failed()).parentElement as HTMLElement;
  await waitFor(() => expect(opened()).toBe('ping-1_2'));
  expect(document.activeElement?.id).toBe('ping-1_2');
  const detail = screen.getByRole('region', { name: 'Open ping' });
  expect(within(detail).getByText('Your change: Resolved · Contacted patient')).toBeTruthy();
  await userEvent.click(within(toast).getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]?.body).toMatchObject({ status: 'RESOLVED', resolutions: ['CONTACTED_PATIENT'] });
  await screen.findByText('OKONKWO-REYES: Resolved.');
  expect(screen.queryByText(/There was a problem/)).toBeNull();
});

test('whoever has moved on stays where they are, and a retry moves nothing either', async () => {
  const answer = Promise.withResolvers<[number, unknown]>();
  const { opened, sent } = await resolve([answer.promise, SAVED]);
  await waitFor(() => expect(opened()).toBe('ping-3_4'));
  await userEvent.keyboard('e');
  answer.resolve(REFUSED);
  const toast = (await failed()).parentElement as HTMLElement;
  await waitFor(() => expect(document.getElementById('ping-1_2')?.textContent).toContain('Not saved'));
  expect(opened()).toBe('ping-3_4');
  await userEvent.click(within(toast).getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  await screen.findByText('OKONKWO-REYES: Resolved.');
  expect(opened()).toBe('ping-3_4');
});

test('an undo that fails stays until it is tried again, and says what came back', async () => {
  const open = [200, { ...(SAVED[1] as object), id: '10', status: 'NEW', resolutions: [] }] as [number, unknown];
  const { sent } = await resolve([SAVED, REFUSED, open]);
  await screen.findByText('OKONKWO-REYES: Resolved.');
  await userEvent.keyboard('z');
  const toast = (await failed()).parentElement as HTMLElement;
  await userEvent.click(within(toast).getByRole('button', { name: 'Retry' }));
  await screen.findByText('Undone. OKONKWO-REYES is back to Unresolved.');
  expect(sent()[2]?.body).toMatchObject({ status: 'NEW', expectedStatusId: '9' });
  expect(screen.queryByText(/There was a problem/)).toBeNull();
});

test('what is tried again from the notice, or discarded, leaves no message that offers it', async () => {
  const { sent } = await resolve([REFUSED, REFUSED]);
  await failed();
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  await waitFor(() => expect(screen.getAllByText(/^OKONKWO-REYES: There was a problem/)).toHaveLength(1));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard my change' }));
  await waitFor(() => expect(screen.queryByText(/^OKONKWO-REYES: There was a problem/)).toBeNull());
});
