/**
 * Changes of resources (RFC 7644, 3.5.2), also as identity providers really send them: operations in any case, truth values as text, attributes
 * in an object without a path or as paths within it.
 */
import { z } from 'zod';
import { SCIM_TEXT_MAX, type ScimOperation, scimActive, scimText } from '#contract/scim.ts';
import { parseFilter } from './filter.ts';
import { ScimError } from './scim-error.ts';

/** What a call can change of an account. */
export interface UserState {
  userName: string;
  externalId: string | null;
  givenName: string;
  familyName: string;
  title: string | null;
  active: boolean;
}

/** What a call changes of a group. `members`: all of them from now on; null if `added` and `removed` say it. */
export interface GroupChange {
  displayName?: string;
  externalId?: string | null;
  members: Set<string> | null;
  added: Set<string>;
  removed: Set<string>;
}

const OPS: ReadonlySet<string> = new Set(['add', 'replace', 'remove']);
const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;
/** An attribute, with what is in brackets, and a sub-attribute. A schema that is not ours has colons and dots in its name. */
const PATH = /^([a-z$][\w$-]*)(?:\[([^\]]*)\])?(?:\.([a-z$][\w$-]*))?$/i;

interface Step {
  op: string;
  /** In lower case, with its sub-attribute: 'name.givenname'. */
  attribute: string;
  /** What is in brackets after the attribute. */
  filter: string | null;
  value: unknown;
}

/** Returns the account as the operations leave it. Errors: invalidValue, invalidPath, invalidSyntax, mutability. */
export function patchUser(before: UserState, operations: readonly ScimOperation[]): UserState {
  const after = { ...before };
  for (const step of stepsOf(operations)) changeUser(after, step);
  return after;
}

function changeUser(user: UserState, { op, attribute, value }: Step): void {
  const removes = op === 'remove';
  if (attribute === 'title') user.title = removes ? null : line(value, 'title') || null;
  else if (attribute === 'externalid') user.externalId = removes ? null : line(value, 'externalId') || null;
  else if (attribute !== 'active' && !isRequiredText(attribute)) return;
  else if (removes) throw new ScimError('mutability', 'This attribute is required, so it cannot be removed.');
  else if (isRequiredText(attribute)) user[REQUIRED_TEXTS[attribute]] = text(value, REQUIRED_TEXTS[attribute]);
  else user.active = truth(value);
}

const REQUIRED_TEXTS = {
  username: 'userName',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
} as const;
const isRequiredText = (attribute: string): attribute is keyof typeof REQUIRED_TEXTS =>
  Object.hasOwn(REQUIRED_TEXTS, attribute);

/**
 * Errors: as `patchUser`, mutability also for one member that is replaced; noTarget for members that are found by another condition than
 * their value.
 */
export function patchGroup(operations: readonly ScimOperation[]): GroupChange {
  const change: GroupChange = { members: null, added: new Set(), removed: new Set() };
  for (const step of stepsOf(operations)) changeGroup(change, step);
  return change;
}

function changeGroup(change: GroupChange, step: Step): void {
  const { op, attribute, value } = step;
  if (attribute === 'displayname') {
    if (op === 'remove') throw new ScimError('mutability', 'displayName is required, so it cannot be removed.');
    change.displayName = line(value, 'displayName').trim();
    if (change.displayName === '') throw new ScimError('invalidValue', 'displayName is empty.');
  } else if (attribute === 'externalid') change.externalId = op === 'remove' ? null : line(value, 'externalId') || null;
  else if (attribute === 'members') changeMembers(change, step);
}

function changeMembers(change: GroupChange, { op, filter, value }: Step): void {
  if (op === 'replace' && filter !== null) {
    throw new ScimError('mutability', 'A member cannot become another one. Remove the one and add the other.');
  }
  const named = filter === null ? membersIn(value) : [memberIn(filter)];
  if (op === 'replace' || (op === 'remove' && named === null)) {
    change.members = new Set(op === 'remove' ? [] : (named ?? []));
    change.added.clear();
    change.removed.clear();
    return;
  }
  for (const id of named ?? []) {
    const [to, from] = op === 'add' ? [change.added, change.removed] : [change.removed, change.added];
    if (change.members !== null) change.members[op === 'add' ? 'add' : 'delete'](id);
    to.add(id);
    from.delete(id);
  }
}

/** Returns the operations one attribute at a time. */
function* stepsOf(operations: readonly ScimOperation[]): Generator<Step> {
  for (const { op: written, path, value } of operations) {
    const op = written.toLowerCase();
    if (!OPS.has(op)) throw new ScimError('invalidSyntax', 'op must be add, replace or remove.');
    if (path) yield* atPath(op, path, value);
    else if (op === 'remove') throw new ScimError('noTarget', 'An operation that removes needs a path.');
    else yield* inObject(op, value);
  }
}

function* atPath(op: string, path: string, value: unknown): Generator<Step> {
  const own = path.replace(URN, '');
  // An attribute of another schema, such as the enterprise user's.
  if (own.includes(':')) return;
  const found = PATH.exec(own);
  if (found === null) throw new ScimError('invalidPath', 'The path could not be read.');
  const [, name = '', filter, sub] = found;
  const attribute = (sub === undefined ? name : `${name}.${sub}`).toLowerCase();
  if (isRecord(value) && sub === undefined && filter === undefined && attribute === 'name')
    yield* within('name', op, value);
  else yield { op, attribute, filter: filter ?? null, value };
}

function* inObject(op: string, value: unknown): Generator<Step> {
  if (!isRecord(value)) throw new ScimError('invalidValue', 'An operation without a path needs an object.');
  for (const [path, each] of Object.entries(value)) {
    if (path.length <= MOST_PATH) yield* atPath(op, path, each);
  }
}

const MOST_PATH = 500;

function* within(name: string, op: string, value: Record<string, unknown>): Generator<Step> {
  for (const [sub, each] of Object.entries(value)) {
    yield { op, attribute: `${name}.${sub.toLowerCase()}`, filter: null, value: each };
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MOST_TEXT = 254;

/** Some providers send a single value in a list. */
function text(value: unknown, attribute: string): string {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof single !== 'string' || single.length > MOST_TEXT) {
    throw new ScimError('invalidValue', `${attribute} must be a text of at most ${MOST_TEXT} characters.`);
  }
  return single;
}

/** What administrators read on one line. */
function line(value: unknown, attribute: string): string {
  const read = scimText.safeParse(text(value, attribute));
  if (!read.success) {
    throw new ScimError(
      'invalidValue',
      `${attribute} must be a text of at most ${SCIM_TEXT_MAX} characters, without control characters.`,
    );
  }
  return read.data;
}

function truth(value: unknown): boolean {
  const read = scimActive.safeParse(Array.isArray(value) && value.length === 1 ? value[0] : value);
  if (!read.success) throw new ScimError('invalidValue', 'active must be true or false.');
  return read.data;
}

const members = z.array(z.object({ value: z.string().max(100) }));

/** Returns the ids in a list of members; null if there is none. */
function membersIn(value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  const read = members.safeParse(Array.isArray(value) ? value : [value]);
  if (!read.success) throw new ScimError('invalidValue', 'Each member must be an object with the id as its value.');
  return read.data.map(({ value: id }) => id);
}

/** Returns the id in `members[value eq "12"]`. */
function memberIn(filter: string): string {
  const term = parseFilter(filter);
  if (term.kind !== 'term' || term.attribute !== 'value' || term.operator !== 'eq' || typeof term.value !== 'string') {
    throw new ScimError('noTarget', 'Members are found by their value only: members[value eq "…"].');
  }
  return term.value;
}
