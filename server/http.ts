import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { ROSTER_MAX_BYTES } from '#contract/rosters.ts';
import type { Scrape } from './insight/metrics/scrape.ts';
import { registerRoutes } from './people/access/register-routes.ts';
import type { RegisteredRoute } from './people/access/route.ts';
import { type Sessions, sessionCookieName } from './people/access/session-user.ts';
import type { CallAudit } from './people/audit/call-audit.ts';
import type { Database } from './platform/database/pool.ts';
import { ApiError } from './platform/http/api-error.ts';
import { compressAnswers } from './platform/http/compressed-answers.ts';
import { CONNECTION_LIMITS, limitedServer } from './platform/http/connections.ts';
import { handleErrors, sendError } from './platform/http/error-handler.ts';
import { registerHealth } from './platform/http/health.ts';
import { limitJsonValues } from './platform/http/json-parser.ts';
import { measureAnswers } from './platform/http/measured-answers.ts';
import { allowOrigins, type PageOrigins } from './platform/http/page-origins.ts';
import { withPlainPath } from './platform/http/plain-path.ts';
import { isSameOrigin } from './platform/http/same-origin.ts';
import { serveWeb } from './platform/http/static-files.ts';
import { answerUnreadable } from './platform/http/unreadable.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import { inNetworks } from './platform/network/networks.ts';

export interface HttpOptions {
  config: {
    /** The address that browsers use; with https, cookies and headers are strict. */
    publicUrl: string;
    /** Addresses of the proxies whose X-Forwarded-For is trusted. Without any, the socket's address counts. */
    trustedProxies?: readonly string[];
    supportWidget?: { url: string } | null;
    /** Hosts whose pages our pages may frame. */
    embedHosts?: readonly string[];
  };
  log: FastifyBaseLogger;
  /** Connections of the app role. */
  db: Database;
  sessions: Sessions;
  audit: CallAudit;
  /** A handler for every route of the contract, exactly once. */
  routes: readonly RegisteredRoute[];
  /** The folder of the built pages. */
  webRoot: string;
  /** `server/people/sso/frame-origins.ts` and `server/people/accounts/sessions/form-origins.ts`; none by default. */
  origins?: PageOrigins;
  /** Protects the server, not accounts: a whole hospital may share one address. Accounts are protected by `people/accounts/sign-in/lockout.ts`. */
  publicCallsPerMinute?: number;
  userCallsPerMinute?: number;
  /** Where answers are counted and timed. */
  metrics?: Metrics;
  /** Served as `GET /metrics` to everyone: only for a demo, which is at a loopback address (`server/config.ts`). */
  scrape?: Scrape | undefined;
  /** Whether the search reads from the replica; null without one. */
  usesReplica?: () => boolean | null;
}

/** The limit of a JSON body in bytes; uploaded files and some routes have their own. */
const BODY_LIMIT = 256 * 1024;
/** A file, with a few short fields around it. */
const MULTIPART_LIMITS = {
  files: 1,
  fileSize: ROSTER_MAX_BYTES,
  fields: 10,
  parts: 11,
  fieldNameSize: 100,
  fieldSize: 4096,
  headerPairs: 20,
  headerSize: 8192,
};
/** In milliseconds. A request that hasn't been received completely by then is cut off. */
const SLOWEST_UPLOAD = 30 * 60 * 1000;

/** Returns the HTTP server of the contract, ready to listen. Throws if the handlers don't match the contract's routes exactly. */
export async function buildHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { config, log, db, sessions, audit, routes, webRoot, publicCallsPerMinute = 300, origins } = options;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies?.length ? [...config.trustedProxies] : false,
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => withPlainPath(url),
    serverFactory: limitedServer({
      limits: CONNECTION_LIMITS,
      requestTimeout: SLOWEST_UPLOAD,
      isProxy: inNetworks(config.trustedProxies ?? []),
    }),
    forceCloseConnections: true,
    clientErrorHandler: answerUnreadable(log),
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request, reply);
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.removeContentTypeParser('text/plain');
  limitJsonValues(app);
  handleErrors(app);
  await app.register(helmet, securityHeaders(config));
  await app.register(cookie);
  await app.register(multipart, { limits: MULTIPART_LIMITS });
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: () => new ApiError('TOO_MANY_REQUESTS'),
  });
  guardAndLogRequests(app, config.publicUrl);
  if (origins) allowOrigins(app, origins);
  compressAnswers(app);
  if (options.metrics) measureAnswers(app, options.metrics);
  registerHealth(app, db, options.usesReplica ?? (() => null));
  if (options.scrape) serveMetrics(app, options.scrape);
  registerRoutes(app, routes, {
    db,
    sessions,
    sessionCookie: sessionCookieName(config.publicUrl),
    publicCallsPerMinute,
    userCallsPerMinute: options.userCallsPerMinute,
    audit,
  });
  flushEveryMinute(app, audit);
  await serveWeb(app, webRoot, sessionCookieName(config.publicUrl));
  return app;
}

function serveMetrics(app: FastifyInstance, { contentType, read }: Scrape): void {
  app.get('/metrics', async (_request, reply) =>
    reply
      .type(contentType)
      .header('cache-control', 'no-store')
      .send(await read()),
  );
}

/** Writes refusals that were only counted, also at the end. */
function flushEveryMinute(app: FastifyInstance, audit: CallAudit): void {
  const flush = () =>
    audit.flush().catch((error: unknown) => app.log.error({ err: error }, 'Counted refusals were not audited'));
  const timer = setInterval(() => void flush(), 60_000).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush();
  });
}

function guardAndLogRequests(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store');
    const mayBeForeign = request.routeOptions.config.takesForeignForms === true;
    if (!mayBeForeign && !isSameOrigin(request, publicUrl)) throw new ApiError('FOREIGN_ORIGIN');
  });
  app.addHook('onResponse', async (request, reply) => {
    const { user, actor } = request.caller ?? {};
    request.log.info({
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      userId: user?.userId,
      teamId: actor?.teamId,
    });
  });
}

/**
 * Allows our own origin, that of the support widget, and frames of the hosts that may be embedded. Mantine writes its variables into style elements: `static-files.ts` gives each
 * page a nonce for them.
 */
function securityHeaders({ publicUrl, supportWidget, embedHosts = [] }: HttpOptions['config']) {
  const isHttps = publicUrl.startsWith('https:');
  const widget = supportWidget ? [new URL(supportWidget.url).origin] : [];
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...widget],
        styleSrc: ["'self'", ...widget],
        styleSrcAttr: ["'none'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...widget],
        fontSrc: ["'self'", ...widget],
        connectSrc: ["'self'", ...widget],
        frameSrc: ["'self'", ...widget, ...embedHosts.map((host) => `https://${host}`)],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    xFrameOptions: { action: 'deny' as const },
    strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: false },
  };
}
