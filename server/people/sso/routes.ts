import type { FastifyRequest } from 'fastify';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { ehrRoutes } from './ehr-routes.ts';
import { findOrLinkUser, type Identity } from './find-or-link-user.ts';
import { finishTest } from './finish-test.ts';
import {
  begin,
  type Exchange,
  type Remember,
  type Resumed,
  redirectOrRefuse,
  requireEnabled,
  resume,
  type SsoDeps,
  searchOf,
  signIn,
  withSecret,
} from './flow.ts';
import { oidcIdentity, oidcStart } from './oidc.ts';
import { type Connection, findByKey, findForUsername, findSamlConnection } from './queries.ts';
import { SsoRefusal } from './refusal.ts';
import { safeReturnPath } from './return-path.ts';
import { samlIdentity, samlMetadata, samlStart } from './saml.ts';
import { SamlChecker } from './saml-checker.ts';
import { testResultPage } from './test-result.ts';

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

/** Resumes a sign-in that was begun at this connection. Only a test may end at one that is not enabled: throws NO_CONNECTION otherwise. */
async function resumeAt(
  deps: SsoDeps,
  { id: connectionId, kind, isEnabled }: Connection,
  { state, request, remember }: { state: string | undefined; request: FastifyRequest; remember: Remember },
): Promise<Resumed> {
  const pending = await resume(deps, kind, state, request, { connectionId, remember });
  if (!isEnabled && pending.testerId === null) throw new SsoRefusal('NO_CONNECTION');
  return pending;
}

/** Signs the person in, or records that the test of the connection succeeded. Returns the page that opens next. */
async function finish(
  deps: SsoDeps,
  connection: Connection,
  { testerId, returnTo }: Resumed,
  { identity, ...exchange }: Exchange & { identity: Identity },
): Promise<string> {
  const { db, clock } = deps;
  const at = { requestId: exchange.request.id, now: clock() };
  if (testerId !== null) {
    await finishTest(db, connection, { testerId, identity }, at);
    return testResultPage(returnTo, 'passed');
  }
  await signIn(deps, connection, exchange, async (tx) => ({
    userId: await findOrLinkUser(tx, connection, identity, at),
    name: identity.name,
  }));
  return returnTo;
}

function oidcRoutes(deps: SsoDeps): RegisteredRoute[] {
  const {
    db,
    config: { publicUrl },
    outgoing,
  } = deps;
  return [
    route('GET /api/sso/oidc/:connection/start', ({ params, query, request, reply }) =>
      redirectOrRefuse(request, reply, async (remember) => {
        remember({ returnTo: safeReturnPath(query.returnTo), isTest: false });
        const connection = requireEnabled(deps, await findByKey(db, 'OIDC', params.connection));
        const pending = await begin(deps, connection, { request, reply }, { returnTo: query.returnTo });
        return (await oidcStart(connection, pending, { publicUrl, outgoing, username: query.username })).href;
      }),
    ),
    route('GET /api/sso/oidc/:connection/callback', ({ params, query, request, reply }) =>
      redirectOrRefuse(request, reply, async (remember) => {
        const connection = withSecret(deps, await findByKey(db, 'OIDC', params.connection));
        const pending = await resumeAt(deps, connection, { state: query['state'], request, remember });
        const identity = await oidcIdentity(connection, pending, { publicUrl, outgoing, search: searchOf(request) });
        return finish(deps, connection, pending, { request, reply, identity });
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
        remember({ returnTo: safeReturnPath(query.returnTo), isTest: false });
        const connection = requireEnabled(deps, await findByKey(db, 'SAML', params.connection));
        const pending = await begin(deps, connection, { request, reply }, { returnTo: query.returnTo });
        return samlStart(connection, pending, publicUrl);
      }),
    ),
    route('POST /api/sso/saml/:connection/callback', ({ params, body, request, reply }) =>
      redirectOrRefuse(request, reply, async (remember) => {
        const connection = withSecret(deps, await findByKey(db, 'SAML', params.connection));
        const pending = await resumeAt(deps, connection, { state: body.RelayState, request, remember });
        const { requestId } = pending;
        const post = { requestId, samlResponse: body.SAMLResponse, publicUrl, address: request.ip };
        const identity = await samlIdentity({ db, checker }, connection, post, clock());
        return finish(deps, connection, pending, { request, reply, identity });
      }),
    ),
    route('GET /api/sso/saml/:connection/metadata', async ({ params, reply }) => {
      const connection = await findSamlConnection(db, params.connection);
      if (connection === null) throw new ApiError('NOT_FOUND');
      return reply.type('application/samlmetadata+xml').send(samlMetadata(connection, publicUrl));
    }),
  ];
}
