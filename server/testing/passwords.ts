import type { Sql } from '#server/platform/database/sql.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, TEST_PASSWORD, type TestApp } from './app.ts';
import { errorOf } from './calls.ts';

export const NEW_PASSWORD = 'violet otter at noon';

/** The calls by which an account's owner, or a stranger, deals with its password; each from a browser that is not known yet. */
export function passwordCalls(app: TestApp) {
  const signInError = async (username: string, password = TEST_PASSWORD) => {
    const { errorKey, message } = await errorOf(anonymous(app), 'POST /api/authenticate', {
      body: { username, password },
    });
    return [errorKey, message];
  };
  return {
    signInError,
    forgot: (username: string, client = anonymous(app)) =>
      client.call('GET /api/password/forgot', { query: { username } }),
    forgotError: async (username: string) => {
      const query = { username };
      const { errorKey, message, status } = await errorOf(anonymous(app), 'GET /api/password/forgot', { query });
      return [status, errorKey, message];
    },
    /** Sets a password with a mailed token. */
    set: (token: string, password = NEW_PASSWORD) =>
      anonymous(app).call('POST /api/password/set', { body: { token, password } }),
    setError: async (token: string, password = NEW_PASSWORD) =>
      (await errorOf(anonymous(app), 'POST /api/password/set', { body: { token, password } })).errorKey,
    /** Locks the account for unknown devices. */
    lock: async (username: string) => {
      for (let i = 0; i < 3; i++) await signInError(username, `wrong ${i}`);
    },
    /** Changes columns of the user's row directly. */
    change: (username: string, columns: Sql) =>
      app.database.owner.query(sql`update users set ${columns} where username = ${username}`),
    /** Returns the actions in the user's audit log, oldest first. */
    audited: async (userId: string) => {
      const { rows } = await app.database.owner.query<{ action: string }>(
        sql`select action from audit_entries where subject = 'user' and subject_id = ${userId} and action <> 'sign-in.failed' order by id`,
      );
      return rows.map(({ action }) => action);
    },
  };
}
