import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { AdminUser, SsoConnection } from '#contract/admin.ts';
import { AT, group, groups, kofi, roles, teams } from '../testing/administration.ts';
import { directoryAnswers } from '../testing/directory-answers.ts';
import { show } from '../testing/show.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { RequestsPage } from './access-requests/requests-page.tsx';
import { ConnectionDrawer } from './connections/connection-drawer.tsx';
import { RolesPage } from './directory/roles-page.tsx';
import { TeamsPage } from './directory/teams-page.tsx';
import { directoryOf } from './directory/use-directory.ts';
import { BulkChange } from './users/bulk-change.tsx';
import { InviteDrawer } from './users/invite-drawer.tsx';
import { SelectionBar } from './users/selection-bar.tsx';
import { UserDrawer } from './users/user-drawer.tsx';

const [VIEWER, CLINICIAN] = ['5', '3'] as const;
const lists = { ...directoryAnswers({ teams, groups }), 'GET /api/admin/roles': roles };
const openUser = (user: Partial<AdminUser>, more: Parameters<typeof stubApi>[0] = {}) => {
  const asked = stubApi({ ...lists, 'GET /api/admin/users/:id': { ...kofi, ...user }, ...more });
  const saved = vi.fn();
  show(<UserDrawer id="2" saved={saved} outdated={vi.fn()} showChanges={vi.fn()} close={vi.fn()} />);
  return { asked, saved };
};
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a change of role is previewed in plain words before it is saved', async () => {
  const { asked, saved } = openUser({}, { 'PUT /api/admin/users/:id': kofi });
  expect(screen.queryByText('Adds:')).toBeNull();
  await userEvent.selectOptions(await screen.findByLabelText('Role at Lakeshore · Mercy General'), CLINICIAN);
  const adds = screen.getByText('Adds:').parentElement?.textContent ?? '';
  expect(adds).toContain('change ping status');
  expect(adds).not.toContain('view the ping inbox');
  expect(screen.queryByText('Removes:')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith('The account of Kofi Mensah was saved.'));
  expect(asked.at(-1)?.body).toMatchObject({ grants: [{ roleId: CLINICIAN, added: [], removed: [] }] });
});

test('a removed permission is sent as a difference from the role', async () => {
  const { asked } = openUser({}, { 'PUT /api/admin/users/:id': kofi });
  await userEvent.click(await screen.findByRole('button', { name: 'Custom permissions at Lakeshore · Mercy General' }));
  await userEvent.click(screen.getByLabelText('View the ping inbox'));
  await userEvent.click(screen.getByLabelText('Upload rosters'));
  expect(screen.getByText('Removes:').parentElement?.textContent).toContain('view the ping inbox.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.at(-1)?.body).toMatchObject({
      grants: [{ roleId: VIEWER, added: ['canUploadRoster'], removed: ['canViewPings'] }],
    }),
  );
});

test('administrators can ask for more access for themselves, and see what waits for another administrator', async () => {
  const waiting = { teamId: '1', groupId: '1', roleId: CLINICIAN, added: [], removed: [] };
  const answer = { ...kofi, isSelf: true, waitingGrants: [waiting] };
  const { saved } = openUser(answer, { 'PUT /api/admin/users/:id': answer });
  expect(await screen.findByText(/Access that you add for yourself starts once another administrator/)).toBeTruthy();
  const note = screen.getByText(/Waiting for another administrator to confirm/);
  expect(note.textContent).toContain('change ping status');
  expect(screen.queryByRole('button', { name: /Disable/ })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText('Role at Lakeshore · Mercy General'), 'Care coordinator');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(saved).toHaveBeenCalledWith(
      'The account of Kofi Mensah was saved. Added access is waiting for another administrator to confirm.',
    ),
  );
});

