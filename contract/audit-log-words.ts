/**
 * What the audit log shows beside changes: sign-ins and refusals, and the words for all of them.
 * Without zod: the browser loads it as it is.
 */
import { LOG_KINDS, type LogKind } from './audit-log-kinds.ts';
import { CHANGE_WORDS, type ChangeAction } from './change-words.ts';

/** In words that follow a name, as those of changes do. */
const FURTHER_WORDS = {
  'sign-in': 'signed in',
  'sign-in.failed': 'was refused',
  'sign-in.locked': 'entered too many wrong passwords, so the account was locked and a link to unlock it was mailed',
  'access.refused': 'was refused',
  'audit-log.export': 'downloaded the audit log of',
} as const;

export type LoggedAction = ChangeAction | keyof typeof FURTHER_WORDS;
export const LOG_WORDS: Readonly<Record<LoggedAction, string>> = { ...CHANGE_WORDS, ...FURTHER_WORDS };
export const LOGGED_ACTIONS = Object.keys(LOG_WORDS) as LoggedAction[];
export const isLogged = (action: string): boolean => Object.hasOwn(LOG_WORDS, action);

export const LOG_KIND_LABELS: Record<LogKind, string> = {
  accounts: 'Accounts',
  access: 'Access and requests to join',
  directory: 'Teams, groups and roles',
  connections: 'Connections',
  feeds: 'Feeds',
  programs: 'HL7 programs',
  'sign-ins': 'Sign-ins',
  refused: 'Refused',
};

/** Which actions are of a kind. A refused sign-in is of two. Changes that none of the others names are to accounts. */
const KINDS: Record<Exclude<LogKind, 'accounts'>, RegExp> = {
  access: /^(user\.\w+-access|access-request\..*)$/,
  directory: /^(organization|team|group|role|roster|audit-log)\./,
  connections: /^(sso-connection|scim[\w-]*)\./,
  feeds: /^feed\./,
  programs: /^hl7-program\./,
  'sign-ins': /^sign-in(\.|$)/,
  refused: /^(access\.refused|sign-in\.failed)$/,
};

export const kindsOf = (action: LoggedAction): LogKind[] => {
  const kinds = LOG_KINDS.filter((kind) => kind !== 'accounts' && KINDS[kind].test(action));
  return kinds.length > 0 ? kinds : ['accounts'];
};
export const actionsOf = (kind: LogKind): LoggedAction[] =>
  LOGGED_ACTIONS.filter((action) => kindsOf(action).includes(kind));

/** Entries are counted and paged up to here. Older ones are found with a filter by date. */
export const MOST_CHANGES_PAGED = 10_000;
/** Entries in a file. */
export const MOST_CHANGES_EXPORTED = 50_000;

const WAY_WORDS: Readonly<Record<string, string>> = {
  password: 'with a password',
  'password and code': 'with a password and code',
  'password and recovery code': 'with a password and recovery code',
  passkey: 'with a passkey',
  sso: 'by single sign-on',
  ehr: 'from the EHR',
};

/** Why a call or a sign-in was refused, by the code of the error. */
const REFUSAL_WORDS: Readonly<Record<string, string>> = {
  WRONG_PASSWORD: 'wrong password',
  WRONG_CODE: 'wrong verification code',
  LOCKED: 'the account is locked after wrong passwords',
  USER_DISABLED: 'the account is disabled',
  USER_NOT_ACTIVATED: 'the account is not activated yet',
  PASSWORD_EXPIRED: 'the account is locked after 90 days without activity',
  PASSKEY_REFUSED: 'the passkey was not accepted',
  PASSKEY_REQUIRED: 'the account needs a passkey',
  MANAGED_ELSEWHERE: 'the organization’s own sign-in is required',
  NO_USER: 'single sign-on named no user of the organization',
  NO_CONNECTION: 'the connection is off',
  NO_PENDING_SIGN_IN: 'the sign-in took too long or was started elsewhere',
  UNREACHABLE: 'the identity provider did not answer',
  NOT_PERMITTED: 'the role on the team doesn’t allow it',
  NOT_YOUR_TEAM: 'not a member of the team',
  NOT_FOUND: 'it doesn’t exist, or there is no access to it',
  PASSWORD_CHANGE_REQUIRED: 'the password has expired',
  SECOND_FACTOR_REQUIRED: 'two-step verification is required',
  REAUTHENTICATION_REQUIRED: 'the identity had to be confirmed first',
  LAST_ADMINISTRATOR: 'no one would be left to manage users',
  CHANGED_BY_OTHER: 'someone else had changed it',
  FOREIGN_ORIGIN: 'the call came from another site',
};
const reasonOf = (code: unknown): string => REFUSAL_WORDS[String(code)] ?? `error ${String(code)}`;

/** What of an entry its words need. */
export interface WordedEntry {
  action: LoggedAction;
  by: { id: string; name: string } | null;
  through: { id: string; name: string | null } | null;
  subject: { id: string | null; name: string | null };
  /** What was called, as the API's documentation says it; for refusals. */
  call: string | null;
  detail: Readonly<Record<string, unknown>>;
}

/** Changes to an account. The IDs of teams, roles and requests count separately, and may equal an account's. */
const IS_ABOUT_ACCOUNT = /^(user|password|mfa|passkey|phone)\./;

/** Returns the person or thing that a change is about, in words. */
export function subjectWords({ action, by, subject }: Pick<WordedEntry, 'action' | 'by' | 'subject'>): string {
  if (by !== null && by.id === subject.id && IS_ABOUT_ACCOUNT.test(action)) return 'themselves';
  return subject.name ?? (subject.id ? `ID ${subject.id}` : 'an unknown record');
}

/** The detail `by` of what whoever runs the installation did by a command (`npm run organization`), without an account. */
export const BY_COMMAND = 'command';

/** Returns the person or connection that acted, in words. Whoever failed to sign in may not be the owner of the account. */
export function authorWords({ action, by, through, subject, detail }: WordedEntry): string {
  if (by !== null) return by.name;
  if (detail['by'] === BY_COMMAND) return 'Command on the server';
  if (through !== null) return `Single sign-on: ${through.name ?? `ID ${through.id}`}`;
  if (!action.startsWith('sign-in')) return 'Emailed link';
  return subject.id === null ? 'Someone without an account' : `Someone as ${subject.name ?? `ID ${subject.id}`}`;
}

/** Returns what was done, in words that follow the author: 'was refused: wrong password'. */
export function entryWords(entry: WordedEntry): string {
  const { action, call, detail } = entry;
  const words = LOG_WORDS[action];
  if (action === 'sign-in') return [words, WAY_WORDS[String(detail['way'])]].filter(Boolean).join(' ');
  if (action === 'sign-in.locked') return words;
  if (action === 'sign-in.failed') return detail['repeated'] ? words : `${words}: ${reasonOf(detail['errorKey'])}`;
  if (action !== 'access.refused') return `${words} ${subjectWords(entry)}`;
  const what = call === null ? words : `${words} “${call}”`;
  return detail['repeated'] ? what : `${what}: ${reasonOf(detail['errorKey'])}`;
}
