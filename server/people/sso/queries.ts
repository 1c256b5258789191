import type { SsoConnection } from '#contract/admin.ts';
import type { ApplicationExperience } from '#contract/experiences.ts';
import { keepOldPassword } from '#server/people/accounts/passwords/set-password.ts';
import { type ChangedValue, changedValues } from '#server/people/audit/changed-values.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { PersonName } from './person-name.ts';
import { SsoRefusal } from './refusal.ts';

/** Condition on `email_domains d`: it is a verified domain of the connection in this table. */
function isVerified(connection: Sql): Sql {
  return sql`d.organization_id = ${connection}.organization_id and d.domain = any (${connection}.domains) and d.verified_at is not null`;
}

/** Condition on `sso_connections c`: it sends people to their identity provider. */
export const isUsable = sql`(c.is_enabled and c.kind <> 'SMART' and exists (select from email_domains d where ${isVerified(sql`c`)}))`;

/** A connection with its secret, which the queries return encrypted and `requireEnabled` decrypts. */
export interface Connection {
  id: string;
  organizationId: string;
  key: string;
  kind: SsoConnection['kind'];
  isEnabled: boolean;
  /** The verified ones only. */
  domains: string[];
  issuer: string;
  clientId: string | null;
  clientSecret: string | null;
  entryPoint: string | null;
  certificates: string[];
  applicationExperience: ApplicationExperience;
}

const CONNECTION = sql`
  id, organization_id as "organizationId", key, kind, is_enabled as "isEnabled",
  array(select domain from email_domains d where ${isVerified(sql`sso_connections`)}) as domains, issuer, client_id as "clientId", client_secret as "clientSecret",
  entry_point as "entryPoint", certificates, application_experience as "applicationExperience"`;

const hasVerifiedAddress = sql`exists (
  select from email_domains d where d.domain = substring(u.username from '[^@]*$') and ${isVerified(sql`c`)})`;

/** Condition on `users u`: an enabled connection of the organization signs the user in, or would at the next sign-in. */
export const signedInElsewhere = sql`exists (
  select from sso_connections c
  where c.organization_id = u.organization_id and c.is_enabled and case
    when u.sso_connection_id is null then c.kind <> 'SMART' and ${hasVerifiedAddress}
    else c.id = u.sso_connection_id and (u.sso_subject is not null or ${hasVerifiedAddress}) end)`;

/**
 * Condition on `users u`: the owner can sign in. An account that a connection signs in has no password or anything else that opens it, nor has
 * any of an organization that demands single sign-on; the connection has to be enabled and to recognize the user, by subject or by a verified
 * domain.
 */
export const canSignIn = sql`(
  u.disabled_at is null and u.activated_at is not null
  and (u.is_operator
    or ((u.password_hash is not null or u.sso_connection_id is null)
      and not (select o.requires_sso from organizations o where o.id = u.organization_id))
    or ${signedInElsewhere}))`;

/** Returns the connection of this kind whose addresses contain the key, enabled or not: one that is not enabled can be tested. */
export async function findByKey(db: Queryable, kind: Connection['kind'], key: string): Promise<Connection | null> {
  const { rows } = await db.query<Connection>(
    sql`select ${CONNECTION} from sso_connections where key = ${key} and kind = ${kind}`,
  );
  return rows[0] ?? null;
}

/** Returns a SAML connection, enabled or not: its metadata is needed to set up the identity provider before it can be enabled. */
export async function findSamlConnection(db: Queryable, key: string): Promise<Pick<Connection, 'key' | 'kind'> | null> {
  const { rows } = await db.query<Pick<Connection, 'key' | 'kind'>>(
    sql`select key, kind from sso_connections where key = ${key} and kind = 'SAML'`,
  );
  return rows[0] ?? null;
}

export async function findById(db: Queryable, kind: Connection['kind'], id: string): Promise<Connection | null> {
  const { rows } = await db.query<Connection>(
    sql`select ${CONNECTION} from sso_connections where id = ${id} and kind = ${kind} and is_enabled`,
  );
  return rows[0] ?? null;
}

