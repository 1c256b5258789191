import { createHmac } from 'node:crypto';
import pg from 'pg';

/** The URLs of the three roles of Tidings; none is a superuser. */
export type RoleUrls = Readonly<{
  /** Owns the schema `tidings`; for migrations only. */
  owner: string;
  /** Serves users, under row-level security; enqueues jobs only through `tidings.enqueue_job`. */
  app: string;
  /** Processes feeds and runs jobs. */
  pipeline: string;
}>;

const ROLES = { owner: 'tidings_owner', app: 'tidings_app', pipeline: 'tidings_pipeline' } as const;

/** An arbitrary number for the advisory lock of everything that creates roles or migrates. */
export const SETUP_LOCK = 7_463_201;

/**
 * Creates the database of the administrator's URL, the three roles and the schemas if they do not exist, and returns the roles'
 * URLs. Their passwords are derived from the administrator's, so that several processes agree without more configuration
 * (docs/decisions/0007). `database` replaces the URL's. Needs PostgreSQL 15 or later.
 *
 * The administrator must be a superuser, or have CREATEROLE and the right to create schemas in the database; otherwise an error
 * says what is missing. Safe to call from several processes at once.
 */
export async function ensureRoles(adminUrl: string, database?: string): Promise<RoleUrls> {
  const url = urlOf(adminUrl, database);
  const urls = roleUrls(adminUrl, database);
  const admin = await connectCreating(url);
  try {
    await admin.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    await checkServer(admin);
    for (const [key, role] of Object.entries(ROLES)) {
      await ensureRole(admin, role, urls[key as keyof RoleUrls]);
    }
    await ensureSchema(admin, 'tidings');
    await ensureSchema(admin, 'graphile_worker');
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== '42501') throw error;
    throw new Error(
      `The user '${decodeURIComponent(url.username)}' of DATABASE_URL may not set up the database: it needs CREATEROLE and ` +
        `CREATE on the database, or superuser rights (PostgreSQL: ${(error as Error).message})`,
      { cause: error },
    );
  } finally {
    await admin.end();
  }
  return urls;
}

/** Returns the roles' URLs without connecting. Throws if the administrator's URL has no password. */
export function roleUrls(adminUrl: string, database?: string): RoleUrls {
  const url = urlOf(adminUrl, database);
  const secret = decodeURIComponent(url.password);
  if (secret === '') {
    throw new Error('DATABASE_URL has no password. Tidings derives the passwords of its three database roles from it');
  }
  return Object.fromEntries(
    Object.entries(ROLES).map(([key, role]) => [key, roleUrl(url, role, secret)]),
  ) as unknown as RoleUrls;
}

/** Returns the URL of a role of this server at its replica: the role, its password and the database are the same there. */
export function urlAtReplica(roleUrl: string, replicaUrl: string): string {
  const url = new URL(replicaUrl);
  const { username, password, pathname } = new URL(roleUrl);
  return Object.assign(url, { username, password, pathname }).href;
}

function urlOf(adminUrl: string, database: string | undefined): URL {
  const url = new URL(adminUrl);
  if (database !== undefined) url.pathname = `/${database}`;
  return url;
}

function roleUrl(admin: URL, role: string, secret: string): string {
  const url = new URL(admin);
  url.username = role;
  url.password = createHmac('sha256', secret).update(role).digest('hex');
  return url.href;
}

/** Connects to the database, and creates it first if it does not exist (3D000). */
async function connectCreating(url: URL): Promise<pg.Client> {
  try {
    return await connect(url);
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') throw error;
  }
  const name = decodeURIComponent(url.pathname.slice(1));
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const client = await connect(maintenance);
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)}`);
    await client.query(`revoke connect, temporary on database ${pg.escapeIdentifier(name)} from public`);
  } catch (error) {
    // 42P04, 23505: another process created it at the same moment.
    const { code, message } = error as { code?: string; message: string };
    if (code !== '42P04' && code !== '23505') {
      throw new Error(`The database '${name}' does not exist and cannot be created: ${message}`, { cause: error });
    }
  } finally {
    await client.end();
  }
  return connect(url);
}

/** Deletes a database with everything in it, also under whoever is still connected. */
export async function dropDatabase(adminUrl: string, database: string): Promise<void> {
  const admin = await connect(urlOf(adminUrl, 'postgres'));
  try {
    await admin.query(`drop database ${pg.escapeIdentifier(database)} with (force)`);
  } finally {
    await admin.end();
  }
}

async function connect(url: URL): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.href, application_name: 'tidings setup' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function checkServer(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  );
  const { version = 0, encoding = '' } = rows[0] ?? {};
  if (version < 150000)
    throw new Error(`Tidings needs PostgreSQL 15 or later, and this is ${Math.floor(version / 10000)}`);
  if (encoding !== 'UTF8') throw new Error(`Tidings needs a database with encoding UTF8, and this one has ${encoding}`);
}

/** Creates the role if it does not exist, and sets its password only if that does not work, so that a restart changes nothing. */
async function ensureRole(admin: pg.Client, role: string, url: string): Promise<void> {
  const { rowCount, rows: roles } = await admin.query<{ settings: string[] | null }>(
    'select rolconfig as settings from pg_roles where rolname = $1',
    [role],
  );
  const name = pg.escapeIdentifier(role);
  const password = pg.escapeLiteral(decodeURIComponent(new URL(url).password));
  if (rowCount === 0) {
    await admin.query(`create role ${name} login password ${password} nosuperuser nocreatedb nocreaterole`);
    await admin.query(`alter role ${name} set search_path = tidings`);
    await admin.query(`alter role ${name} set timezone = 'UTC'`);
  }
  // Compiling a statement takes longer than running any of ours.
  if (!roles[0]?.settings?.includes('jit=off')) await admin.query(`alter role ${name} set jit = off`);
  const { rows } = await admin.query<{ database: string; connects: boolean }>(
    `select current_database() as database, has_database_privilege($1, current_database(), 'connect') as connects`,
    [role],
  );
  if (rows[0]?.connects === false) {
    await admin.query(`grant connect on database ${pg.escapeIdentifier(rows[0].database)} to ${name}`);
  }
  if (rowCount !== 0 && !(await canSignIn(url))) await admin.query(`alter role ${name} login password ${password}`);
}

async function canSignIn(url: string): Promise<boolean> {
  try {
    await (await connect(new URL(url))).end();
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '28P01' || code === '28000') return false;
    throw error;
  }
}

/** Creates a schema for the owner, who may not create schemas itself. An administrator without superuser rights must first be a member of the owner role. */
async function ensureSchema(admin: pg.Client, schema: string): Promise<void> {
  const { rowCount } = await admin.query('select 1 from pg_namespace where nspname = $1', [schema]);
  if (rowCount !== 0) return;
  const { rows } = await admin.query<{ superuser: boolean }>(
    'select rolsuper as superuser from pg_roles where rolname = current_user',
  );
  if (rows[0]?.superuser === false) await admin.query(`grant ${ROLES.owner} to current_user`);
  await admin.query(`create schema ${pg.escapeIdentifier(schema)} authorization ${ROLES.owner}`);
}
