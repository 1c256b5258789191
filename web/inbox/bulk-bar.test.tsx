import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { cardWith, encounterWith, patientWith, pingWith } from '../testing/patients.ts';
import { forgetAll } from '../ui/forget.ts';

const { tell } = liveStream();
beforeEach(() => {
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
      const patients = rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
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
      rows.map((one) => [`GET /api/patients/${one.id}`, [200, { ...one, lastName: `${one.lastName} again` }]]),
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
  return (path: string) =>
    called
      .filter(({ route }) => route === `POST /api/stays/${path}`)
      .flatMap(({ body }) => (body as { stays: { patientId: string }[] }).stays.map(({ patientId }) => patientId));
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