/** Returns the enabled connection to the EHR with this FHIR server. */
export async function findEhr(db: Queryable, issuer: string): Promise<Connection | null> {
  const { rows } = await db.query<Connection>(
    sql`select ${CONNECTION} from sso_connections where kind = 'SMART' and issuer = ${issuer} and is_enabled`,
  );
  return rows[0] ?? null;
}

/**
 * Returns the connection that a username signs in with: the linked one, or else the one for its email domain, if that is verified; null if it
 * signs in by password.
 * Operators, and users of another organization than the domain's, sign in by password, because the connection cannot vouch for them.
 */
export async function findForUsername(
  db: Queryable,
  username: string,
): Promise<Pick<Connection, 'key' | 'kind'> | null> {
  const domain = username.slice(username.lastIndexOf('@') + 1);
  const { rows } = await db.query<Pick<Connection, 'key' | 'kind'>>(sql`
    select c.key, c.kind
    from sso_connections c left join users u on u.username = ${username}
    where c.is_enabled and c.kind in ('OIDC', 'SAML') and u.is_operator is not true
      and case
        when u.sso_connection_id is not null then c.id = u.sso_connection_id
        else (u.id is null or u.organization_id = c.organization_id)
          and exists (select from email_domains d where d.domain = ${domain} and ${isVerified(sql`c`)})
      end
    limit 1`);
  return rows[0] ?? null;
}

export async function insertPendingSignIn(
  db: Queryable,
  pending: {
    hash: Buffer;
    kind: Connection['kind'];
    connectionId: string;
    returnTo: string;
    testerId: string | null;
    now: Date;
    /** In milliseconds. */
    life: number;
  },
): Promise<void> {
  const { hash, kind, connectionId, returnTo, testerId, now, life } = pending;
  await db.query(sql`delete from sign_in_challenges where kind in ('OIDC', 'SAML', 'SMART') and expires_at <= ${now}`);
  await db.query(sql`
    insert into sign_in_challenges (token_hash, kind, user_id, connection_id, detail, created_at, expires_at)
    values (${hash}, ${kind}, ${testerId}, ${connectionId}, ${JSON.stringify({ returnTo })}, ${now}, ${new Date(now.getTime() + life)})`);
}

interface DeletedSignIn {
  connectionId: string;
  returnTo: string;
  testerId: string | null;
  isLate: boolean;
}

export async function deletePendingSignIn(
  db: Queryable,
  kind: Connection['kind'],
  hash: Buffer,
  now: Date,
): Promise<DeletedSignIn | null> {
  const { rows } = await db.query<DeletedSignIn>(sql`
    delete from sign_in_challenges where token_hash = ${hash} and kind = ${kind}
    returning connection_id as "connectionId", detail ->> 'returnTo' as "returnTo", user_id as "testerId", expires_at <= ${now} as "isLate"`);
  return rows[0] ?? null;
}

/** Marks an assertion as used; false if it already was. Expired entries are deleted, because expired assertions are refused anyway. */
export async function useAssertion(db: Queryable, digest: Buffer, expiresAt: Date, now: Date): Promise<boolean> {
  await db.query(sql`delete from used_assertions where expires_at <= ${now}`);
  const { rowCount } = await db.query(
    sql`insert into used_assertions (digest, expires_at) values (${digest}, ${expiresAt}) on conflict do nothing`,
  );
  return rowCount > 0;
}

/** Returns the user linked to this subject, unless disabled or since made an operator (`linkUser`). */
export async function findLinkedUser(db: Queryable, connectionId: string, subject: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(sql`
    select id from users
    where sso_connection_id = ${connectionId} and sso_subject = ${subject} and disabled_at is null and not is_operator`);
  return rows[0]?.id ?? null;
}

/** A newly linked user, and what linking changed in the account. */
export interface Linked {
  id: string;
  passwordRemoved: boolean;
  activated: boolean;
}

