/** What arrives for a stay while someone types how it was resolved. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { forgetDrafts } from '../session/drafts.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { cardWith, encounterWith, patientWith, pingWith } from '../testing/patients.ts';
import { forgetAll } from '../ui/forget.ts';

const { streams, tell } = liveStream();
beforeEach(() => {
  forgetDrafts();
  forgetAll();
});

const presented = pingWith({ status: 'PRESENTED', setting: 'EMERGENCY', reason: null });
const discharged = pingWith({ id: '32', eventIdentifier: '42', status: 'DISCHARGE', reason: null });

/** A patient whose stay has these pings, newest first. */
const withPings = (pings: [Ping, ...Ping[]], mayChange = true): Patient =>
  patientWith({
    currentPing: pings[0],
    currentPingEncounter: { ...encounterWith(pings[0]), pings },
    card: { ...cardWith(pings), abilities: { ...cardWith(pings).abilities, change: mayChange } },
  });

const NOW = '2026-11-21T15:44:00Z';
const PERMISSIONS = ['canViewPings', 'canViewPatients'];
const PATH = '/api/patients/1_2/events/management-status';

/** Opens the inbox with a patient in the emergency department, and types how that was resolved. */
const type = async (text: string) => {
  setWidth(1440);
  let current = withPings([presented]);
  let mayChange = true;
  const record = (id: string) => ({ ...presented.currentManagementStatus, id, status: 'RESOLVED', date: NOW });
  const called = serve({
    'GET /api/me': () => [
      200,
      somebody({}, { permissions: [...PERMISSIONS, ...(mayChange ? ['canManagePings'] : [])] }),
    ],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'GET /api/patients/1_2': () => [200, current],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings': () => [200, { patients: [current], total: 1, numPages: 1, facets: [] }],
    'POST /api/patients/1_2/events/seen': [204],
    [`POST ${PATH}`]: [200, record('9')],
    [`POST ${PATH}/bulk`]: ({ body }) => [
      200,
      (body.eventIdentifiers as string[]).map((eventIdentifier, n) => ({ eventIdentifier, ...record(`${n + 20}`) })),
    ],
    [`POST ${PATH}-history`]: [200, []],
  });
  openApp('/dashboard/home/inbox?sel=1_2');
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Other' }));
  await userEvent.type(screen.getByRole('textbox', { name: /Add details/ }), text);
  await waitFor(() => expect(streams).not.toHaveLength(0));
  const change = (pings: [Ping, ...Ping[]], how: 'arrived' | 'cancelled'): void => {
    current = withPings(pings);
    const { eventIdentifier } = pings[0];
    tell('ping', { patientId: '1_2', eventIdentifier, status: 'NEW', stayStatus: 'NEW', change: how });
  };
  const sent = (route: string) => called.filter((one) => one.route === `POST ${route}`).map(({ body }) => body);
  const allow = (may: boolean): void => {
    mayChange = may;
    current = withPings([presented], may);
    tell('rights', { at: NOW });
  };
  return { change, sent, allow };
};
const form = () => within(screen.getByRole('form', { name: 'Resolve this ping' }));

test('text, focus and form stay when an event arrives, which is not resolved with the others', async () => {
  const { change, sent } = await type('left word');
  change([discharged, presented], 'arrived');
  expect((await form().findByRole('alert')).textContent).toContain('A new event arrived: Discharged.');
  expect(screen.queryByText(/Changes apply to/)).toBeNull();
  await userEvent.keyboard(' as asked');
  expect(form().getByDisplayValue('left word as asked')).toBe(document.activeElement);
  await userEvent.click(form().getByRole('button', { name: 'Resolve' }));
  await screen.findByText('OKONKWO-REYES: Resolved.');
  expect(sent(PATH)).toMatchObject([{ eventIdentifier: '41', expectedStatusId: '0', otherText: 'left word as asked' }]);
  // The new event is open, and on the page.
  const row = within(screen.getByRole('list', { name: 'Pings' })).getByRole('link');
  expect(row.textContent).toContain('Discharged');
  expect(row.textContent).toContain('Unresolved');
});

test('the event that arrived is resolved too on request', async () => {
  const { change, sent } = await type('left word');
  change([discharged, presented], 'arrived');
  await userEvent.click(await form().findByRole('button', { name: 'Resolve it too' }));
  expect(form().queryByRole('alert')).toBeNull();
  expect(form().getByText(/Changes apply to both open pings/)).toBeTruthy();
  await userEvent.click(form().getByRole('button', { name: 'Resolve' }));
  await screen.findByText('OKONKWO-REYES: Resolved (2 pings).');
  expect(sent(`${PATH}/bulk`)).toMatchObject([{ eventIdentifiers: ['42', '41'], otherText: 'left word' }]);
});

test('what was typed before an event arrived is about what was there then, also after the form was closed', async () => {
  const { change, sent } = await type('left word');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Resolve this ping' })).toBeNull());
  change([discharged, presented], 'arrived');
  await screen.findByText(/Changes apply to both open pings/);
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  expect(await screen.findByDisplayValue('left word')).toBeTruthy();
  expect(form().getByRole('alert').textContent).toContain('A new event arrived: Discharged.');
  await userEvent.click(form().getByRole('button', { name: 'Resolve' }));
  await waitFor(() => expect(sent(PATH)).toMatchObject([{ eventIdentifier: '41' }]));
});

test('text stays when the sender retracts the event, which can then not be resolved', async () => {
  const { change } = await type('left word');
  change([{ ...presented, state: 'CANCELLED' }], 'cancelled');
  expect((await form().findByRole('alert')).textContent).toContain('The sender retracted this event.');
  expect(form().getByDisplayValue('left word')).toBe(document.activeElement);
  expect(form().queryByRole('button', { name: 'Resolve' })).toBeNull();
  await userEvent.click(form().getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('form', { name: 'Resolve this ping' })).toBeNull();
});

test('a user who loses the permission reads why the form is gone, and has it back with the permission', async () => {
  const { allow } = await type('left word');
  allow(false);
  const notice = await screen.findByText(/^Your access changed at /);
  expect(notice.closest('[role=alert]')?.textContent).toContain('What you entered is kept');
  expect(screen.queryByRole('form', { name: 'Resolve this ping' })).toBeNull();
  allow(true);
  expect(await screen.findByDisplayValue('left word')).toBeTruthy();
  expect(screen.queryByText(/^Your access changed at /)).toBeNull();
});
