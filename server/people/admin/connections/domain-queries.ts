import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Records that an organization claims these domains. A claim that exists is kept as it is. */
export async function claimDomains(db: Queryable, organizationId: string, domains: readonly string[]): Promise<void> {
  await db.query(sql`
    insert into email_domains (organization_id, domain) select ${organizationId}, unnest(${domains}::text[])
    on conflict do nothing`);
}

/** Ends the verification of domains that no connection of the organization has any more. Their records stay valid for another claim. */
export async function releaseDomains(db: Queryable, organizationId: string): Promise<void> {
  await db.query(sql`
    update email_domains d set verified_at = null, verified_by = null
    where d.organization_id = ${organizationId} and d.verified_at is not null
      and not exists (select from sso_connections c where c.organization_id = d.organization_id and c.domains @> array[d.domain])`);
}

export async function verifyDomain(
  db: Queryable,
  { organizationId, domain, by }: { organizationId: string; domain: string; by: 'DNS' | 'OPERATOR' },
  now: Date,
): Promise<void> {
  await db.query(sql`
    update email_domains set verified_at = ${now}, verified_by = ${by}
    where organization_id = ${organizationId} and domain = ${domain}`);
}

/** Takes an operator's approval back. */
export async function unverifyDomain(db: Queryable, organizationId: string, domain: string): Promise<void> {
  await db.query(sql`
    update email_domains set verified_at = null, verified_by = null
    where organization_id = ${organizationId} and domain = ${domain}`);
}

/**
 * Returns whether another organization's identity provider has the domain verified, and one of this organization has it too: people could
 * then be sent to either. EHRs send no one anywhere, so several may have a domain.
 */
export async function isVerifiedElsewhere(db: Queryable, organizationId: string, domain: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select from sso_connections own
      join sso_connections other on other.organization_id <> own.organization_id and other.kind <> 'SMART'
        and other.domains @> array[${domain}]::text[]
      join email_domains d on d.organization_id = other.organization_id and d.domain = ${domain} and d.verified_at is not null
    where own.organization_id = ${organizationId} and own.kind <> 'SMART' and own.domains @> array[${domain}]::text[]
    limit 1`);
  return rowCount > 0;
}
