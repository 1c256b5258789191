import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { ehrRoutes } from './ehr-routes.ts';
import { userOf } from './find-or-link-user.ts';
import { begin, enabled, orToLogin, resume, type SsoDeps, searchOf, signIn } from './flow.ts';
import { oidcIdentity, oidcStart } from './oidc.ts';
import { findByKey, findForUsername, findSamlKey } from './queries.ts';
import { safeReturnPath } from './return-path.ts';
import { samlIdentity, samlMetadata, samlStart } from './saml.ts';

/** Ways in through others. */
export function ssoRoutes(deps: SsoDeps): RegisteredRoute[] {
  return [...lookUp(deps), ...oidcRoutes(deps), ...samlRoutes(deps), ...ehrRoutes(deps)];
}

function lookUp({ db }: SsoDeps): RegisteredRoute[] {
  return [
    route('POST /api/users/redirectUrl', async ({ body: { username } }) => {
      const mayBeElsewhere = username.includes('.') && username.includes('@');
      const found = mayBeElsewhere ? await findForUsername(db, username) : null;
      if (found === null) return { redirectUrl: null };
      return {
        redirectUrl: `/api/sso/${found.kind.toLowerCase()}/${found.key}/start`,
        kind: found.kind === 'SAML' ? 'enterprise' : 'identity-provider',
      };
    }),
  ];
}

function oidcRoutes(deps: SsoDeps): RegisteredRoute[] {
  const {
    db,
    clock,
    config: { publicUrl },
  } = deps;
  return [
    route('GET /api/sso/oidc/:connection/start', ({ params, query, request, reply }) =>
      orToLogin(request, reply, async (remember) => {
        remember(safeReturnPath(query.returnTo));
        const connection = enabled(await findByKey(db, 'OIDC', params.connection));
        const challenge = await begin(deps, connection, { request, reply }, query.returnTo);
        return (await oidcStart(connection, challenge, { publicUrl, username: query.username })).href;
      }),
    ),
    route('GET /api/sso/oidc/:connection/callback', ({ params, query, request, reply }) =>
      orToLogin(request, reply, async (remember) => {
        const connection = enabled(await findByKey(db, 'OIDC', params.connection));
        const challenge = await resume(deps, 'OIDC', query['state'], request, {
          connectionId: connection.id,
          remember,
        });
        const identity = await oidcIdentity(connection, challenge, { publicUrl, search: searchOf(request) });
        await signIn(deps, connection, { request, reply }, async (tx) => ({
          userId: await userOf(tx, connection, identity, { requestId: request.id, now: clock() }),
        }));
        return challenge.returnTo;
      }),
    ),
  ];
}

function samlRoutes(deps: SsoDeps): RegisteredRoute[] {
  const {
    db,
    clock,
    config: { publicUrl },
  } = deps;
  return [
    route('GET /api/sso/saml/:connection/start', ({ params, query, request, reply }) =>
      orToLogin(request, reply, async (remember) => {
        remember(safeReturnPath(query.returnTo));
        const connection = enabled(await findByKey(db, 'SAML', params.connection));
        const challenge = await begin(deps, connection, { request, reply }, query.returnTo);
        return samlStart(connection, challenge, publicUrl);
      }),
    ),
    route('POST /api/sso/saml/:connection/callback', ({ params, body, request, reply }) =>
      orToLogin(request, reply, async (remember) => {
        const connection = enabled(await findByKey(db, 'SAML', params.connection));
        const challenge = await resume(deps, 'SAML', body.RelayState, request, {
          connectionId: connection.id,
          remember,
        });
        const answer = { requestId: challenge.requestId, samlResponse: body.SAMLResponse, publicUrl };
        const identity = await samlIdentity(db, connection, answer, clock());
        await signIn(deps, connection, { request, reply }, async (tx) => ({
          userId: await userOf(tx, connection, identity, { requestId: request.id, now: clock() }),
        }));
        return challenge.returnTo;
      }),
    ),
    route('GET /api/sso/saml/:connection/metadata', async ({ params, reply }) => {
      const connection = await findSamlKey(db, params.connection);
      if (connection === null) throw new ApiError('NOT_FOUND');
      return reply.type('application/samlmetadata+xml').send(samlMetadata(connection, publicUrl));
    }),
  ];
}
