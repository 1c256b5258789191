import type { SsoConnection } from '#contract/admin.ts';
import { clientSecretOf } from '#server/people/accounts/stored-secrets.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql, versionOf } from '#server/platform/database/sql.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import type { ConnectionFields } from './check-connection.ts';

/** A connection as administrators see it, without its secret. */
export type ConnectionRow = Omit<SsoConnection, 'callbackUrl' | 'metadataUrl'> & { key: string };

const COLUMNS = sql`
  id, key, kind, name, is_enabled as "isEnabled", domains, issuer, client_id as "clientId",
  client_secret is not null as "hasSecret", entry_point as "entryPoint", certificates, allowed_origins as "allowedOrigins",
  application_experience as "applicationExperience", ${versionOf(sql`kind, name, is_enabled, domains, issuer, client_id, client_secret,
    entry_point, certificates, allowed_origins, application_experience`)} as version`;

export async function listConnections(db: Queryable, organizationId: string): Promise<ConnectionRow[]> {
  const { rows } = await db.query<ConnectionRow>(
    sql`select ${COLUMNS} from sso_connections where organization_id = ${organizationId} order by name, id`,
  );
  return rows;
}

/** Returns null if the organization has no such connection. */
export async function findConnection(db: Queryable, organizationId: string, id: string): Promise<ConnectionRow | null> {
  const { rows } = await db.query<ConnectionRow>(
    sql`select ${COLUMNS} from sso_connections where id = ${id} and organization_id = ${organizationId}`,
  );
  return rows[0] ?? null;
}

/**
 * Returns which of these fields another connection already uses: the name within the organization; anywhere a domain, which decides
 * where people sign in, or an EHR's issuer, which decides whose launch it is. `except`: the connection being changed.
 */
export async function findTaken(
  db: Queryable,
  organizationId: string,
  { kind, name, domains, issuer }: ConnectionFields,
  except: string | null,
): Promise<{ name: boolean; domains: boolean; issuer: boolean }> {
  const { rows } = await db.query<{ name: boolean; domains: boolean; issuer: boolean }>(sql`
    select coalesce(bool_or(organization_id = ${organizationId} and name = ${name}), false) as name,
      coalesce(bool_or(kind <> 'SMART' and ${kind} <> 'SMART' and domains && ${domains}::text[]), false) as domains,
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

export async function insertConnection(
  db: Queryable,
  organizationId: string,
  fields: ConnectionFields,
  { secrets, now }: { secrets: SecretBox; now: Date },
): Promise<ConnectionRow | null> {
  const { rows } = await db.query<{ id: string }>(sql`
    insert into sso_connections (organization_id, kind, name, is_enabled, domains, issuer, client_id, entry_point,
      certificates, allowed_origins, application_experience, created_at)
    values (${organizationId}, ${fields.kind}, ${fields.name}, ${fields.isEnabled}, ${fields.domains}, ${fields.issuer},
      ${fields.clientId}, ${fields.entryPoint}, ${fields.certificates}, ${fields.allowedOrigins},
      ${fields.applicationExperience}, ${now})
    returning id`);
  const [row] = rows;
  if (row === undefined) return null;
  if (fields.clientSecret) await storeSecret(db, secrets, row.id, fields.clientSecret);
  return findConnection(db, organizationId, row.id);
}

/**
 * Writes the fields; returns null if the organization has no such connection. Without a new secret the old one is kept, but never for
 * another issuer, which could then read it. Another issuer's subjects are other people, so the stored ones are cleared and users are
 * matched by username again.
 */
export async function updateConnection(
  db: Queryable,
  organizationId: string,
  id: string,
  { fields, secrets }: { fields: ConnectionFields; secrets: SecretBox },
): Promise<ConnectionRow | null> {
  const { kind, issuer } = fields;
  await db.query(sql`
    update users set sso_subject = null
    where sso_connection_id = (
      select id from sso_connections c
      where c.id = ${id} and c.organization_id = ${organizationId} and (c.issuer <> ${issuer} or c.kind <> ${kind}))`);
  const { rowCount } = await db.query(sql`
    update sso_connections set kind = ${kind}, name = ${fields.name}, is_enabled = ${fields.isEnabled}, domains = ${fields.domains},
      issuer = ${issuer}, client_id = ${fields.clientId},
      client_secret = case when issuer = ${issuer} and kind = ${kind} then client_secret end,
      entry_point = ${fields.entryPoint}, certificates = ${fields.certificates}, allowed_origins = ${fields.allowedOrigins},
      application_experience = ${fields.applicationExperience}
    where id = ${id} and organization_id = ${organizationId}`);
  if (rowCount === 0) return null;
  if (fields.clientSecret) await storeSecret(db, secrets, id, fields.clientSecret);
  return findConnection(db, organizationId, id);
}

/**
 * Removes the connection; returns false if the organization has no such one. Its users go back to the password experience of their
 * product, and set a password by mail the next time.
 */
export async function deleteConnection(db: Queryable, organizationId: string, id: string): Promise<boolean> {
  await db.query(sql`
    update users set sso_connection_id = null, sso_subject = null,
      application_experience = case when application_experience like 'JANUS%' then 'JANUS' else 'ANAHIT' end
    where sso_connection_id = (
      select id from sso_connections c where c.id = ${id} and c.organization_id = ${organizationId})`);
  const { rowCount } = await db.query(
    sql`delete from sso_connections where id = ${id} and organization_id = ${organizationId}`,
  );
  return rowCount > 0;
}
