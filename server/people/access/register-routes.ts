import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import { WRITTEN_HEADER } from '#contract/constants.ts';
import { MINUTE } from '#contract/durations.ts';
import { FHIR_TYPE } from '#contract/fhir.ts';
import { type Route, type RouteKey, routes as table } from '#contract/routes.ts';
import { SCIM_TYPE } from '#contract/scim.ts';
import { asAuditedCall, currentCall } from '#server/people/audit/audited-call.ts';
import { type Call, type CallAudit, callOf } from '#server/people/audit/call-audit.ts';
import { withWritten } from '#server/platform/changes/written.ts';
import { forPurpose, forUser } from '#server/platform/database/settings.ts';
import { speakFhir } from '#server/platform/http/fhir.ts';
import { checkInput, checkUrl, withoutNulls } from '#server/platform/http/plain-input.ts';
import { speakScim } from '#server/platform/http/scim.ts';
import { type Caller, type GateDeps, passGate, sessionLookUps } from './gate.ts';
import { ReadyAnswer, type RegisteredRoute } from './route.ts';
import type { SessionUser } from './session-user.ts';
import { UserLimits } from './user-limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's key in the contract's table. The server does not start with a route under /api that has none. */
    routeKey?: RouteKey;
    /** Accepts form posts from pages of other sites. */
    takesForeignForms?: boolean;
  }
  interface FastifyRequest {
    caller: Caller;
    /** Ends the turn that opening a stream takes. */
    endTurn?: () => void;
  }
}

export interface RegisterDeps extends Omit<GateDeps, 'lookUps'> {
  /** Calls a minute that one address may make to each public route. */
  publicCallsPerMinute: number;
  /** Calls a minute that one signed-in user may make. */
  userCallsPerMinute?: number | undefined;
  audit: CallAudit;
}

/** Bytes that may be sent without signing in. */
const PUBLIC_BODY_LIMIT = 16 * 1024;
const TINY_BODY_LIMIT = 8 * 1024;
const LARGE_BODY_LIMIT = 4 * 1024 * 1024;
/** Larger, because a SAML response carries its signature and often a chain of certificates. */
const FORM_BODY_LIMIT = 256 * 1024;
/** Above what a handler accepts, which then says so itself. */
const RAW_BODY_LIMIT = 20 * 1024 * 1024;

/**
 * Adds every route of the contract's table to the app. Throws, so that the server does not start, if a route has no handler or two, or if
 * a route under /api or /fhir is not in the table.
 */
export function registerRoutes(app: FastifyInstance, registered: readonly RegisteredRoute[], deps: RegisterDeps): void {
  assertComplete(registered.map(({ key }) => key));
  const shared = { ...deps, limits: new UserLimits(deps.userCallsPerMinute), lookUps: sessionLookUps() };
  app.decorateRequest('caller');
  app.decorateRequest('endTurn');
  app.addHook('onRoute', ({ url, method, config }) => {
    if (/^\/(?:api|fhir)/.test(url) && config?.routeKey === undefined) {
      throw new Error(`${String(method)} ${url} is not in the contract's table of routes`);
    }
  });
  const ofKind = (kind: Route['kind']) => registered.filter(({ key }) => (table[key] as Route).kind === kind);
  const [forms, raw, scim, fhir] = [ofKind('form'), ofKind('raw'), ofKind('scim'), ofKind('fhir')];
  for (const each of registered) {
    if (![forms, raw, scim, fhir].some((kind) => kind.includes(each))) {
      register(app, each, shared);
    }
  }
  // Only this scope parses HTML forms, so no other route accepts what a form on another site can post.
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    for (const each of forms) register(scope, each, shared);
  });
  void app.register(async (scope) => {
    takeAnyBody(scope);
    for (const each of raw) register(scope, each, shared);
  });
  void app.register(async (scope) => {
    takeAnyBody(scope);
    speakFhir(scope);
    for (const each of fhir) register(scope, each, shared);
  });
  void app.register(async (scope) => {
    speakScim(scope);
    for (const each of scim) register(scope, each, shared);
  });
}

/** Only such a scope takes bodies of any type. Nothing parses them: the handler gets the stream. */
function takeAnyBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}
const takesStream = ({ kind }: Route): boolean => kind === 'raw' || kind === 'fhir';

