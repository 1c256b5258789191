/** Groups of an identity provider (RFC 7643, 4.2). Errors of all but create and list: NOT_FOUND. */
import type { ScimGroupFields, ScimOperation } from '#contract/scim.ts';
import { rejectDuplicate } from '#server/people/admin/administer.ts';
import { orNotFound } from '#server/platform/http/api-error.ts';
import * as rows from './group-rows.ts';
import { patchGroup } from './patch.ts';
import { auditProvider, followGroups, type ProviderCall } from './provision.ts';
import { ScimError } from './scim-error.ts';
import { managedIds } from './user-rows.ts';

/** An administrator looks through them, and an account may be in all of them. */
export const MOST_GROUPS = 1000;

/** Whether the answer has the members: there may be thousands. */
interface Wanted {
  withMembers: boolean;
}

/**
 * Errors: uniqueness for a name that another group of the connection has; invalidValue for too many groups, or a member whom the provider does
 * not manage.
 */
export async function create(call: ProviderCall, fields: ScimGroupFields, wanted: Wanted): Promise<rows.GroupRow> {
  const { tx, provider, now } = call;
  const { displayName, externalId = null, members } = fields;
  if ((await rows.countGroups(tx, provider)) >= MOST_GROUPS) {
    throw new ScimError(
      'invalidValue',
      `A connection can have ${MOST_GROUPS} groups. Send only those that Tidings needs.`,
    );
  }
  const id = await rejectDuplicate('NAME_TAKEN', rows.insertGroup(tx, provider, { displayName, externalId }, now));
  const added = await rows.addMembers(tx, id, await known(call, idsOf(members)));
  await audit(call, 'sso-connection.add-group', { group: displayName });
  await changeMembers(call, displayName, { added, removed: [] });
  return orNotFound(await rows.findGroup(tx, provider, id, wanted));
}

export async function replace(
  call: ProviderCall,
  id: string,
  fields: ScimGroupFields,
  wanted: Wanted,
): Promise<rows.GroupRow> {
  const { tx, provider } = call;
  const before = orNotFound(await rows.findGroup(tx, provider, id, { withMembers: false }));
  const { displayName, externalId = null, members } = fields;
  await rename(call, before, { displayName, externalId });
  await changeMembers(call, displayName, await rows.setMembers(tx, id, await known(call, idsOf(members))));
  return orNotFound(await rows.findGroup(tx, provider, id, wanted));
}

export async function patch(
  call: ProviderCall,
  id: string,
  operations: readonly ScimOperation[],
  wanted: Wanted,
): Promise<rows.GroupRow> {
  const { tx, provider } = call;
  const before = orNotFound(await rows.findGroup(tx, provider, id, { withMembers: false }));
  const { displayName = before.displayName, externalId = before.externalId, ...change } = patchGroup(operations);
  await rename(call, before, { displayName, externalId });
  const changed =
    change.members === null
      ? {
          added: await rows.addMembers(tx, id, await known(call, change.added)),
          removed: await rows.removeMembers(tx, id, change.removed),
        }
      : await rows.setMembers(tx, id, await known(call, change.members));
  await changeMembers(call, displayName, changed);
  return orNotFound(await rows.findGroup(tx, provider, id, wanted));
}

/** Removes the group and the access that it gave. */
export async function remove(call: ProviderCall, id: string): Promise<void> {
  const { displayName } = orNotFound(await rows.findGroup(call.tx, call.provider, id, { withMembers: false }));
  await rows.deleteGroup(call.tx, id);
  await audit(call, 'sso-connection.end-group', { group: displayName });
  await followGroups(call);
}

const idsOf = (members: ScimGroupFields['members']): string[] => (members ?? []).map(({ value }) => value);

/** Records who came and went, and makes their access follow. */
async function changeMembers(call: ProviderCall, group: string, changed: rows.MemberChange): Promise<void> {
  const { added, removed } = changed;
  if (added.length + removed.length === 0) return;
  const detail = { group, added, removed };
  await audit(call, 'sso-connection.group-members', detail);
  await followGroups(call, [...added, ...removed]);
}

async function rename(
  call: ProviderCall,
  before: rows.GroupRow,
  wanted: { displayName: string; externalId: string | null },
): Promise<void> {
  await rejectDuplicate('NAME_TAKEN', rows.updateGroup(call.tx, before.id, wanted));
  if (wanted.displayName === before.displayName) return;
  await audit(call, 'sso-connection.rename-group', { group: before.displayName, name: wanted.displayName });
}

const audit = (call: ProviderCall, action: string, detail: Record<string, unknown>): Promise<void> =>
  auditProvider(call, { action, subject: 'sso-connection', subjectId: call.provider.connectionId, detail });

/** Returns the ids if the provider manages them all. */
async function known({ tx, provider }: ProviderCall, ids: Iterable<string>): Promise<Set<string>> {
  const wanted = new Set(ids);
  const found = await managedIds(tx, provider, wanted);
  if (found.size < wanted.size) {
    throw new ScimError('invalidValue', 'A member is not an account that this connection manages.');
  }
  return wanted;
}
