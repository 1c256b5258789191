/**
 * Connections to the identity providers and EHRs of the administrator's organization. A connection gets into any account it vouches for,
 * so changing one also throws NOT_PERMITTED unless the administrator manages all groups of the organization.
 */
import type { SsoConnection } from '#contract/admin.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { allowsHttp, callbackUrl, metadataUrl } from '#server/people/sso/sso-urls.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { withPurpose } from '#server/platform/database/with-purpose.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkCoversAll } from '../admin-scope.ts';
import { type AdminCall, type AdminDeps, administer, type Change, readAsAdmin } from '../administer.ts';
import { type ConnectionFields, checkConnection } from './check-connection.ts';
import * as queries from './queries.ts';

export async function listConnections(
  { db, publicUrl }: AdminDeps,
  { actor }: Pick<AdminCall, 'actor'>,
): Promise<SsoConnection[]> {
  const rows = await readAsAdmin(db, actor, (tx) => queries.listConnections(tx, actor.organizationId));
  return rows.map((row) => answerOf(row, publicUrl));
}

export function addConnection(deps: AdminDeps, call: AdminCall, wanted: ConnectionFields): Promise<SsoConnection> {
  return changeConnections(deps.db, call, async ({ tx, scope, now, audit }) => {
    const fields = checkConnection(wanted, { allowHttp: allowsHttp(deps.publicUrl), now });
    await refuseTaken(tx, scope.organizationId, fields, null);
    const row = existing(await queries.insertConnection(tx, scope.organizationId, fields, now));
    await audit({ action: 'sso-connection.add', subject: 'sso-connection', subjectId: row.id });
    return answerOf(row, deps.publicUrl);
  });
}

/** Also throws CHANGED_BY_OTHER if `version` is given and out of date. */
export function changeConnection(
  deps: AdminDeps,
  call: AdminCall,
  id: string,
  { version, ...wanted }: ConnectionFields & { version?: string | undefined },
): Promise<SsoConnection> {
  return changeConnections(deps.db, call, async ({ tx, scope, now, audit }) => {
    const before = existing(await queries.findConnection(tx, scope.organizationId, id));
    await checkVersion(tx, { subject: 'sso-connection', id, current: before, read: version });
    const fields = checkConnection(wanted, { allowHttp: allowsHttp(deps.publicUrl), now });
    await refuseTaken(tx, scope.organizationId, fields, id);
    const row = existing(await queries.updateConnection(tx, scope.organizationId, id, fields));
    await audit({ action: 'sso-connection.change', subject: 'sso-connection', subjectId: id });
    return answerOf(row, deps.publicUrl);
  });
}

export function removeConnection({ db }: AdminDeps, call: AdminCall, id: string): Promise<void> {
  return changeConnections(db, call, async ({ tx, scope, audit }) => {
    if (!(await queries.deleteConnection(tx, scope.organizationId, id))) throw new ApiError('NOT_FOUND');
    await audit({ action: 'sso-connection.remove', subject: 'sso-connection', subjectId: id });
  });
}

const changeConnections = <T>(db: Database, call: AdminCall, fn: (change: Change) => Promise<T>): Promise<T> =>
  administer(db, call, async (change) => {
    const message = 'Only an administrator who manages every group of the organization can change how people sign in.';
    await checkCoversAll(change.tx, change.scope, message);
    return fn(change);
  });

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

function existing(row: queries.ConnectionRow | null): queries.ConnectionRow {
  if (row === null) throw new ApiError('NOT_FOUND');
  return row;
}

const answerOf = (row: queries.ConnectionRow, publicUrl: string): SsoConnection => ({
  ...row,
  callbackUrl: callbackUrl(publicUrl, row),
  metadataUrl: row.kind === 'SAML' ? metadataUrl(publicUrl, row) : null,
});
