/** Accounts as an identity provider manages them (RFC 7643, 4.1). Errors of all but create and list: NOT_FOUND. */
import { USER_TEXTS, USER_TITLE_MAX } from '#contract/admin-fields.ts';
import type { ScimOperation, ScimUserFields } from '#contract/scim.ts';
import { newUsername } from '#contract/users.ts';
import { mailRenamed } from '#server/people/accounts/letters/send-letters.ts';
import { createUser } from '#server/people/accounts/provisioning.ts';
import { endSessionsOf } from '#server/people/accounts/sessions/queries.ts';
import { rejectDuplicate } from '#server/people/admin/administer.ts';
import { deleteUnusedTokens, setDisabled } from '#server/people/admin/users/queries.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import { personName } from '#server/people/sso/person-name.ts';
import { orNotFound } from '#server/platform/http/api-error.ts';
import { patchUser, type UserState } from './patch.ts';
import { auditProvider, followGroups, type ProviderCall } from './provision.ts';
import { ScimError } from './scim-error.ts';
import * as rows from './user-rows.ts';

/** What the audit log says of a change, by the names that accounts have elsewhere. */
const LOGGED = { userName: 'username', givenName: 'firstName', familyName: 'lastName', title: 'title' } as const;

/**
 * Creates an account for an address in a verified domain of the connection, or brings back one that the provider deleted. Nobody is mailed:
 * the person signs in with the organization's account. Errors: uniqueness, invalidValue.
 */
export async function create(call: ProviderCall, fields: ScimUserFields): Promise<rows.UserRow> {
  const { tx, provider, now } = call;
  const wanted = await checked(call, stateOf(fields, true), null);
  const deleted = await rows.findDeleted(tx, provider, wanted.userName);
  const { userName: username, givenName: firstName, familyName: lastName, title } = wanted;
  const { organizationId } = provider;
  const id =
    deleted ??
    (await rejectDuplicate(
      'USERNAME_TAKEN',
      createUser(tx, { organizationId, username, firstName, lastName, title }, now),
    ));
  if (deleted !== null) {
    await rows.removePassword(tx, deleted, now);
    await rows.bringBack(tx, deleted);
  }
  await rows.giveToConnection(tx, provider, id);
  await rows.updateUser(tx, id, wanted);
  await setDisabled(tx, id, wanted.active ? null : now);
  await auditProvider(call, { action: 'user.provision', subject: 'user', subjectId: id });
  return orNotFound(await rows.findUser(tx, provider, id));
}

export async function replace(call: ProviderCall, id: string, fields: ScimUserFields): Promise<rows.UserRow> {
  const before = orNotFound(await rows.findUser(call.tx, call.provider, id));
  return change(call, before, stateOf(fields, before.active));
}

export async function patch(
  call: ProviderCall,
  id: string,
  operations: readonly ScimOperation[],
): Promise<rows.UserRow> {
  const before = orNotFound(await rows.findUser(call.tx, call.provider, id));
  return change(call, before, patchUser(before, operations));
}

/** Disables the account and takes its access. To the provider it is gone; for us its history stays, and an administrator can enable it. */
export async function remove(call: ProviderCall, id: string): Promise<void> {
  const { tx, provider, now } = call;
  orNotFound(await rows.findUser(tx, provider, id));
  await disable(call, id);
  await rows.dropAccess(tx, id, now);
  await auditProvider(call, { action: 'user.deprovision', subject: 'user', subjectId: id });
}

async function change(call: ProviderCall, before: rows.UserRow, state: UserState): Promise<rows.UserRow> {
  const { tx, provider } = call;
  const { id } = before;
  const after = await checked(call, state, before);
  await rows.updateUser(tx, id, after);
  if (after.userName !== before.userName) await rename(call, before, after.userName);
  const values = changedValues(before, after, Object.keys(LOGGED) as (keyof typeof LOGGED)[]);
  if (Object.keys(values).length > 0) {
    const changes = Object.fromEntries(
      Object.entries(values).map(([field, value]) => [LOGGED[field as keyof typeof LOGGED], value]),
    );
    await auditProvider(call, { action: 'user.change', subject: 'user', subjectId: id, detail: { changes } });
  }
  if (after.active !== before.active) await setActive(call, id, after.active);
  return orNotFound(await rows.findUser(tx, provider, id));
}

/**
 * Gives the account another address. Nobody may get an account of someone else in this way, so the connection alone opens it from now on, and the
 * address of whoever manages users stays.
 */
async function rename(
  { tx, provider, now }: ProviderCall,
  { id, ...before }: rows.UserRow,
  userName: string,
): Promise<void> {
  if (before.managesUsers) {
    throw new ScimError(
      'mutability',
      'The userName of a person who manages users in Tidings cannot be changed. Another administrator can take that role first.',
    );
  }
  if (before.isActivated) await mailRenamed(tx, id, userName, now);
  await rejectDuplicate('USERNAME_TAKEN', rows.rename(tx, provider, id, userName));
  await rows.giveToConnection(tx, provider, id);
  await rows.removePassword(tx, id, now);
  await deleteUnusedTokens(tx, id);
  await endSessionsOf(tx, id, now);
}

async function setActive(call: ProviderCall, id: string, isActive: boolean): Promise<void> {
  if (isActive) await setDisabled(call.tx, id, null);
  else await disable(call, id);
  const action = isActive ? 'user.enable' : 'user.disable';
  await auditProvider(call, { action, subject: 'user', subjectId: id });
  await followGroups(call, [id]);
}

async function disable({ tx, now }: ProviderCall, id: string): Promise<void> {
  await setDisabled(tx, id, now);
  await deleteUnusedTokens(tx, id);
  await endSessionsOf(tx, id, now);
}

const stateOf = (
  { userName, externalId, name, title, active }: ScimUserFields,
  otherwiseActive: boolean,
): UserState => ({
  userName,
  externalId: externalId || null,
  givenName: name?.givenName ?? '',
  familyName: name?.familyName ?? '',
  title: title || null,
  active: active ?? otherwiseActive,
});

/** Returns the account as it will be stored. A name that would be cut is refused, because the provider would see another one than it sent. */
async function checked({ tx, provider }: ProviderCall, state: UserState, before: UserState | null): Promise<UserState> {
  const read = newUsername.safeParse(state.userName);
  if (!read.success) throw new ScimError('invalidValue', 'userName must be an email address.');
  const userName = read.data;
  if (userName !== before?.userName && !(await rows.isVerifiedAddress(tx, provider, userName))) {
    throw new ScimError(
      'invalidValue',
      'userName must be an address in an email domain that is verified for this connection in Tidings.',
    );
  }
  const { firstName, lastName } = personName(state.givenName, state.familyName);
  if (firstName === null || lastName === null) {
    throw new ScimError('invalidValue', 'name.givenName and name.familyName are required.');
  }
  const isTooLong =
    state.givenName.trim().length > USER_TEXTS.firstName.max ||
    state.familyName.trim().length > USER_TEXTS.lastName.max ||
    (state.title ?? '').trim().length > USER_TITLE_MAX;
  if (isTooLong)
    throw new ScimError('invalidValue', `Names and title can have ${USER_TEXTS.firstName.max} characters.`);
  return { ...state, userName, givenName: firstName, familyName: lastName, title: state.title?.trim() || null };
}
