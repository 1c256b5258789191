import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { cardWith, encounterWith, patientWith, pingWith } from '../testing/patients.ts';
import { forgetAll } from '../ui/forget.ts';

const { streams, tell } = liveStream();
beforeEach(() => {
  forgetAll();
  HTMLElement.prototype.hidePopover = () => {};
});

const SLOW = { timeout: 15_000 };
const AT = '2026-11-21T15:41:00Z';
const NOTHING = { version: '0', owner: null, waiting: null };
const ping = pingWith({ id: '101', eventIdentifier: '201' });
const withWork = (work: typeof NOTHING | Record<string, unknown>) =>
  patientWith({
    id: '1_1',
    lastName: 'Kestrel',
    currentPing: ping,
    currentPingEncounter: encounterWith(ping),
    card: cardWith([ping], { work: work as typeof NOTHING }),
  });

const MERCY = 'Mercy General Hospital';
const resolved = {
  patientId: '1_1',
  dateOfBirth: '1948-02-19',
  firstName: 'Ada',
  lastName: 'Kestrel',
  memberId: 'LA-0007',
  facilityName: MERCY,
  date: AT,
  status: { status: 'RESOLVED', pings: 2 },
  work: null,
  undo: { kind: 'status', patientId: '1_1', statusIds: ['9'] },
};
const dismissed = { ...resolved, patientId: '2_2', lastName: 'Heron', memberId: null, undo: null };
const NEWEST = { items: [resolved, { ...dismissed, status: { status: 'DISMISSED', pings: 1 } }], before: AT };
const OLDER = { items: [{ ...dismissed, patientId: '3_3', lastName: 'Starling' }], before: null };

/** Opens the inbox with one row and its detail. `saved`: how the stay is on the server. */
const openPing = (
  answer: (body: Record<string, unknown>) => unknown,
  work: Record<string, unknown> = NOTHING,
  viewers: string[] = [],
) => {
  setWidth(1440);
  const patient = withWork(work);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canManagePings'] })],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings': [200, { patients: [patient], total: 1, numPages: 1, facets: {} }],
    'GET /api/patients/1_1': [200, patient],
    'POST /api/patients/1_1/events/management-status-history': [200, []],
    'POST /api/patients/1_1/events/seen': [204, undefined],
    'GET /api/patients/1_1/contact-attempts': [200, []],
    'POST /api/patients/1_1/viewing': [200, viewers],
    'DELETE /api/patients/1_1/viewing': [204, undefined],
    'POST /api/colleagues': [200, [{ id: '77', name: 'Nina Okafor' }]],
    'POST /api/stays/assign': ({ body }) => [200, [answer(body)]],
    'POST /api/stays/snooze': ({ body }) => [200, [answer(body)]],
    'GET /api/hand-over': [200, { count: 7, open: 5 }],
    'POST /api/hand-over': [200, { count: 7, open: 5 }],
    'GET /api/recently-done': ({ query }) => [200, query.has('before') ? OLDER : NEWEST],
    'POST /api/recently-done/undo': [204, undefined],
  });
  openApp('/dashboard/home/inbox?status=NEW&sel=1_1');
  return (path: string) => called.filter(({ route }) => route === `POST /api/${path}`).map(({ body }) => body);
};
const openOwnerMenu = async (): Promise<void> => {
  // The simulated DOM has no popovers, so the test sends the toggle event of the browser.
  const button = await screen.findByRole('button', { name: 'Owner' }, SLOW);
  const popover = document.getElementById(button.getAttribute('popovertarget') ?? '');
  popover?.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' }));
};
const closeMenu = (): void => {
  for (const popover of document.querySelectorAll('[popover]'))
    popover.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState: 'closed' }));
};
const saved = (work: object) => ({ patientId: '1_1', work: { ...NOTHING, version: '5', ...work }, refused: null });
const owner = (id: string, name: string) => ({ id, name, at: AT, by: 'Ana Example' });

