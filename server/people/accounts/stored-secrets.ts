/** The secrets that the database holds and the server has to read again. Everything else is stored as a hash. */
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';

/** Names the place of a user's authenticator secret, and of a connection's client secret, for `SecretBox`. */
export const mfaSecretOf = (userId: string): string => `users.mfa_secret ${userId}`;
export const clientSecretOf = (connectionId: string): string => `sso_connections.client_secret ${connectionId}`;

interface Stored {
  id: string;
  value: string;
}

interface Column {
  placeOf: (id: string) => string;
  /** `current` is the prefix of what was encrypted under the first key. */
  find: (current: string) => Sql;
  store: (row: Stored) => Sql;
}

const COLUMNS: readonly Column[] = [
  {
    placeOf: mfaSecretOf,
    find: (current) =>
      sql`select id, mfa_secret as value from users where mfa_secret is not null and not starts_with(mfa_secret, ${current}) for update`,
    store: ({ id, value }) => sql`update users set mfa_secret = ${value} where id = ${id}`,
  },
  {
    placeOf: clientSecretOf,
    find: (current) =>
      sql`select id, client_secret as value from sso_connections
        where client_secret is not null and not starts_with(client_secret, ${current}) for update`,
    store: ({ id, value }) => sql`update sso_connections set client_secret = ${value} where id = ${id}`,
  },
];

/** Only texts of `SecretBox` look like this; an authenticator's secret has no dot. */
const SEALED = /^v\d+\.[0-9a-f]{8}\.[\w-]+$/;

/**
 * Encrypts every stored secret under the first key: those stored before encryption existed, and those under an older key. Runs at the start,
 * before any of them is read. Throws SealedSecretError if the key of one of them is not set.
 */
export function encryptStoredSecrets(db: Database, secrets: SecretBox): Promise<void> {
  return db.transaction(async (tx) => {
    for (const column of COLUMNS) await encryptColumn(tx, secrets, column);
  });
}

async function encryptColumn(tx: Queryable, secrets: SecretBox, { placeOf, find, store }: Column): Promise<void> {
  const { rows } = await tx.query<Stored>(find(secrets.prefix));
  for (const { id, value } of rows) {
    const secret = SEALED.test(value) ? secrets.open(value, placeOf(id)) : value;
    await tx.query(store({ id, value: secrets.seal(secret, placeOf(id)) }));
  }
}
