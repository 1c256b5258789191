import { mailManaged } from '#server/people/accounts/letters/send-letters.ts';
import { endSessionsOf } from '#server/people/accounts/sessions/queries.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { PersonName } from './person-name.ts';
import { type Connection, findLinkedUser, linkUser } from './queries.ts';
import { SsoRefusal } from './refusal.ts';

/** The person whom an identity provider or EHR says it has signed in. */
export interface Identity {
  /** An id that the provider never gives to anyone else: `sub`, or the SAML NameID. */
  subject: string;
  /** Only an address that the provider vouches for. */
  email: string | null;
  name: PersonName;
}

/**
 * Returns the user whom a connection has signed in: the one linked to the subject, or else an unlinked user of the organization with that
 * email address in one of the connection's verified domains. The latter is linked now; sessions begun with the password end, the owner of a
 * password gets a mail, and the audit log names the connection as the cause. Throws NO_USER for everyone else and for disabled users.
 */
export async function findOrLinkUser(
  db: Queryable,
  connection: Connection,
  { subject, email }: Pick<Identity, 'subject' | 'email'>,
  { requestId, now }: { requestId: string; now: Date },
): Promise<string> {
  const known = await findLinkedUser(db, connection.id, subject);
  if (known !== null) return known;
  const username = email?.trim().toLowerCase();
  const domain = username?.slice(username.lastIndexOf('@') + 1) ?? '';
  const linked =
    username !== undefined && connection.domains.includes(domain)
      ? await linkUser(db, connection, { subject, username }, now)
      : null;
  if (linked === null) throw new SsoRefusal('NO_USER');
  const { id: userId, passwordRemoved, activated } = linked;
  await endSessionsOf(db, userId, now);
  if (passwordRemoved) await mailManaged(db, userId, now);
  const detail = { connectionId: connection.id, passwordRemoved, activated };
  await writeAuditAs(
    db,
    { userId: null },
    { action: 'user.link', subject: 'user', subjectId: userId, detail, requestId, now },
  );
  return userId;
}
