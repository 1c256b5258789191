/** A person to invite, as a line of a pasted list names him or her. */
export interface Invitation {
  username: string;
  firstName: string;
  lastName: string;
  title: string | null;
}
/** One line of the list, with what is wrong with it in words; null where nothing is. */
export interface InvitationLine {
  /** From 1. */
  line: number;
  text: string;
  invitation: Invitation | null;
  error: string | null;
}

const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;
/** `Ana Reyes <ana@lakeshore.example>`, as a mail program copies it. */
const MAILBOX = /^"?([^"<]+?)"?\s*<([^<>]+)>$/;

const partsOf = (text: string): string[] => {
  const mailbox = MAILBOX.exec(text);
  if (!mailbox) return text.split(/[,;\t]/).map((part) => part.trim());
  const [, name = '', email = ''] = mailbox;
  const [family, given] = name.includes(',')
    ? name.split(',')
    : [name.replace(/^.*\s/, ''), name.replace(/\s+\S+$/, '')];
  return [email.trim(), given?.trim() === family?.trim() ? '' : (given?.trim() ?? ''), family?.trim() ?? ''];
};

const wrongWith = ([username = '', firstName = '', lastName = '', ...rest]: string[]): string | null => {
  if (!EMAIL.test(username)) return 'It does not begin with an e-mail address.';
  if (!firstName || !lastName) return 'First and last name are missing: e-mail, first name, last name.';
  if (username.length > 254 || firstName.length > 100 || lastName.length > 100) return 'A part of it is too long.';
  return rest.length > 1 ? 'It has more than four parts: e-mail, first name, last name, title.' : null;
};

/** Reads a pasted list, one person a line: `e-mail, first name, last name, title`, separated by commas, semicolons or tabs. */
export const readInvitations = (list: string): InvitationLine[] => {
  const seen = new Map<string, number>();
  return list.split(/\r\n?|\n/).flatMap((raw, index) => {
    const text = raw.trim();
    if (!text) return [];
    const line = index + 1;
    const parts = partsOf(text);
    const username = (parts[0] ?? '').toLowerCase();
    const first = seen.get(username);
    if (EMAIL.test(username) && first === undefined) seen.set(username, line);
    const error = wrongWith(parts) ?? (first === undefined ? null : `The same address stands in line ${first}.`);
    const [, firstName = '', lastName = '', title = ''] = parts;
    return [{ line, text, error, invitation: error ? null : { username, firstName, lastName, title: title || null } }];
  });
};