test('A assigns the open ping by name, the row says who has it, and Z takes it back', async () => {
  const sent = openPing(({ userId }) =>
    saved({ owner: userId === null ? null : owner('77', 'Nina Okafor'), version: userId === null ? '6' : '5' }),
  );
  await screen.findByRole('button', { name: 'Assign…' }, SLOW);
  await userEvent.keyboard('a');
  const chooser = within(await screen.findByRole('group', { name: 'Assign to' }, SLOW));
  await userEvent.click(await chooser.findByRole('button', { name: 'Nina Okafor' }, SLOW));
  const row = await screen.findByRole('link', { name: /Taken by Nina Okafor\./ }, SLOW);
  await userEvent.keyboard('z');
  await waitFor(() => expect(row.getAttribute('aria-label')).not.toContain('Taken by'), SLOW);
  await screen.findByText('Undone. KESTREL: No owner.', {}, SLOW);
  expect(sent('stays/assign')).toEqual([
    { stays: [{ patientId: '1_1', expectedVersion: '0' }], userId: '77' },
    { stays: [{ patientId: '1_1', expectedVersion: '5' }], userId: null },
  ]);
});

test('a change that someone preceded is put back, and the toast names the patient and who was first', async () => {
  const refused = {
    errorKey: 'CHANGED_BY_OTHER',
    message: 'R. Diaz just changed who has this patient, or whether it waits.',
    first: { name: 'R. Diaz', date: AT },
  };
  openPing(() => ({ patientId: '1_1', work: null, refused }));
  await userEvent.click(await screen.findByRole('button', { name: 'Take it' }, SLOW));
  const said = await screen.findByText(/KESTREL: not saved: Taken by you\. R\. Diaz just changed/, {}, SLOW);
  await waitFor(() => expect(screen.queryByRole('link', { name: /Taken by/ })).toBeNull(), SLOW);
  expect(said.closest('[role="alert"]')?.textContent).not.toContain('Retry');
});

