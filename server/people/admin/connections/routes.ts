import type { SsoConnection } from '#contract/admin.ts';
import type { Actor } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { allowsHttp, callbackUrl, metadataUrl } from '#server/people/sso/sso-urls.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { Scope } from '../admin-scope.ts';
import { administer } from '../administer.ts';
import type { AdminRouteDeps } from '../routes.ts';
import { type ConnectionFields, checkConnection } from './check-connection.ts';
import {
  areAllGroups,
  type ConnectionRow,
  deleteConnection,
  findConnection,
  findTaken,
  insertConnection,
  listConnections,
  updateConnection,
} from './queries.ts';

/** The connections of the administrator's organisation. Changes also throw NOT_PERMITTED for whom some group of it is not to manage. */
export function connectionRoutes({ db, clock, config: { publicUrl } }: AdminRouteDeps): RegisteredRoute[] {
  const check = (fields: ConnectionFields) =>
    checkConnection(fields, { allowHttp: allowsHttp(publicUrl), now: clock() });
  const answer = (row: ConnectionRow) => answerOf(row, publicUrl);
  /** Writes as the actor, in turn with all administration, and notes it. `write` returns the connection's id. */
  const change = <T>(
    actor: Actor,
    action: string,
    requestId: string,
    write: (tx: ActorTransaction) => Promise<{ id: string; result: T }>,
  ): Promise<T> =>
    administer(db, { actor, requestId, now: clock() }, async ({ tx, scope, audit }) => {
      await checkManagesEverybody(tx, scope);
      const { id, result } = await write(tx);
      await audit({ action, subject: 'sso-connection', subjectId: id });
      return result;
    });
  return [
    route('GET /api/admin/sso-connections', async ({ actor }) =>
      (await listConnections(db, actor.organizationId)).map(answer),
    ),
    route('POST /api/admin/sso-connections', ({ actor, body, request }) =>
      change(actor, 'sso-connection.add', request.id, async (tx) => {
        const fields = check(body);
        await refuseTaken(tx, fields, null);
        const row = existing(await insertConnection(tx, actor.organizationId, fields, clock()));
        return { id: row.id, result: answer(row) };
      }),
    ),
    route('PUT /api/admin/sso-connections/:id', ({ actor, params: { id }, body, request }) =>
      change(actor, 'sso-connection.change', request.id, async (tx) => {
        const { version, ...wanted } = body;
        const before = existing(await findConnection(tx, actor.organizationId, id));
        await checkVersion(tx, { subject: 'sso-connection', id, current: before, read: version });
        const fields = check(wanted);
        await refuseTaken(tx, fields, id);
        const row = existing(await updateConnection(tx, actor.organizationId, id, fields));
        return { id, result: answer(row) };
      }),
    ),
    route('DELETE /api/admin/sso-connections/:id', ({ actor, params: { id }, request }) =>
      change(actor, 'sso-connection.remove', request.id, async (tx) => {
        if (!(await deleteConnection(tx, actor.organizationId, id))) throw new ApiError('NOT_FOUND');
        return { id, result: undefined };
      }),
    ),
  ];
}

async function checkManagesEverybody(tx: ActorTransaction, { isOperator, groupIds }: Scope): Promise<void> {
  if (isOperator || (await areAllGroups(tx, tx.actor.organizationId, groupIds))) return;
  const message = 'Whoever changes how people sign in must manage the users of all groups of the organisation.';
  throw new ApiError('NOT_PERMITTED', { message });
}

async function refuseTaken(tx: ActorTransaction, fields: ConnectionFields, except: string | null): Promise<void> {
  const taken = await findTaken(tx, tx.actor.organizationId, fields, except);
  if (taken.name) throw new ApiError('NAME_TAKEN', { fields: { name: 'There is one with this name already.' } });
  const wrong = {
    ...(taken.domains ? { domains: 'One of these domains has a connection already.' } : {}),
    ...(taken.issuer ? { issuer: 'This EHR is connected already.' } : {}),
  };
  if (Object.keys(wrong).length > 0) throw new ApiError('BAD_REQUEST', { fields: wrong });
}

function existing(row: ConnectionRow | null): ConnectionRow {
  if (row === null) throw new ApiError('NOT_FOUND');
  return row;
}

const answerOf = (row: ConnectionRow, publicUrl: string): SsoConnection => ({
  ...row,
  callbackUrl: callbackUrl(publicUrl, row),
  metadataUrl: row.kind === 'SAML' ? metadataUrl(publicUrl, row) : null,
});
