import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { ehrRoutes } from './ehr-routes.ts';
import { findOrLinkUser } from './find-or-link-user.ts';
import { begin, redirectOrRefuse, requireEnabled, resume, type SsoDeps, searchOf, signIn } from './flow.ts';
import { oidcIdentity, oidcStart } from './oidc.ts';
import { findByKey, findForUsername, findSamlConnection } from './queries.ts';
import { safeReturnPath } from './return-path.ts';
import { samlIdentity, samlMetadata, samlStart } from './saml.ts';
import { SamlChecker } from './saml-checker.ts';

/** Single sign-on through identity providers and EHRs. */
export function ssoRoutes(deps: SsoDeps): RegisteredRoute[] {
  return [...lookUpRoutes(deps), ...oidcRoutes(deps), ...samlRoutes(deps), ...ehrRoutes(deps)];
}

function lookUpRoutes({ db }: SsoDeps): RegisteredRoute[] {
  return [
    route('POST /api/users/redirectUrl', async ({ body: { username } }) => {
      const looksLikeEmail = username.includes('.') && username.includes('@');
      const found = looksLikeEmail ? await findForUsername(db, username) : null;
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
    outgoing,
  } = deps;
  return [
    route('GET /api/sso/oidc/:connection/start', ({ params, query, request, reply }) =>
      redirectOrRefuse(request, reply, async (remember) => {
        remember(safeReturnPath(query.returnTo));
        const connection = requireEnabled(deps, await findByKey(db, 'OIDC', params.connection));
        const pending = await begin(deps, connection, { request, reply }, query.returnTo);
        return (await oidcStart(connection, pending, { publicUrl, outgoing, username: query.username })).href;
      }),
    ),
    route('GET /api/sso/oidc/:connection/callback', ({ params, query, request, reply }) =>
      redirectOrRefuse(request, reply, async (remember) => {
        const connection = requireEnabled(deps, await findByKey(db, 'OIDC', params.connection));
        const pending = await resume(deps, 'OIDC', query['state'], request, {
          connectionId: connection.id,
          remember,
        });
        const identity = await oidcIdentity(connection, pending, { publicUrl, outgoing, search: searchOf(request) });
        await signIn(deps, connection, { request, reply }, async (tx) => ({
          userId: await findOrLinkUser(tx, connection, identity, { requestId: request.id, now: clock() }),
          name: identity.name,
        }));
        return pending.returnTo;
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
  const checker = new SamlChecker();
  return [
    route('GET /api/sso/saml/:connection/start', ({ params, query, request, reply }) =>
      redirectOrRefuse(request, reply, async (remember) => {
        remember(safeReturnPath(query.returnTo));
        const connection = requireEnabled(deps, await findByKey(db, 'SAML', params.connection));
        const pending = await begin(deps, connection, { request, reply }, query.returnTo);
        return samlStart(connection, pending, publicUrl);
      }),
    ),
    route('POST /api/sso/saml/:connection/callback', ({ params, body, request, reply }) =>
      redirectOrRefuse(request, reply, async (remember) => {
        const connection = requireEnabled(deps, await findByKey(db, 'SAML', params.connection));
        const pending = await resume(deps, 'SAML', body.RelayState, request, {
          connectionId: connection.id,
          remember,
        });
        const { requestId } = pending;
        const post = { requestId, samlResponse: body.SAMLResponse, publicUrl, address: request.ip };
        const identity = await samlIdentity({ db, checker }, connection, post, clock());
        await signIn(deps, connection, { request, reply }, async (tx) => ({
          userId: await findOrLinkUser(tx, connection, identity, { requestId: request.id, now: clock() }),
          name: identity.name,
        }));
        return pending.returnTo;
      }),
    ),
    route('GET /api/sso/saml/:connection/metadata', async ({ params, reply }) => {
      const connection = await findSamlConnection(db, params.connection);
      if (connection === null) throw new ApiError('NOT_FOUND');
      return reply.type('application/samlmetadata+xml').send(samlMetadata(connection, publicUrl));
    }),
  ];
}