function assertComplete(keys: readonly RouteKey[]): void {
  const duplicate = keys.filter((key, index) => keys.indexOf(key) !== index);
  if (duplicate.length > 0) throw new Error(`These routes have two handlers: ${duplicate.join(', ')}`);
  const missing = (Object.keys(table) as RouteKey[]).filter((key) => !keys.includes(key));
  if (missing.length > 0) throw new Error(`These routes have no handler: ${missing.join(', ')}`);
  const unknown = keys.filter((key) => !Object.hasOwn(table, key));
  if (unknown.length > 0) throw new Error(`These routes are not in the contract: ${unknown.join(', ')}`);
}

/**
 * Adds one route. A call of it passes, in this order, the gate (before its body is read), what the route admits by itself, the check for
 * characters that are no text, the contract's schema, and its handler, as its caller. Its entry in the audit log is written before its answer
 * leaves; whoever is refused at the gate or by the handler gets an entry of that.
 */
function register(
  app: FastifyInstance,
  { key, handler, admit }: RegisteredRoute,
  deps: RegisterDeps & GateDeps & { limits: UserLimits },
): void {
  const row: Route = table[key];
  const [method, url] = key.split(' ') as [HTTPMethods, string];
  const isPublic = row.permission === 'public';
  const common: Omit<RouteOptions, 'url'> = {
    method,
    config: {
      routeKey: key,
      takesForeignForms: row.kind === 'form',
      ...(isPublic ? { rateLimit: { max: publicCallsOf(row, deps), timeWindow: MINUTE } } : {}),
    },
    ...bodyLimitOf(row),
    schema: {
      summary: row.summary,
      ...(row.params ? { params: row.params } : {}),
      ...(row.query ? { querystring: row.query } : {}),
      ...(row.body ? { body: row.body } : {}),
    },
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      checkUrl(request);
      request.caller = {};
      try {
        await passGate(deps, request, row, (user) => limitUser(deps.limits, row, user, reply));
      } catch (error) {
        await deps.audit.refused(callOf(request, row, key, request.caller), error);
        throw error;
      }
      if (row.body || takesStream(row)) cutOffSlowBody(request);
    },
    ...(admit === undefined ? {} : { preParsing: (request: FastifyRequest) => admit(request) }),
    preValidation: async (request) => {
      const { params, query, body } = request;
      // A raw body is a stream that nothing has read yet.
      checkInput({ params, query, body: takesStream(row) ? null : body });
      if (row.nullIsUnset) request.body = withoutNulls(body);
    },
    handler: async (request, reply) => {
      const call = callOf(request, row, key, request.caller);
      // A stream sends its first data before its handler returns.
      if (row.kind === 'stream') await deps.audit.answered(call, null);
      const { result: body, xid } = await asCaller(request.caller, () =>
        withWritten(() => asAuditedCall(call.noted, () => handleAudited(handler, call, reply, deps.audit))),
      );
      await asCaller(request.caller, () => deps.audit.used(call, key));
      if (xid !== null && !reply.sent) reply.header(WRITTEN_HEADER, xid);
      return answer(row, body, reply);
    },
    ...(SENT_BY_HANDLER.has(row.kind) ? { onSend: writeEntryOf(row, deps.audit) } : {}),
  };
  for (const each of [url, ...(row.alias === undefined ? [] : [row.alias])]) app.route({ ...common, url: each });
}

/** Returns how many bytes a body may have; nothing where fastify's own limit holds. */
function bodyLimitOf(row: Route): { bodyLimit?: number } {
  const { kind, permission, tinyBody, largeBody } = row;
  if (takesStream(row)) return { bodyLimit: RAW_BODY_LIMIT };
  if (tinyBody) return { bodyLimit: TINY_BODY_LIMIT };
  if (largeBody) return { bodyLimit: LARGE_BODY_LIMIT };
  if (permission !== 'public') return {};
  return { bodyLimit: kind === 'form' ? FORM_BODY_LIMIT : PUBLIC_BODY_LIMIT };
}

