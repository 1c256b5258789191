/** The steps that every single sign-on shares: begin, come back, then be signed in or be sent to the sign-in page. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountCookies } from '#server/people/accounts/sessions/cookies.ts';
import { beginSession } from '#server/people/accounts/sign-in/begin-session.ts';
import { clientSecretOf } from '#server/people/accounts/stored-secrets.ts';
import { hashOf } from '#server/people/accounts/token-hash.ts';
import { noteRefusal } from '#server/people/audit/audited-call.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { DatabaseUnavailableError } from '#server/platform/database/errors.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import type { OutgoingFetch } from '#server/platform/http/outgoing.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import { browserCookie } from './browser-cookie.ts';
import { beginPendingSignIn, type PendingSignIn, takePendingSignIn } from './pending-sign-in.ts';
import type { PersonName } from './person-name.ts';
import { type Connection, type LaunchRecord, setLaunch, updateFromProvider } from './queries.ts';
import { isUnreachable, SsoRefusal } from './refusal.ts';
import { safeReturnPath } from './return-path.ts';
import { outcomeOf, testResultPage } from './test-result.ts';

export interface SsoDeps {
  /** As the app's role. */
  db: Database;
  clock: Clock;
  config: { publicUrl: string };
  secrets: SecretBox;
  /** Calls identity providers and EHRs. */
  outgoing: OutgoingFetch;
}

export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Returns the connection with its secret decrypted. Throws NO_CONNECTION if there is none, or if it is not enabled. */
export function requireEnabled(deps: Pick<SsoDeps, 'secrets'>, connection: Connection | null): Connection {
  if (connection?.isEnabled === false) throw new SsoRefusal('NO_CONNECTION');
  return withSecret(deps, connection);
}

/** As `requireEnabled`, for a connection that need not be enabled because it may be under test. */
export function withSecret({ secrets }: Pick<SsoDeps, 'secrets'>, connection: Connection | null): Connection {
  if (connection === null) throw new SsoRefusal('NO_CONNECTION');
  const { id, clientSecret } = connection;
  return { ...connection, clientSecret: clientSecret && secrets.open(clientSecret, clientSecretOf(id)) };
}

/** Whether the request loads a page into a frame. Browsers say so over https, and on this machine. */
export const isFramed = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-dest'] === 'iframe';

/** Returns the request's query exactly as the browser sent it. */
export const searchOf = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** Begins a sign-in that only this browser can finish. `testerId`: the administrator for whom it is only a test of the connection. */
export function begin(
  { db, clock, config }: Pick<SsoDeps, 'db' | 'clock' | 'config'>,
  connection: Connection,
  { request, reply }: Exchange,
  { returnTo, testerId = null }: { returnTo: string | undefined; testerId?: string | null },
): Promise<PendingSignIn> {
  const browser = browserCookie(config.publicUrl).keep(request, reply);
  const { id: connectionId, kind } = connection;
  return beginPendingSignIn(db, { kind, connectionId, browser, returnTo: safeReturnPath(returnTo), testerId }, clock());
}

/** What is known of a sign-in when it fails: the page that the user wanted, and whether it was a test of the connection. */
interface Wanted {
  returnTo: string;
  isTest: boolean;
}
export type Remember = (wanted: Wanted) => void;

export type Resumed = PendingSignIn & { connectionId: string; returnTo: string; testerId: string | null };

/** Returns the sign-in that this browser began with this state. Throws NO_PENDING_SIGN_IN if it is another browser's or connection's, used, or too old. */
export async function resume(
  { db, clock, config }: SsoDeps,
  kind: Connection['kind'],
  state: string | undefined,
  request: FastifyRequest,
  { connectionId, remember }: { connectionId?: string; remember?: Remember } = {},
): Promise<Resumed> {
  const browser = browserCookie(config.publicUrl).read(request);
  const pending = await takePendingSignIn(db, { kind, browser, state }, clock());
  if (pending === null) throw new SsoRefusal('NO_PENDING_SIGN_IN');
  remember?.({ returnTo: pending.returnTo, isTest: pending.testerId !== null });
  if (pending.isLate) throw new SsoRefusal('NO_PENDING_SIGN_IN');
  if (connectionId !== undefined && pending.connectionId !== connectionId) throw new SsoRefusal('NO_PENDING_SIGN_IN');
  return pending;
}

/** Signs in the user whom `identify` returns and sets the session's cookies. */
export async function signIn(
  { db, clock, config }: SsoDeps,
  { id: connectionId, kind, applicationExperience }: Connection,
  { request, reply }: Exchange,
  identify: (tx: Transaction) => Promise<{ userId: string; name: PersonName; launch?: LaunchRecord }>,
): Promise<void> {
  const cookies = accountCookies(config.publicUrl);
  const isEhr = kind === 'SMART';
  const visitor = {
    ...cookies.read(request),
    userAgent: request.headers['user-agent'],
    address: request.ip,
    requestId: request.id,
  };
  const signedIn = await db.transaction(async (tx) => {
    const { userId, name, launch } = await identify(tx);
    const now = clock();
    const { username, changes } = await updateFromProvider(tx, userId, { applicationExperience, name });
    if (Object.keys(changes).length > 0) {
      const detail = { connectionId, changes };
      const entry = {
        action: 'user.change',
        subject: 'user',
        subjectId: userId,
        detail,
        requestId: request.id,
      } as const;
      await writeAuditAs(tx, { userId: null }, { ...entry, now });
    }
    const begun = await beginSession(tx, { userId, username, way: isEhr ? 'ehr' : 'sso' }, visitor, now);
    if (launch !== undefined) await setLaunch(tx, hashOf(begun.sessionToken), launch);
    return begun;
  });
  cookies.set(reply, signedIn, { isFramed: isEhr && isFramed(request) });
}

/**
 * Returns where a failure leads: to the sign-in page, with the page that the user wanted; after a test to the page on which it began, with its
 * result.
 */
function refusalPage({ returnTo, isTest }: Wanted, error: unknown): string {
  if (isTest) return testResultPage(returnTo, outcomeOf(error));
  const next = returnTo === '/' ? '' : `&nextPathName=${encodeURIComponent(returnTo)}`;
  return `/login?error=${isUnreachable(error) ? 'SSO_UNREACHABLE' : 'SSO_ERROR'}${next}`;
}

/**
 * Redirects the browser to the address that `work` returns or, if it throws, to that of `refused`: by default `refusalPage`. Logs only the reason's code and the stack, because the provider's own message may name a person.
 */
export async function redirectOrRefuse(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (remember: Remember) => Promise<string>,
  refused: (wanted: Wanted, error: unknown) => string = refusalPage,
): Promise<FastifyReply> {
  let wanted: Wanted = { returnTo: '/', isTest: false };
  try {
    // 303 makes the browser follow a post with a get.
    return reply.redirect(await work((known) => (wanted = known)), request.method === 'POST' ? 303 : 302);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    const at = ((error as Error).stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
    const reason = reasonOf(error);
    noteRefusal(reason);
    request.log.warn({ route: request.routeOptions.config.routeKey, reason, at }, 'Single sign-on refused');
    return reply.redirect(refused(wanted, error), 303);
  }
}

/** Returns the error's code, or else that of its cause: the OAuth library wraps what refused a call. */
function reasonOf(error: unknown): string {
  const { name, code, cause } = error as Error & { code?: unknown };
  if (typeof code === 'string' && !(code === 'UNREACHABLE' && cause instanceof Error)) return code;
  return cause instanceof Error ? reasonOf(cause) : name;
}
