import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { cardWith, encounterWith, patientWith, pingWith } from '../testing/patients.ts';
import { forgetAll } from '../ui/forget.ts';

const { tell } = liveStream();
/** What has become of rows since the list was loaded, by id. */
const current = new Map<string, Patient>();
beforeEach(() => {
  current.clear();
  forgetAll();
  HTMLElement.prototype.hidePopover = () => {};
});

/** Row `n` of the list: one stay with one unresolved ping. */
const row = (n: number) => {
  const ping = pingWith({ id: String(100 + n), eventIdentifier: String(200 + n) });
  return patientWith({
    id: `${n}_${n}`,
    lastName: `Person${n}`,
    currentPing: ping,
    currentPingEncounter: encounterWith(ping),
    card: cardWith([ping]),
  });
};
const NOW = '2026-11-21T15:41:00Z';
const REFUSED = {
  errorKey: 'PING_CHANGED_BY_OTHER',
  message: 'R. Diaz just changed this ping.',
  first: { name: 'R. Diaz', date: NOW },
};

/** Opens the inbox with a list of `total` rows, and returns the paths of the changes that are sent. */
const openList = (total: number, refused: number | null = null, unrestored?: string, width = 1440) => {
  setWidth(width);
  const rows = Array.from({ length: total }, (_, n) => row(n + 1));
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canManagePings'] })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: total }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings': ({ body }) => {
      const { pageNumber = 1, pageSize = 20 } = body as { pageNumber?: number; pageSize?: number };
      const page = rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
      const patients = page.map((one) => current.get(one.id) ?? one);
      return [200, { patients, total, numPages: Math.ceil(total / pageSize), facets: [] }];
    },
    'POST /api/stays/management-status': ({ body }) => {
      const { stays, status } = body as { stays: { patientId: string }[]; status: string };
      return [
        200,
        stays.map(({ patientId }) =>
          patientId === `${refused}_${refused}` || (status === 'NEW' && patientId === unrestored)
            ? { patientId, statusIds: null, refused: REFUSED }
            : { patientId, statusIds: ['9'], refused: null },
        ),
      ];
    },
    ...Object.fromEntries(
      rows.map((one) => [
        `GET /api/patients/${one.id}`,
        () => [200, current.get(one.id) ?? { ...one, lastName: `${one.lastName} again` }],
      ]),
    ),
    'POST /api/colleagues': [200, [{ id: '77', name: 'Nina Okafor' }]],
    'POST /api/stays/assign': ({ body }) => {
      const { stays, userId } = body as { stays: { patientId: string }[]; userId: string };
      const owner = { id: userId, name: 'Nina Okafor', at: NOW, by: 'Rosa Diaz' };
      return [
        200,
        stays.map(({ patientId }) => ({ patientId, work: { version: '5', owner, waiting: null }, refused: null })),
      ];
    },
  });
  openApp('/dashboard/home/inbox');
  const stays = (path: string) =>
    called
      .filter(({ route }) => route === `POST /api/stays/${path}`)
      .flatMap(({ body }) => (body as { stays: { patientId: string }[] }).stays);
  return Object.assign((path: string) => stays(path).map(({ patientId }) => patientId), { stays });
};

test('all matching rows are changed, also those of other pages, after a question that counts them', async () => {
  const sent = openList(45);
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Select PERSON1,/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Select this page' }));
  await userEvent.click(screen.getByRole('button', { name: 'Select all 45 matching' }));
  await screen.findByText('45 stays of 45 patients selected');
  await userEvent.click(screen.getByRole('button', { name: 'Dismissed' }));
  expect(screen.getByText('Dismissed: 45 stays of 45 patients?')).toBeTruthy();
  expect(sent('management-status')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Change 45' }));
  await screen.findByText('Dismissed: 45 done.', { selector: 'span' });
  expect(new Set(sent('management-status')).size).toBe(45);
});

test('what waits behind the bar above the list is not among all matching rows', async () => {
  openList(45);
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Select PERSON1,/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Select this page' }));
  const arrived = { patientId: '45_45', eventIdentifier: '450', status: 'NEW', stayStatus: 'NEW', change: 'arrived' };
  tell('ping', arrived);
  await screen.findByText(/1 new ping/);
  await userEvent.click(screen.getByRole('button', { name: 'Select all 45 matching' }));
  await screen.findByText('44 stays of 44 patients selected');
});

test('a row that is refused stays selected with the reason, and harms no other one', async () => {
  const sent = openList(3, 2);
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Select PERSON2,/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Select this page' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dismissed' }));
  await screen.findByText(/R\. Diaz just changed this ping\./);
  expect(screen.getByText('1 stay of 1 patient selected')).toBeTruthy();
  await waitFor(() => expect(new Set(sent('management-status')).size).toBe(3));
  expect(screen.getByRole('checkbox', { name: /^Select PERSON2/ })).toHaveProperty('checked', true);
  // As it was it would be refused each time, so it is loaded again.
  expect(await screen.findByRole('checkbox', { name: /^Select PERSON2 AGAIN,/ })).toHaveProperty('checked', true);
});