/** One identity provider, or one interface engine, calls about everyone in many organizations, and all from a few addresses. */
const SYSTEM_FACTOR = 10;
const publicCallsOf = ({ kind }: Route, { publicCallsPerMinute }: RegisterDeps): number =>
  publicCallsPerMinute * (kind === 'scim' || kind === 'fhir' ? SYSTEM_FACTOR : 1);

/** Before the body is read, so that a user's bodies don't fill the memory either. */
async function limitUser(limits: UserLimits, { kind }: Route, { userId }: SessionUser, reply: FastifyReply) {
  limits.count(userId);
  // An upload takes minutes and has limits of its own.
  if (kind === 'multipart') return;
  const endTurn = await limits.takeTurn(userId, reply);
  // Opening a stream is what costs; open, it lasts for hours.
  if (kind === 'stream') reply.request.endTurn = endTurn;
}

/** Only uploads may take longer to arrive. */
const SLOWEST_BODY = MINUTE;

function cutOffSlowBody({ raw }: FastifyRequest): void {
  const timer = setTimeout(() => raw.destroy(), SLOWEST_BODY);
  raw.once('close', () => clearTimeout(timer));
}

/** Kinds whose handler sends the answer itself, so that a hook has to write the entry before the first byte leaves. */
const SENT_BY_HANDLER: ReadonlySet<Route['kind']> = new Set(['download', 'html']);

/** Runs a handler and writes the entry of its answer, before that leaves, or of its refusal. Returns the body. */
async function handleAudited(
  handler: RegisteredRoute['handler'],
  call: Call,
  reply: FastifyReply,
  audit: CallAudit,
): Promise<Body> {
  const { row, request } = call;
  let result: unknown;
  try {
    result = await handle(handler, row, request, reply);
  } catch (error) {
    await audit.refused(call, error);
    throw error;
  }
  if (row.kind === 'stream') request.endTurn?.();
  if (SENT_BY_HANDLER.has(row.kind) || row.kind === 'stream') return undefined;
  const named = row.answer === undefined ? null : result;
  const [body] = await Promise.all([bodyOf(row, result), audit.answered(call, named)]);
  return body;
}

function writeEntryOf(row: Route, audit: CallAudit) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const noted = currentCall();
    if (noted && reply.statusCode < 400) await audit.answered({ request, row, caller: request.caller, noted }, null);
  };
}

/** Runs statements under the settings of a caller, so that one without an actor sees no more than the caller's own account. */
const asCaller = <T>({ user }: Caller, fn: () => Promise<T>): Promise<T> =>
  user === undefined ? forPurpose('sign-in', fn) : forUser(user.userId, fn);

async function handle(handler: RegisteredRoute['handler'], row: Route, request: FastifyRequest, reply: FastifyReply) {
  return (handler as (context: unknown) => unknown)({
    params: row.params && request.params,
    query: row.query && request.query,
    body: row.body && request.body,
    ...request.caller,
    request,
    reply,
  });
}

const ANSWERED_BY_HANDLER: ReadonlySet<Route['kind']> = new Set(['stream', 'download', 'form', 'html']);

type Body = string | Uint8Array | undefined;

/**
 * Returns what a handler returned, through the contract's schema in every environment: fields that the contract does not list are dropped,
 * and an answer that it does not allow becomes INTERNAL. A full inbox page takes a millisecond, which begins in a turn of its own, once the audit log's
 * entry is on its way to the database.
 */
async function bodyOf(row: Route, result: unknown): Promise<Body> {
  if (row.answer === undefined || ANSWERED_BY_HANDLER.has(row.kind)) return undefined;
  if (result instanceof ReadyAnswer) return result.json;
  await turn();
  return JSON.stringify(row.answer.parse(result));
}

const ANSWER_TYPES: Readonly<Record<string, string>> = { scim: SCIM_TYPE, fhir: FHIR_TYPE };

function answer(row: Route, body: Body, reply: FastifyReply): FastifyReply {
  if (ANSWERED_BY_HANDLER.has(row.kind)) return reply;
  reply.code(row.status ?? 200);
  if (body === undefined) return reply.send();
  return reply.type(ANSWER_TYPES[row.kind ?? ''] ?? 'application/json; charset=utf-8').send(body);
}
