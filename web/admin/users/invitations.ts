import { USER_TEXTS, USERNAME_MAX } from '#contract/admin-fields.ts';

/** A person to invite, as one line of a pasted list. */
export interface Invitation {
  username: string;
  firstName: string;
  lastName: string;
  title: string | null;
}
/** One line of the list; `error` says what is wrong with it, null if it can be used. */
export interface InvitationLine {
  /** From 1. */
  line: number;
  text: string;
  invitation: Invitation | null;
  error: string | null;
}

/** What an email address looks like; the server decides whether it is valid. */
export const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;.]+(?:\.[^\s@<>,;.]+)+$/;
/** `Ana Reyes <ana@lakeshore.example>`, as mail programs copy it. */
const MAILBOX = /^([^<]+)<([^<>]+)>$/;

const partsOf = (text: string): string[] => {
  const mailbox = MAILBOX.exec(text);
  if (!mailbox) return text.split(/[,;\t]/).map((part) => part.trim());
  const [, quoted = '', email = ''] = mailbox;
  const name = quoted.trim().replace(/^"|"$/g, '').trim();
  const words = name.split(/\s+/);
  const [family = '', given = ''] = name.includes(',') ? name.split(',') : [words.pop(), words.join(' ')];
  return [email.trim(), given.trim(), family.trim()];
};

const isTooLong = (username: string, firstName: string, lastName: string): boolean =>
  username.length > USERNAME_MAX ||
  firstName.length > USER_TEXTS.firstName.max ||
  lastName.length > USER_TEXTS.lastName.max;

const errorIn = ([username = '', firstName = '', lastName = '', ...rest]: string[]): string | null => {
  if (!EMAIL.test(username)) return 'Start with an email address.';
  if (!firstName || !lastName) return 'First or last name is missing. Enter email, first name, last name.';
  if (isTooLong(username, firstName, lastName)) return 'The email address or a name is too long.';
  return rest.length > 1 ? 'Too many parts. Enter email, first name, last name, title.' : null;
};

const NOBODY: ReadonlySet<string> = new Set();

/** Reads a pasted list with one person per line: `email, first name, last name, title`, separated by commas, semicolons or tabs. `existing`: usernames of accounts. */
export const readInvitations = (list: string, existing: ReadonlySet<string> = NOBODY): InvitationLine[] => {
  const seen = new Map<string, number>();
  return list.split(/\r\n?|\n/).flatMap((raw, index) => {
    const text = raw.trim();
    if (!text) return [];
    const line = index + 1;
    const parts = partsOf(text);
    const username = (parts[0] ?? '').toLowerCase();
    const first = seen.get(username);
    if (EMAIL.test(username) && first === undefined) seen.set(username, line);
    const error =
      errorIn(parts) ??
      (first === undefined ? null : `Same email address as line ${first}.`) ??
      (existing.has(username) ? 'This person has an account already. Change their access in the list of users.' : null);
    const [, firstName = '', lastName = '', title = ''] = parts;
    return [{ line, text, error, invitation: error ? null : { username, firstName, lastName, title: title || null } }];
  });
};