test.each([
  ['says once how many stays are back', undefined, 'Undone for 3 stays.'],
  ['says how many are not back', '2_2', /^Undone for 2 stays, 1 not\. R\. Diaz just changed this ping\./],
])('an undo of many rows %s', async (_, unrestored, said) => {
  const sent = openList(3, null, unrestored);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select this page' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Dismissed' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText(said);
  // All in one call again.
  expect(sent('management-status')).toHaveLength(6);
  expect(screen.queryByText(/^Undone\. PERSON/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('the box above the list selects the page, and rows are given to a colleague', async () => {
  const sent = openList(3);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select this page' }));
  const bar = within(await screen.findByRole('region', { name: 'Selected pings' }));
  await userEvent.click(bar.getByRole('button', { name: 'Assign…' }));
  await userEvent.click(await bar.findByRole('button', { name: 'Nina Okafor' }));
  expect(await screen.findAllByText('Taken by Nina Okafor: 3 done.', {}, { timeout: 5000 })).not.toHaveLength(0);
  expect(sent('assign')).toEqual(['1_1', '2_2', '3_3']);
  expect(screen.getAllByText('Taken by Nina Okafor')).toHaveLength(3);
});

test('while rows are selected, A assigns them all, and Escape goes back one step at a time', async () => {
  const sent = openList(3);
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Select PERSON1,/ }));
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Select PERSON2,/ }));
  const bar = within(await screen.findByRole('region', { name: 'Selected pings' }));
  await userEvent.keyboard('a');
  expect(await bar.findByText('Assign 2 stays of 2 patients to')).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  expect(await bar.findByRole('button', { name: 'Assign…' })).toBeTruthy();
  await userEvent.keyboard('a');
  await userEvent.click(await bar.findByRole('button', { name: 'Nina Okafor' }));
  await waitFor(() => expect(sent('assign')).toEqual(['1_1', '2_2']));
});

test('on a phone a menu has the changes besides resolving', async () => {
  const sent = openList(2, null, undefined, 390);
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Select PERSON1,/ }));
  const bar = within(await screen.findByRole('region', { name: 'Selected pings' }));
  const more = bar.getByRole('button', { name: 'More' });
  expect(screen.queryByRole('button', { name: 'Snooze…' })).toBeNull();
  // The simulated DOM has no popovers, so the test sends the toggle event of the browser.
  const popover = document.getElementById(more.getAttribute('popovertarget') ?? '');
  popover?.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'In Progress' }));
  await waitFor(() => expect(sent('management-status')).toEqual(['1_1']));
});

test('reasons chosen for one selection are not those of the next', async () => {
  openList(3);
  const resolve = async (name: RegExp) => {
    await userEvent.click(await screen.findByRole('checkbox', { name }));
    await screen.findByRole('region', { name: 'Selected pings' });
    await userEvent.keyboard('e');
    return screen.findByRole('checkbox', { name: 'No action needed' });
  };
  await userEvent.click(await resolve(/^Select PERSON1,/));
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  await screen.findByText(/^PERSON1.*: Resolved\.$/, { selector: 'span' });
  expect(await resolve(/^Select PERSON2,/)).toHaveProperty('checked', false);
});

test('a key is about the selected rows also before their bar is there', async () => {
  openList(3);
  await userEvent.click(await screen.findByRole('link', { name: /^(Unread\. )?Person1/i }));
  await screen.findByRole('button', { name: 'Assign…' });
  await userEvent.keyboard('x{Shift>}J{/Shift}e');
  const open = within(screen.getByRole('region', { name: 'Open ping' }));
  expect(open.queryByRole('form', { name: 'Resolve this ping' })).toBeNull();
  expect(await screen.findByText('Resolve 2 stays of 2 patients')).toBeTruthy();
});

