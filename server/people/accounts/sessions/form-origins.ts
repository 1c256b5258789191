import type { FastifyRequest } from 'fastify';
import { sessionCookieName } from '#server/people/access/session-user.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { forPurpose } from '#server/platform/database/settings.ts';
import { sql } from '#server/platform/database/sql.ts';
import { hashOf } from '../token-hash.ts';

/** The pages that open a patient at an exchange. */
const OPENS_EXCHANGE = /^\/(dashboard|hospital|ehr)\/patients\/[^/]+\/open\//;

/**
 * Returns a function that tells where the requested page may post a form: to the exchanges that the organization of the browser's session has set, on the
 * pages that open a patient there; nowhere else.
 */
export function formOrigins(db: Queryable, publicUrl: string): (request: FastifyRequest) => Promise<readonly string[]> {
  const cookie = sessionCookieName(publicUrl);
  return async ({ url, cookies }) => {
    const { pathname } = new URL(url, 'http://tidings.invalid');
    const token = cookies[cookie];
    if (!OPENS_EXCHANGE.test(pathname) || !token) return [];
    const { rows } = await forPurpose('sign-in', () =>
      db.query<{ url: string }>(sql`
        select x.url from sessions s join users u on u.id = s.user_id join exchange_links x on x.organization_id = u.organization_id
        where s.token_hash = ${hashOf(token)}`),
    );
    return rows.map((link) => new URL(link.url).origin);
  };
}