/**
 * Links the organization's user with this username, if not linked yet. From then on the organization manages the sign-in, so the password and
 * the mailed links that could set one are removed. Operators are never linked, because whoever sets up a connection could then become one.
 * Linking activates an invited user, as the mailed link would.
 */
export async function linkUser(
  db: Queryable,
  { id, organizationId }: Connection,
  { subject, username }: { subject: string; username: string },
  now: Date,
): Promise<Linked | null> {
  const { rows } = await db.query<Linked>(sql`
    select id, password_hash is not null as "passwordRemoved", activated_at is null as activated
    from users
    where username = ${username} and organization_id = ${organizationId} and disabled_at is null and not is_operator
      and sso_subject is null and (sso_connection_id is null or sso_connection_id = ${id})
    for no key update`);
  const [user] = rows;
  if (user === undefined) return null;
  await keepOldPassword(db, user.id, now);
  await db.query(sql`
    update users set sso_connection_id = ${id}, sso_subject = ${subject}, password_hash = null, password_changed_at = null,
      activated_at = coalesce(activated_at, ${now})
    where id = ${user.id}`);
  await db.query(sql`update account_tokens set used_at = ${now} where used_at is null and user_id = ${user.id}`);
  return user;
}

/**
 * Creates an account for someone whom the provider has signed in, if the connection's rule says so; null if it does not, or if there is an
 * account with that username already.
 */
export async function createAtSignIn(
  db: Queryable,
  { id }: Pick<Connection, 'id'>,
  person: { subject: string; username: string; firstName: string; lastName: string },
  now: Date,
): Promise<string | null> {
  const { subject, username, firstName, lastName } = person;
  const { rows } = await db.query<{ id: string | null }>(sql`
    select create_user_at_sign_in(${id}, ${subject}, ${username}, ${firstName}, ${lastName}, ${now}) as id`);
  return rows[0]?.id ?? null;
}

/**
 * Gives the user the connection's experience, and the name as the provider has it. Returns which fields that changed. Throws NO_USER if the user
 * has been disabled since.
 */
export async function updateFromProvider(
  db: Queryable,
  userId: string,
  { applicationExperience, name }: Pick<Connection, 'applicationExperience'> & { name: PersonName },
): Promise<{ username: string; changes: Record<string, ChangedValue> }> {
  type User = Record<'username' | 'firstName' | 'lastName' | 'applicationExperience', string>;
  const { rows } = await db.query<User>(sql`
    select username, first_name as "firstName", last_name as "lastName", application_experience as "applicationExperience"
    from users where id = ${userId} and disabled_at is null for no key update`);
  const [user] = rows;
  if (user === undefined) throw new SsoRefusal('NO_USER');
  const wanted = {
    firstName: name.firstName ?? user.firstName,
    lastName: name.lastName ?? user.lastName,
    applicationExperience,
  };
  const changes = changedValues(user, wanted, ['firstName', 'lastName', 'applicationExperience']);
  if (Object.keys(changes).length > 0)
    await db.query(sql`
      update users set first_name = ${wanted.firstName}, last_name = ${wanted.lastName},
        application_experience = ${applicationExperience}
      where id = ${userId}`);
  return { username: user.username, changes };
}

/** What an EHR's launch opened: its connection, our id of the patient, the EHR's record number, and whether our pages have to show who it is. */
export interface LaunchRecord {
  connectionId: string;
  patientId: string | null;
  identifier: string | null;
  needPatientBanner: boolean;
}

/** Stores what the EHR opened with the session that its launch began. */
export async function setLaunch(db: Queryable, sessionHash: Buffer, launch: LaunchRecord): Promise<void> {
  await db.query(sql`
    update sessions set launch_connection_id = ${launch.connectionId}, patient_id = ${launch.patientId}, ehr_patient_identifier = ${launch.identifier},
      need_patient_banner = ${launch.needPatientBanner}
    where token_hash = ${sessionHash}`);
}
