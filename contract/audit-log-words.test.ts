import { expect, test } from 'vitest';
import { actionsOf, authorWords, entryWords, kindsOf, LOGGED_ACTIONS, type WordedEntry } from './audit-log-words.ts';

const by = { id: '7', name: 'Rosa Diaz' };
const subject = { id: '7', name: 'Night charge nurse' };
const entry = (over: Partial<WordedEntry>): WordedEntry => ({
  action: 'sign-in',
  by,
  through: null,
  subject,
  call: null,
  detail: {},
  ...over,
});
const read = (over: Partial<WordedEntry>) => `${authorWords(entry(over))} ${entryWords(entry(over))}`;

test('a change to one’s own account says so, and a role or request with the same ID does not', () => {
  expect(read({ action: 'password.change' })).toBe('Rosa Diaz changed the password for themselves');
  expect(read({ action: 'user.change' })).toBe('Rosa Diaz updated account details for themselves');
  expect(read({ action: 'passkey.add' })).toBe('Rosa Diaz added a passkey for themselves');
  expect(read({ action: 'role.end' })).toBe('Rosa Diaz removed the role Night charge nurse');
  expect(read({ action: 'access-request.decline' })).toBe('Rosa Diaz declined the request from Night charge nurse');
  expect(read({ action: 'user.change', by: { ...by, id: '8' } })).toMatch(/ for Night charge nurse$/);
  expect(read({ action: 'feed.end', subject: { id: '9', name: null } })).toMatch(/ ID 9$/);
  expect(read({ action: 'feed.end', subject: { id: null, name: null } })).toMatch(/ an unknown record$/);
});

test('sign-ins say how, and refused ones say why and for which account', () => {
  expect(read({ detail: { way: 'password and code' } })).toBe('Rosa Diaz signed in with a password and code');
  expect(read({ detail: { way: 'sso' } })).toBe('Rosa Diaz signed in by single sign-on');
  const failed = { action: 'sign-in.failed', by: null, detail: { errorKey: 'WRONG_PASSWORD' } } as const;
  expect(read(failed)).toBe('Someone as Night charge nurse was refused: wrong password');
  expect(read({ ...failed, subject: { id: null, name: null } })).toBe(
    'Someone without an account was refused: wrong password',
  );
  expect(read({ ...failed, detail: { errorKey: 'WEAK_SIGNATURE' } })).toMatch(/ was refused: error WEAK_SIGNATURE$/);
  expect(read({ ...failed, detail: { repeated: 40 } })).toMatch(/ was refused$/);
  const refused = { action: 'access.refused', subject: { id: null, name: null } } as const;
  expect(read({ ...refused, call: 'Find users', detail: { errorKey: 'NOT_PERMITTED' } })).toBe(
    'Rosa Diaz was refused “Find users”: the role on the team doesn’t allow it',
  );
});

test('what a command did names no person', () => {
  const command = { by: null, detail: { by: 'command' }, subject: { id: '9', name: 'Elm Health' } } as const;
  expect(read({ ...command, action: 'organization.add' })).toBe(
    'Command on the server added the organization Elm Health',
  );
  expect(kindsOf('organization.add')).toEqual(['directory']);
  expect(kindsOf('user.operator-access')).toEqual(['access']);
});

test('every entry is of a kind, and a refused sign-in of two', () => {
  expect(kindsOf('user.disable')).toEqual(['accounts']);
  expect(kindsOf('mfa.enrol')).toEqual(['accounts']);
  expect(kindsOf('user.ask-access')).toEqual(['access']);
  expect(kindsOf('access-request.grant')).toEqual(['access']);
  expect(kindsOf('roster.approve')).toEqual(['directory']);
  expect(kindsOf('sso-connection.test')).toEqual(['connections']);
  expect(kindsOf('sign-in')).toEqual(['sign-ins']);
  expect(kindsOf('sign-in.failed')).toEqual(['sign-ins', 'refused']);
  expect(actionsOf('refused')).toEqual(['sign-in.failed', 'access.refused']);
  expect(LOGGED_ACTIONS.filter((action) => kindsOf(action).length === 0)).toEqual([]);
});
