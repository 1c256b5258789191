import type { FastifyRequest } from 'fastify';
import { sessionCookieName } from '#server/people/access/session-user.ts';
import { hashOf } from '#server/people/accounts/token-hash.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { forPurpose } from '#server/platform/database/settings.ts';
import { sql } from '#server/platform/database/sql.ts';
import { LAUNCH_FAILED } from './sso-urls.ts';

/** The pages of an EHR's session, and those that it can end on. Sign-in pages are not among them. */
const FRAMED = /^\/(ehr(\/.*)?|sso-timeout|error|permissions-error)$/;

/**
 * Returns a function that tells which origins may show the requested page in a frame: those of the EHR that launched the browser's session,
 * ended or not, and of no other. The page about a failed launch, where no session exists, may be shown by the EHR of that launch.
 */
export function frameOrigins(
  db: Queryable,
  publicUrl: string,
): (request: FastifyRequest) => Promise<readonly string[]> {
  const cookie = sessionCookieName(publicUrl);
  return async ({ url, cookies }) => {
    const { pathname, searchParams } = new URL(url, 'http://tidings.invalid');
    const token = cookies[cookie];
    if (pathname === LAUNCH_FAILED)
      return forPurpose('sign-in', () => originsOfConnection(db, searchParams.get('connection')));
    return FRAMED.test(pathname) && token ? forPurpose('sign-in', () => originsOfSession(db, hashOf(token))) : [];
  };
}

async function originsOfConnection(db: Queryable, key: string | null): Promise<readonly string[]> {
  const { rows } = await db.query<{ origins: string[] }>(sql`
    select allowed_origins as origins from sso_connections where kind = 'SMART' and is_enabled and key = ${key}`);
  return rows[0]?.origins ?? [];
}

async function originsOfSession(db: Queryable, sessionHash: Buffer): Promise<readonly string[]> {
  const { rows } = await db.query<{ origins: string[] }>(sql`
    select c.allowed_origins as origins
    from sessions s join sso_connections c on c.id = s.launch_connection_id
    where s.token_hash = ${sessionHash} and c.kind = 'SMART' and c.is_enabled`);
  return rows[0]?.origins ?? [];
}
