import type { SsoConnection } from '#contract/admin.ts';
import { DOMAIN_RECORD } from '#contract/admin-fields.ts';
import { clientSecretOf } from '#server/people/accounts/stored-secrets.ts';
import { isUsable } from '#server/people/sso/queries.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql, versionOf } from '#server/platform/database/sql.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import { isOwn, organizationFor, type Scope } from '../admin-scope.ts';
import type { ConnectionFields } from './check-connection.ts';

/** A connection as administrators see it, without its secret. */
export type ConnectionRow = Omit<SsoConnection, 'callbackUrl' | 'metadataUrl' | 'canApproveDomains'> & {
  key: string;
  organizationId: string;
};

const columns = (scope: Pick<Scope, 'isOperator'>): Sql => sql`
  id, organization_id as "organizationId", ${organizationFor(scope, sql`organization_id`)} as organization, key, kind, name, is_enabled as "isEnabled", tested_at is not null as "isTested", domains, issuer, client_id as "clientId",
  (select coalesce(jsonb_agg(jsonb_build_object('domain', d.domain, 'record', ${`${DOMAIN_RECORD}=`}::text || d.token,
      'verifiedBy', d.verified_by) order by d.domain), '[]')
    from email_domains d
    where d.organization_id = sso_connections.organization_id and d.domain = any (sso_connections.domains)) as "domainStates",
  coalesce((select o.requires_sso from organizations o where o.id = sso_connections.organization_id)
    and (select array_agg(c.id) = array[sso_connections.id] from sso_connections c
      where c.organization_id = sso_connections.organization_id and ${isUsable}), false) as "isOnlyWayIn",
  client_secret is not null as "hasSecret", entry_point as "entryPoint", certificates, allowed_origins as "allowedOrigins",
  application_experience as "applicationExperience", ${versionOf(sql`kind, name, is_enabled, domains, issuer, client_id, client_secret,
    entry_point, certificates, allowed_origins, application_experience`)} as version`;

export async function listConnections(db: Queryable, scope: Scope): Promise<ConnectionRow[]> {
  const { rows } = await db.query<ConnectionRow>(
    sql`select ${columns(scope)} from sso_connections where ${isOwn(scope, sql`organization_id`)} order by name, id`,
  );
  return rows;
}

/** Returns null for a connection of another organization. */
export async function findConnection(db: Queryable, scope: Scope, id: string): Promise<ConnectionRow | null> {
  const { rows } = await db.query<ConnectionRow>(
    sql`select ${columns(scope)} from sso_connections where id = ${id} and ${isOwn(scope, sql`organization_id`)}`,
  );
  return rows[0] ?? null;
}

/**
 * Returns which of these fields another connection already uses: the name or a domain within the organization; anywhere a verified domain,
 * which decides where people sign in, or an EHR's issuer, which decides whose launch it is. A domain that another organization has not
 * verified blocks no one. `except`: the connection being changed.
 */
export async function findTaken(
  db: Queryable,
  organizationId: string,
  { kind, name, domains, issuer }: ConnectionFields,
  except: string | null,
): Promise<{ name: boolean; domains: boolean; issuer: boolean }> {
  const { rows } = await db.query<{ name: boolean; domains: boolean; issuer: boolean }>(sql`
    select coalesce(bool_or(organization_id = ${organizationId} and name = ${name}), false) as name,
      coalesce(bool_or(kind <> 'SMART' and ${kind} <> 'SMART' and exists (
        select from unnest(domains) as shared (domain)
        where shared.domain = any (${domains}::text[]) and (organization_id = ${organizationId} or exists (
          select from email_domains d
          where d.organization_id = sso_connections.organization_id and d.domain = shared.domain and d.verified_at is not null)))), false) as domains,
      coalesce(bool_or(kind = 'SMART' and ${kind} = 'SMART' and issuer = ${issuer}), false) as issuer
    from sso_connections where id is distinct from ${except}::bigint`);
  return rows[0] ?? { name: false, domains: false, issuer: false };
}

/** Stores the secret encrypted, bound to the connection. */
async function storeSecret(db: Queryable, secrets: SecretBox, id: string, secret: string): Promise<void> {
  await db.query(
    sql`update sso_connections set client_secret = ${secrets.seal(secret, clientSecretOf(id))} where id = ${id}`,
  );
}

/** Adds a connection, its secret encrypted, and returns its id. */
export async function insertConnection(
  db: Queryable,
  organizationId: string,
  fields: ConnectionFields,
  { secrets, now }: { secrets: SecretBox; now: Date },
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(sql`
    insert into sso_connections (organization_id, kind, name, is_enabled, domains, issuer, client_id, entry_point,
      certificates, allowed_origins, application_experience, created_at)
    values (${organizationId}, ${fields.kind}, ${fields.name}, ${fields.isEnabled}, ${fields.domains}, ${fields.issuer},
      ${fields.clientId}, ${fields.entryPoint}, ${fields.certificates}, ${fields.allowedOrigins},
      ${fields.applicationExperience}, ${now})
    returning id`);
  const { id } = rows[0] as { id: string };
  if (fields.clientSecret) await storeSecret(db, secrets, id, fields.clientSecret);
  return id;
}

/**
 * Writes the fields. Without a new secret the old one is kept, but never for
 * another issuer, which could then read it. Another issuer's subjects are other people, so the stored ones are cleared and users are
 * matched by username again. A test of the sign-in counts as long as the provider stays the same: with another issuer, client or sign-in URL, or
 * without any certificate that it was made with, it has to be repeated.
 */
export async function updateConnection(
  db: Queryable,
  id: string,
  { fields, secrets }: { fields: ConnectionFields; secrets: SecretBox },
): Promise<void> {
  const { kind, issuer } = fields;
  await db.query(sql`
    update users set sso_subject = null
    where sso_connection_id = (
      select id from sso_connections c
      where c.id = ${id} and (c.issuer <> ${issuer} or c.kind <> ${kind}))`);
  await db.query(sql`
    update sso_connections set kind = ${kind}, name = ${fields.name}, is_enabled = ${fields.isEnabled}, domains = ${fields.domains},
      issuer = ${issuer}, client_id = ${fields.clientId},
      tested_at = case when kind = ${kind} and issuer = ${issuer} and client_id is not distinct from ${fields.clientId}
        and entry_point is not distinct from ${fields.entryPoint}
        and (kind <> 'SAML' or certificates && ${fields.certificates}::text[]) then tested_at end,
      client_secret = case when issuer = ${issuer} and kind = ${kind} then client_secret end,
      entry_point = ${fields.entryPoint}, certificates = ${fields.certificates}, allowed_origins = ${fields.allowedOrigins},
      application_experience = ${fields.applicationExperience}
    where id = ${id}`);
  if (fields.clientSecret) await storeSecret(db, secrets, id, fields.clientSecret);
}

/**
 * Removes the connection. Its users go back to the password experience of their
 * product, and set a password by mail the next time.
 */
export async function deleteConnection(db: Queryable, id: string): Promise<void> {
  await db.query(sql`
    update users set sso_connection_id = null, sso_subject = null,
      application_experience = case when application_experience like 'JANUS%' then 'JANUS' else 'ANAHIT' end
    where sso_connection_id = ${id}`);
  await db.query(sql`delete from sso_connections where id = ${id}`);
}

/** Returns the organizations that demand single sign-on and have no connection that can sign anyone in. */
export async function organizationsWithoutWayIn(db: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(sql`
    select o.id from organizations o
    where o.requires_sso and not exists (select from sso_connections c where c.organization_id = o.id and ${isUsable})`);
  return new Set(rows.map(({ id }) => id));
}
