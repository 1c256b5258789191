/**
 * The end of a sign-in by which an administrator tests a connection before it is enabled. It opens no account and links no one: it only
 * shows that the connection would let someone of the organization in.
 */
import { type CallStamp, letsManage } from '#server/people/access/actor.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Identity } from './find-or-link-user.ts';
import type { Connection } from './queries.ts';
import { SsoRefusal } from './refusal.ts';

/**
 * Records that the test succeeded. The provider has to have signed in a user of the organization whom the connection could link, by an email
 * address in one of its domains, verified or not. An administrator who would be sent to this provider has to be that user, so that they are
 * not locked out by a provider that admits others only. Throws NO_EMAIL, NO_USER, OTHER_PERSON, and NO_CONNECTION if the administrator
 * may no longer change the connection.
 */
export function finishTest(
  db: Database,
  { id: connectionId, organizationId }: Connection,
  { testerId, identity }: { testerId: string; identity: Pick<Identity, 'subject' | 'email'> },
  { requestId, now }: CallStamp,
): Promise<void> {
  return db.transaction(async (tx) => {
    const tester = await findTester(tx, testerId, connectionId);
    if (tester === null) throw new SsoRefusal('NO_CONNECTION');
    const userId = await findPerson(tx, connectionId, identity);
    if (tester.isSentHere && userId !== testerId) throw new SsoRefusal('OTHER_PERSON');
    // The callback is public; from here on it acts for the administrator.
    await tx.query(sql`
      select set_config('tidings.user_id', ${testerId}, true), set_config('tidings.administers', ${organizationId}, true)`);
    await tx.query(sql`update sso_connections set tested_at = ${now} where id = ${connectionId}`);
    const detail = { userId };
    const entry = { subject: 'sso-connection', subjectId: connectionId, detail, requestId, now } as const;
    await writeAuditAs(tx, { userId: testerId }, { action: 'sso-connection.test', ...entry });
  });
}

/**
 * Returns the administrator if they still manage users, at the connection's organization or as an operator. `isSentHere`: the connection would
 * sign them in, by one of its domains.
 */
async function findTester(
  tx: Queryable,
  testerId: string,
  connectionId: string,
): Promise<{ isSentHere: boolean } | null> {
  const { rows } = await tx.query<{ isSentHere: boolean }>(sql`
    select not u.is_operator and substring(u.username from '[^@]*$') = any (c.domains) as "isSentHere"
    from users u, sso_connections c
    where u.id = ${testerId} and c.id = ${connectionId} and u.disabled_at is null
      and (u.is_operator or u.organization_id = c.organization_id)
      and exists (select from grants n join roles r on r.id = n.role_id where n.user_id = u.id and ${letsManage})`);
  return rows[0] ?? null;
}

/** Returns the user whom the connection would sign in: the linked one, or one whom it could link by email address. */
async function findPerson(
  tx: Queryable,
  connectionId: string,
  { subject, email }: Pick<Identity, 'subject' | 'email'>,
): Promise<string> {
  const username = email?.trim().toLowerCase() ?? null;
  const { rows } = await tx.query<{ id: string }>(sql`
    select u.id from users u join sso_connections c on c.organization_id = u.organization_id
    where c.id = ${connectionId} and u.disabled_at is null and not u.is_operator and case
        when u.sso_subject is not null then u.sso_connection_id = c.id and u.sso_subject = ${subject}
        else u.username = ${username} and substring(u.username from '[^@]*$') = any (c.domains)
          and (u.sso_connection_id is null or u.sso_connection_id = c.id)
      end
    order by u.sso_subject is null limit 1`);
  if (rows[0] !== undefined) return rows[0].id;
  throw new SsoRefusal(username === null ? 'NO_EMAIL' : 'NO_USER');
}
