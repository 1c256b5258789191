import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { insert, next } from './insert.ts';

/** Connections to identity providers. */
export function connectionFactories(db: Queryable, now: Clock) {
  /** Connects an organization to an identity provider; the domains are verified. */
  async function connection({ organizationId, domains = [] }: { organizationId: string; domains?: string[] }) {
    const about = { kind: 'OIDC', name: `Connection ${next()}`, issuer: 'https://identity.test', client_id: 'tidings' };
    const row = { ...about, is_enabled: true, domains, application_experience: 'JANUS_AUTH0_SSO', created_at: now() };
    const id = await insert(db, 'sso_connections', { organization_id: organizationId, ...row });
    await db.query(sql`
      insert into email_domains (organization_id, domain, verified_at, verified_by)
      select ${organizationId}, unnest(${domains}::text[]), ${now()}, 'OPERATOR'`);
    return { id };
  }

  return { connection };
}
