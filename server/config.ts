import { join, resolve } from 'node:path';
import { z } from 'zod';
import { parseSecretKeys, type SecretKeySource } from '#server/platform/secrets/secret-keys.ts';
import { databaseUrl, hostList, hours, networkList, onOff, port, url } from './platform/environment-values.ts';
import { isLocalUrl, isLoopback } from './platform/network/networks.ts';
import { withoutTrailingSlashes } from './platform/text/trailing-slashes.ts';

/** The roles of a process. A deployment may spread them over several processes. */
const PROCESS_ROLES = ['web', 'feed', 'worker'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** The configuration, read once from the environment. Nothing else in the server reads `process.env`. */
export type Config = Readonly<{
  port: number;
  host: string;
  /** `tls`: paths of PEM files. With `ca`, senders must present a certificate signed by it. */
  mllp: Readonly<{ port: number; host: string; tls?: Readonly<{ cert: string; key: string; ca?: string }> }>;
  /** Where `/metrics` and the health endpoints are served besides the product, without sign-in; null if nowhere. */
  operations: Readonly<{ host: string; port: number }> | null;
  /** Absolute path of the folder that holds the embedded database. */
  dataDir: string;
  /** The operator's PostgreSQL, 15 or later; undefined for the embedded one. */
  databaseUrl?: string;
  /** A hot standby of that PostgreSQL, which the search reads from. Only its host, port and parameters count. */
  databaseReplicaUrl?: string;
  roles: ReadonlySet<ProcessRole>;
  /** Whether the demo region, its accounts and its mailbox are there. */
  demo: boolean;
  demoFeed: boolean;
  /** The address that browsers use, without a trailing slash. */
  publicUrl: string;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Addresses or networks (CIDR) of our proxies, whose X-Forwarded-For is trusted; none by default. */
  trustedProxies: readonly string[];
  /** Networks (CIDR) other than the public internet that outgoing calls may reach. */
  allowedNetworks: readonly string[];
  companyName: string;
  /** How to get help; shown on the sign-in and error pages. */
  support: Readonly<{ email: string | null; phone: string | null; link: string | null }>;
  /** The mail server; null if mails aren't sent (a demo keeps them in its mailbox). `url` is smtp:// or smtps:// and may contain a password. */
  smtp: Readonly<{ url: string; from: string }> | null;
  /** The gateway for text messages; null if they aren't sent. */
  twilio: Readonly<{ accountSid: string; authToken: string; from: string }> | null;
  /** The forgotten-password call gives the same answer for every name, so that it doesn't reveal who has an account. */
  neutralAnswers: boolean;
  /** Where the keys are that encrypt stored secrets; null for a process that needs none, because it serves no web. */
  secretKey: SecretKeySource | null;
  /** A session ends so many hours after the sign-in, however active its user is. */
  sessionHours: number;
  /** Not a demo, or reachable over https: operators and those who manage users then need a second factor. */
  isProduction: boolean;
  /** File with the SHA-1 of breached passwords, as Have I Been Pwned distributes them; null without one. */
  breachedPasswords: string | null;
  /** A product-updates and support widget: its script and the hash of it. Pages may load scripts from its origin. */
  supportWidget: Readonly<{ url: string; integrity: string; onPatientPages: boolean }> | null;
  /** Hosts whose pages organizations may show among the spotlights; none by default. */
  embedHosts: readonly string[];
}>;

/** An invalid environment variable. The message has one line per variable, for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const text = z.string().optional();
const roles = z
  .string()
  .default(PROCESS_ROLES.join(','))
  .transform((value) => value.split(',').map((role) => role.trim()))
  .refine(
    (list): list is ProcessRole[] => list.every((role) => (PROCESS_ROLES as readonly string[]).includes(role)),
    'must be a comma-separated list of web, feed and worker',
  )
  .transform((list) => new Set(list as ProcessRole[]));

const environment = z.object({
  PORT: port(8080),
  HOST: z.string().default('127.0.0.1'),
  MLLP_PORT: port(2575),
  MLLP_HOST: text,
  MLLP_TLS_CERT: text,
  MLLP_TLS_KEY: text,
  MLLP_TLS_CA: text,
  TIDINGS_OPERATIONS_PORT: port(0),
  TIDINGS_OPERATIONS_HOST: z.string().default('127.0.0.1'),
  TIDINGS_DATA_DIR: z.string().default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  TIDINGS_ROLES: roles,
  TIDINGS_DEMO: onOff.optional(),
  TIDINGS_DEMO_FEED: onOff.default(true),
  TIDINGS_PUBLIC_URL: url(/^https?:/, 'a URL that starts with http:// or https://').optional(),
  TIDINGS_TRUSTED_PROXIES: networkList,
  TIDINGS_ALLOWED_NETWORKS: networkList,
  TIDINGS_COMPANY_NAME: z.string().default('Tidings'),
  TIDINGS_SUPPORT_EMAIL: z.email('must be an email address').optional(),
  TIDINGS_SUPPORT_PHONE: text,
  TIDINGS_SUPPORT_LINK: url(/^https?:/, 'a URL that starts with http:// or https://').optional(),
  TIDINGS_SMTP_URL: url(/^smtps?:/, 'a URL that starts with smtp:// or smtps://').optional(),
  TIDINGS_MAIL_FROM: text,
  TIDINGS_TWILIO_ACCOUNT_SID: text,
  TIDINGS_TWILIO_AUTH_TOKEN: text,
  TIDINGS_TWILIO_FROM: text,
  TIDINGS_NEUTRAL_ANSWERS: onOff.default(false),
  TIDINGS_SECRET_KEY: z
    .string()
    .refine((value) => parseSecretKeys(value) !== null, 'must be keys of 32 bytes in base64, separated by commas')
    .optional(),
  TIDINGS_SECRET_KEY_FILE: text,
  TIDINGS_SESSION_HOURS: hours,
  TIDINGS_BREACHED_PASSWORDS: text,
  TIDINGS_EMBED_HOSTS: hostList,
  TIDINGS_SUPPORT_WIDGET_URL: url(/^https?:/, 'a URL that starts with http:// or https://').optional(),
  TIDINGS_SUPPORT_WIDGET_INTEGRITY: z
    .string()
    .regex(/^sha(256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}$/, "must be a hash like 'sha384-…' in base64")
    .optional(),
  TIDINGS_SUPPORT_WIDGET_ON_PATIENT_PAGES: onOff.default(false),
  TIDINGS_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).optional(),
});

/** The names of all variables. */
export const VARIABLES: readonly string[] = Object.keys(environment.shape);

/**
 * Reads the environment; an empty variable counts as not set. Throws ConfigError with one line per invalid variable:
 * `PORT must be a whole number from 0 to 65535, but is 'abc'`.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path, message }) => complaint(String(path[0]), message, given)).join('\n'),
    );
  }
  const vars = parsed.data;
  const publicUrl = withoutTrailingSlashes(vars.TIDINGS_PUBLIC_URL ?? `http://${vars.HOST}:${vars.PORT}`);
  const isDemo = demo(vars);
  return Object.freeze({
    port: vars.PORT,
    host: vars.HOST,
    mllp: Object.freeze({ port: vars.MLLP_PORT, host: vars.MLLP_HOST ?? vars.HOST, ...mllpTls(vars) }),
    operations: operations(vars),
    dataDir: resolve(vars.TIDINGS_DATA_DIR),
    ...(vars.DATABASE_URL === undefined ? {} : { databaseUrl: vars.DATABASE_URL }),
    ...replica(vars),
    roles: vars.TIDINGS_ROLES,
    demo: isDemo,
    demoFeed: vars.TIDINGS_DEMO_FEED,
    publicUrl,
    // People who try the demo in a terminal should see the line with the address.
    logLevel: vars.TIDINGS_LOG_LEVEL ?? (isDemo ? 'warn' : 'info'),
    trustedProxies: Object.freeze(vars.TIDINGS_TRUSTED_PROXIES),
    allowedNetworks: Object.freeze(vars.TIDINGS_ALLOWED_NETWORKS),
    companyName: vars.TIDINGS_COMPANY_NAME,
    support: support(vars, isDemo),
    smtp: smtp(vars),
    twilio: twilio(vars),
    neutralAnswers: vars.TIDINGS_NEUTRAL_ANSWERS,
    secretKey: secretKey(vars),
    sessionHours: vars.TIDINGS_SESSION_HOURS,
    isProduction: !isDemo || publicUrl.startsWith('https:'),
    breachedPasswords: vars.TIDINGS_BREACHED_PASSWORDS ?? null,
    supportWidget: supportWidget(vars),
    embedHosts: Object.freeze(embedHosts(vars, publicUrl)),
  });
}

/** The contacts shown to users. A demo has invented ones unless others are set. */
function support(vars: z.infer<typeof environment>, isDemo: boolean): Config['support'] {
  const { TIDINGS_SUPPORT_EMAIL: email, TIDINGS_SUPPORT_PHONE: phone, TIDINGS_SUPPORT_LINK: link } = vars;
  if (isDemo && !email && !phone && !link)
    return Object.freeze({ email: 'support@tidings.example', phone: '585-555-0100', link: null });
  return Object.freeze({ email: email ?? null, phone: phone ?? null, link: link ?? null });
}

function replica({ DATABASE_URL, DATABASE_REPLICA_URL: url }: z.infer<typeof environment>) {
  if (url === undefined) return {};
  if (DATABASE_URL === undefined)
    throw new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica');
  return { databaseReplicaUrl: url };
}

const operations = ({ TIDINGS_OPERATIONS_PORT, TIDINGS_OPERATIONS_HOST }: z.infer<typeof environment>) =>
  TIDINGS_OPERATIONS_PORT === 0
    ? null
    : Object.freeze({ host: TIDINGS_OPERATIONS_HOST, port: TIDINGS_OPERATIONS_PORT });

/**
 * The demo's accounts have a public password and its mailbox is open to everyone, so it runs only where no one else can reach it, and
 * never on a database that someone has set up.
 */
function demo(vars: z.infer<typeof environment>): boolean {
  const { TIDINGS_DEMO: wanted, HOST, MLLP_HOST, TIDINGS_PUBLIC_URL, DATABASE_URL } = vars;
  const obstacle = [
    DATABASE_URL !== undefined && 'DATABASE_URL is set',
    !isLoopback(HOST) && `HOST is '${HOST}'`,
    MLLP_HOST !== undefined && !isLoopback(MLLP_HOST) && `MLLP_HOST is '${MLLP_HOST}'`,
    TIDINGS_PUBLIC_URL !== undefined &&
      !isLocalUrl(new URL(TIDINGS_PUBLIC_URL)) &&
      `TIDINGS_PUBLIC_URL is '${TIDINGS_PUBLIC_URL}'`,
  ].find((reason) => reason !== false);
  if (wanted === true && obstacle !== undefined) {
    throw new ConfigError(
      `TIDINGS_DEMO can't be 'on', because ${obstacle}: the demo runs only on its own database, over plain http at a loopback address`,
    );
  }
  return obstacle === undefined && wanted !== false;
}

const SECRET = new Set(['DATABASE_URL', 'DATABASE_REPLICA_URL', 'TIDINGS_SMTP_URL', 'TIDINGS_SECRET_KEY']);

/** A key, or the password that the URL of a server may contain, must not show up in a terminal or log. */
function complaint(name: string, message: string, given: Record<string, string | undefined>): string {
  return SECRET.has(name) ? `${name} ${message}` : `${name} ${message}, but is '${given[name] ?? ''}'`;
}

function mllpTls(vars: z.infer<typeof environment>): Pick<Config['mllp'], 'tls'> {
  const { MLLP_TLS_CERT: cert, MLLP_TLS_KEY: key, MLLP_TLS_CA: ca } = vars;
  if (cert === undefined && key === undefined && ca === undefined) return {};
  if (cert === undefined || key === undefined) {
    throw new ConfigError(
      `${cert === undefined ? 'MLLP_TLS_CERT' : 'MLLP_TLS_KEY'} must be set too: TLS needs a certificate and its key`,
    );
  }
  return { tls: Object.freeze({ cert, key, ...(ca === undefined ? {} : { ca }) }) };
}

function smtp({ TIDINGS_SMTP_URL: url, TIDINGS_MAIL_FROM: from }: z.infer<typeof environment>): Config['smtp'] {
  if (url === undefined) return null;
  if (from === undefined) throw new ConfigError('TIDINGS_MAIL_FROM must be set too: mails need a sender');
  return Object.freeze({ url, from });
}

/** A page of our own host would be one of ours, with our rights. */
function embedHosts({ TIDINGS_EMBED_HOSTS: hosts }: z.infer<typeof environment>, publicUrl: string): string[] {
  if (hosts.includes(new URL(publicUrl).hostname))
    throw new ConfigError("TIDINGS_EMBED_HOSTS can't have the host of TIDINGS_PUBLIC_URL");
  return hosts;
}

/** A script that may change at its address could read every page, so its content has to be known. */
function supportWidget(vars: z.infer<typeof environment>): Config['supportWidget'] {
  const { TIDINGS_SUPPORT_WIDGET_URL: url, TIDINGS_SUPPORT_WIDGET_INTEGRITY: integrity } = vars;
  if (url === undefined) return null;
  if (integrity === undefined) {
    throw new ConfigError(
      "TIDINGS_SUPPORT_WIDGET_INTEGRITY must be set too: browsers run the widget's script only if it has this hash (docs/support-widget.md)",
    );
  }
  return Object.freeze({ url, integrity, onPatientPages: vars.TIDINGS_SUPPORT_WIDGET_ON_PATIENT_PAGES });
}

function twilio(vars: z.infer<typeof environment>): Config['twilio'] {
  const {
    TIDINGS_TWILIO_ACCOUNT_SID: accountSid,
    TIDINGS_TWILIO_AUTH_TOKEN: authToken,
    TIDINGS_TWILIO_FROM: from,
  } = vars;
  if (accountSid === undefined && authToken === undefined && from === undefined) return null;
  if (accountSid === undefined || authToken === undefined || from === undefined) {
    throw new ConfigError(
      'TIDINGS_TWILIO_ACCOUNT_SID, TIDINGS_TWILIO_AUTH_TOKEN and TIDINGS_TWILIO_FROM must be set together',
    );
  }
  return Object.freeze({ accountSid, authToken, from });
}

/** Without a variable, the embedded database's data folder holds the key, beside the database's password. */
function secretKey(vars: z.infer<typeof environment>): Config['secretKey'] {
  const { TIDINGS_SECRET_KEY: text, TIDINGS_SECRET_KEY_FILE: file } = vars;
  if (text !== undefined && file !== undefined) {
    throw new ConfigError('TIDINGS_SECRET_KEY and TIDINGS_SECRET_KEY_FILE are both set: set only one of them');
  }
  if (text !== undefined) return Object.freeze({ text });
  if (file !== undefined) return Object.freeze({ file: resolve(file), isOurs: false });
  if (vars.DATABASE_URL === undefined) {
    return Object.freeze({ file: join(resolve(vars.TIDINGS_DATA_DIR), 'secret.key'), isOurs: true });
  }
  if (!vars.TIDINGS_ROLES.has('web')) return null;
  throw new ConfigError(
    'TIDINGS_SECRET_KEY or TIDINGS_SECRET_KEY_FILE must be set with DATABASE_URL: the key encrypts stored secrets. ' +
      'Make one with: openssl rand -base64 32',
  );
}
