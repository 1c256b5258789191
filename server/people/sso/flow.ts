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
import { SsoRefusal } from './refusal.ts';
import { safeReturnPath } from './return-path.ts';

export interface SsoDeps {
  /** As the app's role. */
  db: Database;
  clock: Clock;
  config: { publicUrl: string };
  secrets: SecretBox;
  /** Calls identity providers and EHRs. */
  outgoing: OutgoingFetch;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Returns the connection with its secret decrypted. Throws NO_CONNECTION. */
export function requireEnabled({ secrets }: SsoDeps, connection: Connection | null): Connection {
  if (connection === null) throw new SsoRefusal('NO_CONNECTION');
  const { id, clientSecret } = connection;
  return { ...connection, clientSecret: clientSecret && secrets.open(clientSecret, clientSecretOf(id)) };
}

/** Whether the request loads a page into a frame. Browsers say so over https, and on this machine. */
export const isFramed = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-dest'] === 'iframe';

/** Returns the request's query exactly as the browser sent it. */
export const searchOf = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** Begins a sign-in that only this browser can finish. */
export function begin(
  { db, clock, config }: SsoDeps,
  connection: Connection,
  { request, reply }: Exchange,
  returnTo: string | undefined,
): Promise<PendingSignIn> {
  const browser = browserCookie(config.publicUrl).keep(request, reply);
  const { id: connectionId, kind } = connection;
  return beginPendingSignIn(db, { kind, connectionId, browser, returnTo: safeReturnPath(returnTo) }, clock());
}

/** Remembers the page that the user wanted, so that the sign-in page can lead there if this sign-in fails. */
export type Remember = (returnTo: string) => void;

/** Returns the sign-in that this browser began with this state. Throws NO_PENDING_SIGN_IN if it is another browser's or connection's, used, or too old. */
export async function resume(
  { db, clock, config }: SsoDeps,
  kind: Connection['kind'],
  state: string | undefined,
  request: FastifyRequest,
  { connectionId, remember }: { connectionId?: string; remember?: Remember } = {},
): Promise<PendingSignIn & { connectionId: string; returnTo: string }> {
  const browser = browserCookie(config.publicUrl).read(request);
  const pending = await takePendingSignIn(db, { kind, browser, state }, clock());
  if (pending === null) throw new SsoRefusal('NO_PENDING_SIGN_IN');
  remember?.(pending.returnTo);
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

/** Returns the sign-in page's address after a failure, with the page that the user wanted. */
function signInPage(wanted: string): string {
  const next = wanted === '/' ? '' : `&nextPathName=${encodeURIComponent(wanted)}`;
  return `/login?error=SSO_ERROR${next}`;
}

/**
 * Redirects the browser to the address that `work` returns or, if it throws, to that of `refused`: by default the sign-in page with SSO_ERROR
 * and the page that the user wanted. Logs only the reason's code and the stack, because the provider's own message may name a person.
 */
export async function redirectOrRefuse(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (remember: Remember) => Promise<string>,
  refused: (wanted: string) => string = signInPage,
): Promise<FastifyReply> {
  let wanted = '/';
  try {
    // 303 makes the browser follow a post with a get.
    return reply.redirect(await work((returnTo) => (wanted = returnTo)), request.method === 'POST' ? 303 : 302);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    const at = ((error as Error).stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
    const reason = reasonOf(error);
    noteRefusal(reason);
    request.log.warn(
      { reqId: request.id, route: request.routeOptions.config.routeKey, reason, at },
      'Single sign-on refused',
    );
    return reply.redirect(refused(wanted), 303);
  }
}

/** Returns the error's code, or else that of its cause: the OAuth library wraps what refused a call. */
function reasonOf(error: unknown): string {
  const { name, code, cause } = error as Error & { code?: unknown };
  if (typeof code === 'string') return code;
  return cause instanceof Error ? reasonOf(cause) : name;
}