/** What a sender and a colleague do to rows 1 and 2 while they are selected: a new event, and a status. */
const change = async () => {
  const [one, two] = [row(1), row(2)];
  const [first, second] = [one.currentPing, two.currentPing] as [Ping, Ping];
  const added = pingWith({ id: '901', eventIdentifier: '900', status: 'DISCHARGE', reason: null });
  const pings = [added, first];
  current.set(one.id, {
    ...one,
    currentPing: added,
    currentPingEncounter: { ...encounterWith(added), pings },
    card: cardWith(pings),
  });
  const record = { ...second.currentManagementStatus, id: '8', status: 'IN_PROGRESS' as const, displayName: 'R. Diaz' };
  const taken = { ...second, currentManagementStatus: { ...record, username: 'diaz@lakeshore.example' } };
  current.set(two.id, {
    ...two,
    currentPing: taken,
    currentPingEncounter: encounterWith(taken),
    card: cardWith([taken]),
  });
  tell('ping', { patientId: '1_1', eventIdentifier: '900', status: 'NEW', stayStatus: 'NEW', change: 'arrived' });
  tell('ping', {
    patientId: '2_2',
    eventIdentifier: '202',
    status: 'IN_PROGRESS',
    stayStatus: 'IN_PROGRESS',
    change: 'status',
  });
  await screen.findByText(/new event: Discharged$/);
  await screen.findByText(/In Progress by R\. Diaz$/);
};

test('rows are changed as they were selected: a later event is left alone, a colleague is not overwritten', async () => {
  const sent = openList(3, 2);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select this page' }));
  const bar = within(await screen.findByRole('region', { name: 'Selected pings' }));
  await userEvent.click(bar.getByRole('button', { name: 'Resolve…' }));
  await userEvent.click(await bar.findByRole('checkbox', { name: 'No action needed' }));
  await change();
  // The form stays as it is.
  expect(bar.getByRole('checkbox', { name: 'No action needed' })).toHaveProperty('checked', true);
  await userEvent.click(bar.getByRole('button', { name: 'Resolve' }));
  await screen.findByText('Resolved: 2 done, 1 not, 1 with a new event.', { selector: 'span' });
  expect(sent.stays('management-status')).toEqual([
    { patientId: '1_1', eventIdentifiers: ['201'], expectedStatusIds: ['0'] },
    { patientId: '2_2', eventIdentifiers: ['202'], expectedStatusIds: ['0'] },
    { patientId: '3_3', eventIdentifiers: ['203'], expectedStatusIds: ['0'] },
  ]);
  expect(bar.getByText(/A new event arrived: Discharged\. It wasn't changed\./)).toBeTruthy();
  expect(bar.getByText('2 stays of 2 patients selected')).toBeTruthy();
  // The new event keeps the row in the list.
  const kept = await screen.findByRole('checkbox', { name: /^Select PERSON1,/ });
  expect(kept.closest('li')?.textContent).toContain('Unresolved');
  // What the reasons have named is selected from now on.
  expect(bar.queryByText(/^Changed after/)).toBeNull();
});

test('what happened to selected rows since is included on request', async () => {
  const sent = openList(2);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select this page' }));
  const bar = within(await screen.findByRole('region', { name: 'Selected pings' }));
  await change();
  await userEvent.click(bar.getByRole('button', { name: 'Include these changes' }));
  expect(bar.queryByText(/new event/)).toBeNull();
  await userEvent.click(bar.getByRole('button', { name: 'Dismissed' }));
  await screen.findByText('Dismissed: 2 done.', { selector: 'span' });
  expect(sent.stays('management-status')).toEqual([
    { patientId: '1_1', eventIdentifiers: ['900', '201'], expectedStatusIds: ['0', '0'] },
    { patientId: '2_2', eventIdentifiers: ['202'], expectedStatusIds: ['8'] },
  ]);
});

test('what the user did to a selected row themselves is not news to them', async () => {
  const sent = openList(1);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select this page' }));
  const bar = within(await screen.findByRole('region', { name: 'Selected pings' }));
  const own = row(1);
  const ping = own.currentPing as Ping;
  const record = { ...ping.currentManagementStatus, id: '8', status: 'IN_PROGRESS' as const };
  const taken = { ...ping, currentManagementStatus: { ...record, username: 'ana@lakeshore.example' } };
  current.set(own.id, {
    ...own,
    currentPing: taken,
    currentPingEncounter: encounterWith(taken),
    card: cardWith([taken]),
  });
  tell('ping', {
    patientId: '1_1',
    eventIdentifier: '201',
    status: 'IN_PROGRESS',
    stayStatus: 'IN_PROGRESS',
    change: 'status',
  });
  const box = screen.getByRole('checkbox', { name: /^Select PERSON1,/ });
  await waitFor(() => expect(box.closest('li')?.textContent).toContain('In Progress'));
  expect(bar.queryByText(/^Changed after/)).toBeNull();
  await userEvent.click(bar.getByRole('button', { name: 'Dismissed' }));
  await waitFor(() => expect(sent.stays('management-status')).toMatchObject([{ expectedStatusIds: ['8'] }]));
});
