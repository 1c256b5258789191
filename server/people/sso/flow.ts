/** What every way in through others has in common: begin, come back, be signed in or be sent to the sign-in page. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountCookies } from '#server/people/accounts/sessions/cookies.ts';
import { enter } from '#server/people/accounts/sign-in/begin-session.ts';
import { hashOf } from '#server/people/accounts/token-hash.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { DatabaseUnavailableError } from '#server/platform/database/errors.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { browserCookie } from './browser-cookie.ts';
import { beginChallenge, type Challenge, takeChallenge } from './pending-sign-in.ts';
import { type Connection, type LaunchRecord, setExperience, setLaunch } from './queries.ts';
import { SsoRefusal } from './refusal.ts';
import { safeReturnPath } from './return-path.ts';

export interface SsoDeps {
  /** The app role's. */
  db: Database;
  clock: Clock;
  config: { publicUrl: string };
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export function enabled(connection: Connection | null): Connection {
  if (connection === null) throw new SsoRefusal('NO_CONNECTION');
  return connection;
}

/** The query with which the browser came, as it stands in the address. */
export const searchOf = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

export function begin(
  { db, clock, config }: SsoDeps,
  connection: Connection,
  { request, reply }: Exchange,
  returnTo: string | undefined,
): Promise<Challenge> {
  const browser = browserCookie(config.publicUrl).keep(request, reply);
  const { id: connectionId, kind } = connection;
  return beginChallenge(db, { kind, connectionId, browser, returnTo: safeReturnPath(returnTo) }, clock());
}

/** Notes where the user wanted to go: the sign-in page leads on there, should this one fail. */
export type Remember = (returnTo: string) => void;

/** What this browser began with this state. Throws NO_CHALLENGE where it is another one, another connection's, used or too old. */
export async function resume(
  { db, clock, config }: SsoDeps,
  kind: Connection['kind'],
  state: string | undefined,
  request: FastifyRequest,
  { connectionId, remember }: { connectionId?: string; remember?: Remember } = {},
): Promise<Challenge & { connectionId: string; returnTo: string }> {
  const browser = browserCookie(config.publicUrl).read(request);
  const challenge = await takeChallenge(db, { kind, browser, state }, clock());
  if (challenge === null) throw new SsoRefusal('NO_CHALLENGE');
  remember?.(challenge.returnTo);
  if (challenge.isLate) throw new SsoRefusal('NO_CHALLENGE');
  if (connectionId !== undefined && challenge.connectionId !== connectionId) throw new SsoRefusal('NO_CHALLENGE');
  return challenge;
}

/** Signs in whom `identify` finds, and hands the browser its session. */
export async function signIn(
  { db, clock, config }: SsoDeps,
  { id: connectionId, kind, applicationExperience }: Connection,
  { request, reply }: Exchange,
  identify: (tx: Transaction) => Promise<{ userId: string; launch?: LaunchRecord }>,
): Promise<void> {
  const cookies = accountCookies(config.publicUrl);
  const isEhr = kind === 'SMART';
  const visitor = { ...cookies.read(request), userAgent: request.headers['user-agent'], requestId: request.id };
  const signedIn = await db.transaction(async (tx) => {
    const { userId, launch } = await identify(tx);
    const now = clock();
    const { username, isChanged } = await setExperience(tx, userId, applicationExperience);
    if (isChanged) {
      const detail = { connectionId, fields: ['applicationExperience'] };
      const entry = {
        action: 'user.change',
        subject: 'user',
        subjectId: userId,
        detail,
        requestId: request.id,
      } as const;
      await writeAuditAs(tx, { userId: null }, { ...entry, now });
    }
    const begun = await enter(tx, { userId, username, way: isEhr ? 'ehr' : 'sso' }, visitor, now);
    if (launch !== undefined) await setLaunch(tx, hashOf(begun.sessionToken), launch);
    return begun;
  });
  cookies.set(reply, signedIn, { isFramed: isEhr && request.headers['sec-fetch-dest'] === 'iframe' });
}

/**
 * Sends the browser to the address that `work` returns, or to the sign-in page with SSO_ERROR and the page that was asked for. The log gets
 * the code of the reason and the place in the code: what the other side wrote may name a person.
 */
export async function orToLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (remember: Remember) => Promise<string>,
): Promise<FastifyReply> {
  let asked = '/';
  try {
    // 303: what came as a post goes on as a get.
    return reply.redirect(await work((returnTo) => (asked = returnTo)), request.method === 'POST' ? 303 : 302);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    const { name, code, stack = '' } = error as Error & { code?: unknown };
    const at = stack.split('\n').filter((line) => line.startsWith('    at '));
    const reason = typeof code === 'string' ? code : name;
    request.log.warn(
      { reqId: request.id, route: request.routeOptions.config.routeKey, reason, at },
      'Single sign-on refused',
    );
    const next = asked === '/' ? '' : `&nextPathName=${encodeURIComponent(asked)}`;
    return reply.redirect(`/login?error=SSO_ERROR${next}`, 303);
  }
}
