import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import { WRITTEN_HEADER } from '#contract/constants.ts';
import { type Route, type RouteKey, routes as table } from '#contract/routes.ts';
import { withWritten } from '#server/platform/changes/written.ts';
import { forPurpose, forUser } from '#server/platform/database/settings.ts';
import { type Caller, type GateDeps, passGate } from './gate.ts';
import type { RegisteredRoute } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's key in the contract's table. The server does not start with a route under /api that has none. */
    routeKey?: RouteKey;
    /** Accepts form posts from pages of other sites. */
    takesForeignForms?: boolean;
  }
  interface FastifyRequest {
    caller: Caller;
  }
}

export interface RegisterDeps extends GateDeps {
  /** Calls a minute that one address may make to each public route. */
  publicCallsPerMinute: number;
}

/** Bytes that may be sent without signing in. */
const PUBLIC_BODY_LIMIT = 16 * 1024;
/** Larger, because a SAML response carries its signature and often a chain of certificates. */
const FORM_BODY_LIMIT = 256 * 1024;

/**
 * Adds every route of the contract's table to the app. Throws, so that the server does not start, if a route has no handler or two, or if
 * a route under /api is not in the table.
 */
export function registerRoutes(app: FastifyInstance, registered: readonly RegisteredRoute[], deps: RegisterDeps): void {
  assertComplete(registered.map(({ key }) => key));
  app.decorateRequest('caller');
  app.addHook('onRoute', ({ url, method, config }) => {
    if (url.startsWith('/api') && config?.routeKey === undefined) {
      throw new Error(`${String(method)} ${url} is not in the contract's table of routes`);
    }
  });
  const isForm = ({ key }: RegisteredRoute) => (table[key] as Route).kind === 'form';
  for (const { key, handler } of registered.filter((each) => !isForm(each))) {
    register(app, key, table[key], handler, deps);
  }
  // Only this scope parses HTML forms, so no other route accepts what a form on another site can post.
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    for (const { key, handler } of registered.filter(isForm)) register(scope, key, table[key], handler, deps);
  });
}

function assertComplete(keys: readonly RouteKey[]): void {
  const duplicate = keys.filter((key, index) => keys.indexOf(key) !== index);
  if (duplicate.length > 0) throw new Error(`These routes have two handlers: ${duplicate.join(', ')}`);
  const missing = (Object.keys(table) as RouteKey[]).filter((key) => !keys.includes(key));
  if (missing.length > 0) throw new Error(`These routes have no handler: ${missing.join(', ')}`);
  const unknown = keys.filter((key) => !Object.hasOwn(table, key));
  if (unknown.length > 0) throw new Error(`These routes are not in the contract: ${unknown.join(', ')}`);
}

function register(
  app: FastifyInstance,
  key: RouteKey,
  row: Route,
  handler: RegisteredRoute['handler'],
  deps: RegisterDeps,
): void {
  const [method, url] = key.split(' ') as [HTTPMethods, string];
  const isPublic = row.permission === 'public';
  const isForm = row.kind === 'form';
  const common: Omit<RouteOptions, 'url'> = {
    method,
    config: {
      routeKey: key,
      takesForeignForms: isForm,
      ...(isPublic ? { rateLimit: { max: deps.publicCallsPerMinute, timeWindow: 60_000 } } : {}),
    },
    ...(isPublic ? { bodyLimit: isForm ? FORM_BODY_LIMIT : PUBLIC_BODY_LIMIT } : {}),
    schema: {
      summary: row.summary,
      ...(row.params ? { params: row.params } : {}),
      ...(row.query ? { querystring: row.query } : {}),
      ...(row.body ? { body: row.body } : {}),
    },
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      request.caller = await passGate(deps, request, row);
    },
    handler: async (request, reply) => {
      const { result, xid } = await withSettings(request.caller, () =>
        withWritten(() => call(handler, row, request, reply)),
      );
      if (xid !== null && !reply.sent) reply.header(WRITTEN_HEADER, xid);
      return answer(row, result, reply);
    },
  };
  for (const each of [url, ...(row.alias === undefined ? [] : [row.alias])]) app.route({ ...common, url: each });
}

/** Runs a handler under the settings of its caller, so that a statement without an actor sees no more than the caller's own account. */
const withSettings = <T>({ user }: Caller, fn: () => Promise<T>): Promise<T> =>
  user === undefined ? forPurpose('sign-in', fn) : forUser(user.userId, fn);

async function call(handler: RegisteredRoute['handler'], row: Route, request: FastifyRequest, reply: FastifyReply) {
  return (handler as (context: unknown) => unknown)({
    params: row.params && request.params,
    query: row.query && request.query,
    body: row.body && request.body,
    ...request.caller,
    request,
    reply,
  });
}

/**
 * Sends what a handler returned, through the contract's schema in every environment: fields that the contract does not list are dropped,
 * and an answer that it does not allow becomes INTERNAL. A full inbox page takes a fraction of a millisecond.
 */
function answer(row: Route, result: unknown, reply: FastifyReply): FastifyReply {
  if (row.kind === 'stream' || row.kind === 'download' || row.kind === 'form') return reply;
  reply.code(row.status ?? 200);
  if (row.answer === undefined) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(row.answer.parse(result)));
}
