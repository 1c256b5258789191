/**
 * Connections to the identity providers and EHRs of the administrator's organization. A connection gets into any account it vouches for,
 * so changing one also throws NOT_PERMITTED unless the administrator manages all groups of the organization.
 */
import type { SsoConnection } from '#contract/admin.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { allowsHttp, callbackUrl, metadataUrl } from '#server/people/sso/sso-urls.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { withPurpose } from '#server/platform/database/with-purpose.ts';
import { ApiError, orNotFound } from '#server/platform/http/api-error.ts';
import { checkCoversAll, type Scope } from '../admin-scope.ts';
import { type AdminDeps, administer, type Change, readAsAdmin } from '../administer.ts';
import { followAccess } from '../provisioning/provisioning.ts';
import { type ConnectionFields, checkConnection, WHOLE_ORGANIZATION } from './check-connection.ts';
import { type ConnectionDeps, checkBeforeEnabling, requireTested } from './check-sign-in.ts';
import { claimDomains, releaseDomains } from './domain-queries.ts';
import * as queries from './queries.ts';

/** Returns the connections of the administrator's organization; for an operator, those of all organizations. */
export function listConnections(
  { db, publicUrl }: AdminDeps,
  { actor }: Pick<ActorCall, 'actor'>,
): Promise<SsoConnection[]> {
  return readAsAdmin(db, actor, async (tx, scope) => {
    const rows = await queries.listConnections(tx, scope);
    return rows.map((row) => answerOf(row, { publicUrl, scope }));
  });
}

/** Errors, also when changing one: BAD_REQUEST if the connection would be enabled before its sign-in has been tested. */
export function addConnection(deps: ConnectionDeps, call: ActorCall, wanted: ConnectionFields): Promise<SsoConnection> {
  return changeConnections(deps.db, call, async ({ tx, scope, now, audit }) => {
    const fields = checkConnection(wanted, { allowHttp: allowsHttp(deps.publicUrl), now });
    await refuseTaken(tx, scope.organizationId, fields, null);
    await claimDomains(tx, scope.organizationId, fields.domains);
    const id = await queries.insertConnection(tx, scope.organizationId, fields, { secrets: deps.secrets, now });
    const row = orNotFound(await queries.findConnection(tx, scope, id));
    requireTested(row);
    await audit({ action: 'sso-connection.add', subject: 'sso-connection', subjectId: id });
    return answerOf(row, { publicUrl: deps.publicUrl, scope });
  });
}

/** Also throws CHANGED_BY_OTHER if `version` is given and out of date. */
export async function changeConnection(
  deps: ConnectionDeps,
  call: ActorCall,
  id: string,
  { version, ...wanted }: ConnectionFields & { version?: string | undefined },
): Promise<SsoConnection> {
  // Outside the transaction, because a provider may take seconds to answer.
  await checkBeforeEnabling(deps, call, id, wanted);
  return changeConnections(deps.db, call, async ({ tx, scope, now, audit }) => {
    const before = orNotFound(await queries.findConnection(tx, scope, id));
    await checkVersion(tx, { subject: 'sso-connection', id, current: before, read: version });
    const fields = checkConnection(wanted, { allowHttp: allowsHttp(deps.publicUrl), now });
    await refuseTaken(tx, before.organizationId, fields, id);
    await claimDomains(tx, before.organizationId, fields.domains);
    await queries.updateConnection(tx, id, { fields, secrets: deps.secrets });
    await releaseDomains(tx, before.organizationId);
    const row = orNotFound(await queries.findConnection(tx, scope, id));
    requireTested(row);
    const changes = changedValues(before, row, READABLE_FIELDS);
    const secrets = fields.clientSecret || before.hasSecret !== row.hasSecret ? ['clientSecret'] : [];
    const detail = { changes, secrets };
    await audit({ action: 'sso-connection.change', subject: 'sso-connection', subjectId: id, detail });
    return answerOf(row, { publicUrl: deps.publicUrl, scope });
  });
}

/** All but the secret, whose change is audited without a value. */
const READABLE_FIELDS = [
  'kind',
  'name',
  'isEnabled',
  'domains',
  'issuer',
  'clientId',
  'entryPoint',
  'certificates',
  'allowedOrigins',
  'applicationExperience',
] as const;

export function removeConnection({ db }: AdminDeps, call: ActorCall, id: string): Promise<void> {
  return changeConnections(db, call, async (change) => {
    const { tx, scope, audit } = change;
    const { organizationId } = orNotFound(await queries.findConnection(tx, scope, id));
    await queries.deleteConnection(tx, id);
    await releaseDomains(tx, organizationId);
    await audit({ action: 'sso-connection.remove', subject: 'sso-connection', subjectId: id });
    // Its groups are gone, and with them the access that they gave.
    await followAccess(change, organizationId);
  });
}

/** Errors: STILL_NEEDED (`keepWayIn`). */
const changeConnections = <T>(db: Database, call: ActorCall, fn: (change: Change) => Promise<T>): Promise<T> =>
  administer(db, call, async (change) => {
    await checkCoversAll(change.tx, change.scope, WHOLE_ORGANIZATION);
    return keepWayIn(change, fn);
  });

/**
 * Runs `fn`, then throws STILL_NEEDED if an organization that demands single sign-on has lost its only usable connection: nobody but operators
 * could sign in any more, also where administrators are operators.
 */
export async function keepWayIn<T>(change: Change, fn: (change: Change) => Promise<T>): Promise<T> {
  const before = await queries.organizationsWithoutWayIn(change.tx);
  const result = await fn(change);
  const after = await queries.organizationsWithoutWayIn(change.tx);
  if ([...after].some((id) => !before.has(id))) throw new ApiError('STILL_NEEDED', { message: ONLY_WAY_IN });
  return result;
}

const ONLY_WAY_IN =
  'Everyone in the organization has to sign in with single sign-on, and no other connection has a verified email domain. Nothing was changed. Turn off that rule first, under Users, “Sign-in rules…”.';

async function refuseTaken(
  tx: Change['tx'],
  organizationId: string,
  fields: ConnectionFields,
  except: string | null,
): Promise<void> {
  const taken = await withPurpose(tx, 'sign-in', () => queries.findTaken(tx, organizationId, fields, except));
  if (taken.name) throw new ApiError('NAME_TAKEN', { fields: { name: 'Another connection already has this name.' } });
  const wrong = {
    ...(taken.domains ? { domains: 'Another connection already uses one of these domains.' } : {}),
    ...(taken.issuer ? { issuer: 'This EHR already has a connection.' } : {}),
  };
  if (Object.keys(wrong).length > 0) throw new ApiError('BAD_REQUEST', { fields: wrong });
}

export const answerOf = (
  row: queries.ConnectionRow,
  { publicUrl, scope }: Pick<AdminDeps, 'publicUrl'> & { scope: Scope },
): SsoConnection => ({
  ...row,
  canApproveDomains: scope.isOperator,
  callbackUrl: callbackUrl(publicUrl, row),
  metadataUrl: row.kind === 'SAML' ? metadataUrl(publicUrl, row) : null,
});