test('a change without an answer is put back, and can be tried again', async () => {
  let tries = 0;
  openPing(() => {
    tries += 1;
    if (tries === 1) throw new TypeError('Failed to fetch');
    return saved({ owner: owner('1', 'Ana Example') });
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Take it' }, SLOW));
  const said = await screen.findByText(/KESTREL: not saved: Taken by you\./, {}, SLOW);
  expect(screen.queryByRole('link', { name: /Taken by/ })).toBeNull();
  const toast = within(said.closest<HTMLElement>('[role="alert"]') ?? said);
  await userEvent.click(toast.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('link', { name: /Taken by/ }, SLOW);
  expect(screen.queryByText(/not saved/)).toBeNull();
});

test('Enter chooses the only colleague left, and never a name from before', async () => {
  const sent = openPing(() => saved({ owner: owner('77', 'Nina Okafor') }));
  await screen.findByRole('button', { name: 'Assign…' }, SLOW);
  await userEvent.keyboard('a');
  const chooser = within(await screen.findByRole('group', { name: 'Assign to' }, SLOW));
  await chooser.findByRole('button', { name: 'Nina Okafor' }, SLOW);
  await userEvent.type(chooser.getByRole('textbox'), 'Nina{Enter}');
  expect(sent('stays/assign')).toEqual([]);
  await waitFor(
    () => expect(chooser.getByRole('button', { name: 'Nina Okafor' })).toHaveProperty('disabled', false),
    SLOW,
  );
  await userEvent.type(chooser.getByRole('textbox'), '{Enter}');
  await waitFor(() => expect(sent('stays/assign')).toMatchObject([{ userId: '77' }]), SLOW);
});

test('H lets the ping wait for a new event, says what was seen, and the wait can be ended', async () => {
  const sent = openPing(({ until }) =>
    saved({ waiting: until === null ? null : { until: null, by: 'Ana Example', since: AT } }),
  );
  await screen.findByRole('button', { name: 'Snooze…' }, SLOW);
  await userEvent.keyboard('h');
  await userEvent.click(await screen.findByRole('button', { name: 'Until a new event' }, SLOW));
  await screen.findByRole('link', { name: /Waiting for a new event\./ }, SLOW);
  await userEvent.click(await screen.findByRole('button', { name: 'End wait' }, SLOW));
  await waitFor(() => expect(screen.queryByRole('link', { name: /Waiting/ })).toBeNull(), SLOW);
  expect(sent('stays/snooze')).toEqual([
    { stays: [{ patientId: '1_1', expectedVersion: '0', eventIdentifiers: ['201'] }], until: 'EVENT' },
    { stays: [{ patientId: '1_1', expectedVersion: '5', eventIdentifiers: ['201'] }], until: null },
  ]);
});

test('who else has the patient open is said, and whose stays are listed is asked by id', async () => {
  const sent = openPing(() => saved({}), { version: '3', owner: owner('77', 'Nina Okafor'), waiting: null }, [
    'R. Diaz',
  ]);
  await screen.findByText('R. Diaz is viewing this patient now.', {}, SLOW);
  await openOwnerMenu();
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Unassigned' }, SLOW));
  await screen.findByRole('button', { name: 'Owner: Unassigned' }, SLOW);
  const filters = () =>
    (sent('pings').at(-1) as { userDefinedFacetPreferences: { preferenceMap: Record<string, unknown> } })
      .userDefinedFacetPreferences.preferenceMap;
  await waitFor(() => expect(filters()['owner']).toEqual([{ field: 'owner', value: 'NONE', negated: false }]), SLOW);
  await userEvent.click(await screen.findByRole('button', { name: 'Remove filter Owner: Unassigned' }, SLOW));
  await waitFor(() => expect(filters()['owner']).toBeUndefined(), SLOW);
});

test('who opens the patient a moment later is said at once', async () => {
  const viewers: string[] = [];
  openPing(() => saved({}), undefined, viewers);
  await screen.findByRole('button', { name: 'Resolve' }, SLOW);
  await waitFor(() => expect(streams).not.toHaveLength(0), SLOW);
  viewers.push('R. Diaz');
  tell('viewers', { rosterPatientId: '11' });
  tell('viewers', { rosterPatientId: '1' });
  // Long before the page would ask by itself.
  await screen.findByText('R. Diaz is viewing this patient now.', {}, { timeout: 5000 });
});

test('a shift is handed over after its count, and what was done is undone where that is still possible', async () => {
  const sent = openPing(() => saved({}));
  await openOwnerMenu();
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Hand over…' }, SLOW));
  await screen.findByText(/You have 7 stays, 5 of them with open pings\./, {}, SLOW);
  await userEvent.click(await screen.findByRole('button', { name: 'Nina Okafor' }, SLOW));
  await userEvent.click(await screen.findByRole('button', { name: 'Hand over 7 stays to Nina Okafor' }, SLOW));
  // In the toast, and where it is announced.
  await screen.findAllByText('7 stays handed over to Nina Okafor.', {}, SLOW);
  expect(sent('hand-over')).toEqual([{ toUserId: '77', expectedCount: 7 }]);
  closeMenu();
  await openOwnerMenu();
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Recently done' }, SLOW));
  await screen.findByText('Changed since', {}, SLOW);
  expect(screen.getByText('· LA-0007')).toBeTruthy();
  expect(screen.getByText(/^The last 2 changes you made on this team, back to 11\/21\/2026/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Load older' }));
  await screen.findByText('STARLING, Ada', {}, SLOW);
  expect(screen.getByText('What you did on this team in the last two days.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Load older' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Undo: KESTREL, Ada, Resolved, 2 pings' }));
  await waitFor(() => expect(sent('recently-done/undo')).toHaveLength(1), SLOW);
});