test('a locked user can be sent a link to unlock', async () => {
  const { asked, saved } = openUser({ status: 'LOCKED' }, { 'POST /api/admin/users/:id/send-unlock': undefined });
  await userEvent.click(await screen.findByRole('button', { name: 'Send a link to unlock…' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send a link to unlock' }));
  await vi.waitFor(() =>
    expect(saved).toHaveBeenCalledWith('A link to unlock the account was sent to kofi@lakeshore.example.'),
  );
  expect(asked.some(({ route }) => route === 'POST /api/admin/users/:id/send-unlock')).toBe(true);
});

test('two-step verification can be reset only where there is a second factor', async () => {
  openUser({ mfaOptedIn: false });
  expect(await screen.findByRole('button', { name: 'End all sessions…' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /two-step verification/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /unlock/ })).toBeNull();
  cleanup();
  openUser({ mfaOptedIn: false, hasPasskey: true });
  expect(await screen.findByRole('button', { name: 'Reset two-step verification…' })).toBeTruthy();
});

test('what single sign-on sets is explained; its experience cannot be changed, and access can', async () => {
  openUser({ isSSO: true });
  expect(await screen.findByText(/Each sign-in updates the first and last name if/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLSelectElement>('Experience').disabled).toBe(true);
  expect(screen.queryByRole('button', { name: /two-step verification/ })).toBeNull();
  expect(screen.getByLabelText<HTMLSelectElement>('Role at Lakeshore · Mercy General').disabled).toBe(false);
});

test('an account is disabled only after a confirmation; a refusal says that nothing was changed', async () => {
  const refusal = {
    refuse: 409,
    errorKey: 'LAST_ADMINISTRATOR',
    message: 'Nobody would be left who can manage users.',
  };
  const { asked, saved } = openUser(
    {},
    { 'POST /api/admin/users/stays': [], 'POST /api/admin/users/:id/disable': refusal },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Disable account…' }));
  expect(await screen.findByText(/signed out everywhere right away and can't sign in/)).toBeTruthy();
  expect(asked.some(({ route }) => route.endsWith('/disable'))).toBe(false);
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Disable account' });
  await vi.waitFor(() => expect(button.disabled).toBe(false));
  await userEvent.click(button);
  expect(await screen.findByText(/Nobody would be left/)).toBeTruthy();
  expect(screen.getByText('No changes were made.')).toBeTruthy();
  expect(saved).not.toHaveBeenCalled();
});

const TAKEN = [
  { team: { id: '1', name: 'Lakeshore' }, stays: 3, open: 2, colleagues: [{ id: '7', name: 'Ama Osei' }] },
];

test('disabling an account asks who takes over what its user has taken', async () => {
  const { asked, saved } = openUser(
    {},
    {
      'POST /api/admin/users/stays': TAKEN,
      'POST /api/admin/users/change': { changed: ['2'], refused: [] },
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Disable account…' }));
  const field = await screen.findByLabelText('Who takes over on Lakeshore?');
  expect(screen.getByText('3 stays taken, 2 with open pings.')).toBeTruthy();
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Disable account' });
  expect(button.disabled).toBe(true);
  await userEvent.selectOptions(field, 'Ama Osei');
  await userEvent.click(button);
  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith('The account of Kofi Mensah was disabled.'));
  const change = { kind: 'DISABLE', stays: [{ teamId: '1', toUserId: '7' }] };
  expect(asked.at(-1)?.body).toEqual({ ids: ['2'], change });
});

test('disabling several accounts asks the same; what is left unassigned is sent as no one’s', async () => {
  const asked = stubApi({
    'POST /api/admin/users/stays': TAKEN,
    'POST /api/admin/users/change': { changed: ['2', '3'], refused: [] },
  });
  const done = vi.fn();
  const users = [kofi, { ...kofi, id: '3', firstName: 'Ben' }];
  show(<BulkChange kind="DISABLE" users={users} directory={undefined} done={done} close={vi.fn()} />);
  await userEvent.selectOptions(await screen.findByLabelText('Who takes over on Lakeshore?'), 'Leave unassigned');
  await userEvent.click(screen.getByRole('button', { name: 'Disable 2 accounts' }));
  await vi.waitFor(() => expect(done).toHaveBeenCalledWith('DISABLE', users, true));
  expect(asked.at(-1)?.body).toEqual({
    ids: ['2', '3'],
    change: { kind: 'DISABLE', stays: [{ teamId: '1', toUserId: null }] },
  });
});

test('what can be done with several users is a menu: nothing happens until one action is chosen', async () => {
  const start = vi.fn();
  const selection = { all: [kofi], has: () => true, set: vi.fn() };
  show(<SelectionBar users={[kofi]} selection={selection} start={start} />);
  const trigger = screen.getByRole('button', { name: 'More actions' });
  expect(trigger.getAttribute('aria-haspopup')).toBe('menu');
  expect(screen.queryByRole('combobox', { name: 'More actions' })).toBeNull();
  expect(start).not.toHaveBeenCalled();
});

test('a change by someone else is not overwritten: the page says who made it and keeps what was typed', async () => {
  const message = 'Someone else changed this while you had it open.';
  const standing = { version: '8', last: { name: 'Ben Ito', date: '2026-11-20T15:00:00Z' } };
  let answer: object = { refuse: 409, errorKey: 'CHANGED_BY_OTHER', message, standing };
  const { asked, saved } = openUser({ version: '7' }, { 'PUT /api/admin/users/:id': () => answer });
  await userEvent.type(await screen.findByLabelText('First name'), ' James');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByText(/Last changed by Ben Ito/)).toBeTruthy();
  expect(asked.at(-1)?.body).toMatchObject({ version: '7' });
  expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Kofi James');
  expect(saved).not.toHaveBeenCalled();
  answer = { ...kofi, firstName: 'Kofi James' };
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith('The account of Kofi James Mensah was saved.'));
  expect(asked.at(-1)?.body).toMatchObject({ version: '8', firstName: 'Kofi James' });
});

test('or the change by someone else replaces what was typed', async () => {
  const users = [
    { ...kofi, version: '7' },
    { ...kofi, firstName: 'Kwame', version: '8' },
  ];
  const refusal = { refuse: 409, errorKey: 'CHANGED_BY_OTHER', standing: { version: '8', last: null } };
  const { saved } = openUser(
    {},
    {
      'GET /api/admin/users/:id': () => users.shift() as object,
      'PUT /api/admin/users/:id': refusal,
    },
  );
  await userEvent.type(await screen.findByLabelText('First name'), ' James');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Take theirs' }));
  await vi.waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Kwame'));
  expect(screen.queryByRole('button', { name: 'Keep mine' })).toBeNull();
  expect(saved).not.toHaveBeenCalled();
});

test('operators see the organization of each row, and add access only within the organization of the user', async () => {
  const [lakeside, elsewhere] = [
    { id: '1', name: 'Lakeside Care' },
    { id: '2', name: 'Elsewhere Health' },
  ];
  stubApi({
    ...directoryAnswers({
      teams: [
        { ...teams[0], organization: lakeside },
        { ...teams[0], id: '2', name: 'Far team', groupIds: ['3'], organization: elsewhere },
      ],
      groups: [
        ...groups.map((one) => ({ ...one, organization: lakeside })),
        { ...group('3', 'Far hospital'), organization: elsewhere },
      ],
    }),
    'GET /api/admin/roles': [
      ...roles,
      { ...roles[0], id: '9', name: 'far scribe', isStandard: false, organization: elsewhere },
    ],
    'GET /api/admin/users/:id': { ...kofi, organization: lakeside },
  });
  show(<TeamsPage />);
  const row = (await screen.findByRole('button', { name: 'Far team' })).closest('tr') as HTMLElement;
  expect(within(row).getByText('Elsewhere Health')).toBeTruthy();
  show(<UserDrawer id="2" saved={vi.fn()} outdated={vi.fn()} showChanges={vi.fn()} close={vi.fn()} />);
  const options = [...(await screen.findByLabelText<HTMLSelectElement>('Team')).options];
  expect(options.map(({ text }) => text)).toEqual(['Lakeshore (Lakeside Care)']);
  expect(screen.queryByRole('option', { name: 'Far scribe' })).toBeNull();
});

test('closing the drawer asks before it discards what was typed', async () => {
  openUser({});
  await userEvent.type(await screen.findByLabelText('First name'), ' James');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByText('You have unsaved changes.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Kofi James');
});

test('a list is invited line by line; refused people stay in it, with the reason', async () => {
  const asked = stubApi({
    'POST /api/admin/users/existing': ['ben@x.example'],
    'POST /api/users': ({ username }: { username: string }) =>
      username.startsWith('kofi')
        ? { refuse: 409, errorKey: 'USERNAME_TAKEN', message: 'There is an account with this username already.' }
        : kofi,
  });
  const invited = vi.fn();
  show(<InviteDrawer directory={directoryOf(teams, groups, roles)} invited={invited} close={vi.fn()} />);
  await userEvent.click(screen.getByLabelText('Paste a list'));
  const list = screen.getByLabelText<HTMLTextAreaElement>('List');
  await userEvent.click(list);
  await userEvent.paste('ana@x.example, Ana, Reyes\nnonsense\nkofi@x.example, Kofi, Mensah');
  expect(screen.getByText(/Line 2: Start with an email address/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Invite/ }));
  expect(asked.some(({ route }) => route === 'POST /api/users')).toBe(false);
  await userEvent.clear(list);
  await userEvent.click(list);
  await userEvent.paste('ana@x.example, Ana, Reyes\nBen@x.example, Ben, Ito');
  expect(await screen.findByText(/Line 2: This person has an account already/)).toBeTruthy();
  expect(screen.getByText("1 person can be invited, 1 line can't be used.")).toBeTruthy();
  await userEvent.clear(list);
  await userEvent.click(list);
  await userEvent.paste('ana@x.example, Ana, Reyes\nkofi@x.example, Kofi, Mensah');
  await userEvent.click(screen.getByLabelText('Mercy General'));
  await userEvent.click(screen.getByRole('button', { name: 'Add access' }));
  await userEvent.click(screen.getByRole('button', { name: 'Invite 2 people' }));
  expect(await screen.findByText(/kofi@x.example: There is an account/)).toBeTruthy();
  expect(invited).toHaveBeenCalledExactlyOnceWith('1 person invited by email.', false);
  expect(list.value).toBe('kofi@x.example, Kofi, Mensah');
  expect(asked.find(({ route }) => route === 'POST /api/users')?.body).toMatchObject({
    username: 'ana@x.example',
    grants: [{ teamId: '1', groupId: '1', roleId: VIEWER }],
  });
});

test('a standard role cannot be changed', async () => {
  stubApi({ 'GET /api/admin/roles': roles });
  show(<RolesPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Viewer' }));
  expect(await screen.findByText(/so it can't be changed/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Upload rosters').disabled).toBe(true);
});

test('the access of another administrator can be confirmed or declined, and one’s own only withdrawn', async () => {
  const theirs = {
    id: '8',
    userId: '2',
    userName: 'Kofi Mensah',
    teamId: '1',
    teamName: 'Lakeshore',
    groupId: '1',
    groupName: 'Mercy General',
    roleId: CLINICIAN,
    roleName: 'clinician',
    added: [],
    removed: [],
    adds: ['canManagePings'],
    isOwn: false,
    canConfirm: true,
    createdDate: AT,
    organization: null,
    version: '5',
  };
  const own = { ...theirs, id: '9', userName: 'Ana Silva', isOwn: true, canConfirm: false };
  const asked = stubApi({
    'GET /api/admin/access-requests': [],
    'GET /api/admin/pending-grants': [theirs, own],
    'POST /api/admin/pending-grants/:id/confirm': undefined,
    'DELETE /api/admin/pending-grants/:id': undefined,
  });
  show(<RequestsPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm Kofi Mensah for Mercy General' }));
  expect(await screen.findByText('The access of Kofi Mensah to Mercy General was confirmed.')).toBeTruthy();
  expect(asked.find(({ route }) => route.startsWith('POST'))?.body).toEqual({ version: '5' });
  expect(screen.queryByRole('button', { name: /Confirm Ana Silva/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw Ana Silva for Mercy General' }));
  expect(await screen.findByText('Your request for access to Mercy General was withdrawn.')).toBeTruthy();
});

test('a saved secret is never shown, and is kept if nothing is entered', async () => {
  const connection: SsoConnection = {
    id: '3',
    kind: 'OIDC',
    name: 'Lakeshore',
    isEnabled: true,
    isTested: true,
    domains: ['lakeshore.example'],
    domainStates: [{ domain: 'lakeshore.example', record: 'tidings-domain-verification=ab', verifiedBy: null }],
    isOnlyWayIn: false,
    canApproveDomains: false,
    organization: null,
    issuer: 'https://idp.example',
    clientId: 'tidings',
    hasSecret: true,
    entryPoint: null,
    certificates: [],
    allowedOrigins: [],
    applicationExperience: 'JANUS_AUTH0_SSO',
    callbackUrl: 'https://tidings.example/api/sso/oidc/k/callback',
    metadataUrl: null,
    version: '1',
  };
  const asked = stubApi({ 'PUT /api/admin/sso-connections/:id': connection });
  show(
    <ConnectionDrawer
      kind="OIDC"
      connection={connection}
      saved={vi.fn()}
      outdated={vi.fn()}
      takeTheirs={vi.fn()}
      domainChanged={vi.fn()}
      close={vi.fn()}
    />,
  );
  expect(screen.getByText('tidings-domain-verification=ab')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
  expect(screen.getByText(connection.callbackUrl)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Client secret').value).toBe('');
  await userEvent.type(screen.getByLabelText('Email domains'), '\nOther.example');
  const dialog = screen.getByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]?.body).toMatchObject({ domains: ['lakeshore.example', 'other.example'] });
  expect(asked[0]?.body).not.toHaveProperty('clientSecret');
});
