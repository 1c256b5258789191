import { newUsername } from '#contract/users.ts';
import type { CallStamp } from '#server/people/access/actor.ts';
import { mailManaged } from '#server/people/accounts/letters/send-letters.ts';
import { endSessionsOf } from '#server/people/accounts/sessions/queries.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { PersonName } from './person-name.ts';
import { type Connection, createAtSignIn, findLinkedUser, linkUser } from './queries.ts';
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
 * password gets a mail, and the audit log names the connection as the cause. Someone with such an address and no account gets one if the
 * connection says what new people get, and if the provider sends both names. Throws NO_USER for everyone else and for disabled users.
 */
export async function findOrLinkUser(
  db: Queryable,
  connection: Connection,
  { subject, email, name }: Identity,
  { requestId, now }: CallStamp,
): Promise<string> {
  const known = await findLinkedUser(db, connection.id, subject);
  if (known !== null) return known;
  const username = email?.trim().toLowerCase();
  const domain = username?.slice(username.lastIndexOf('@') + 1) ?? '';
  if (username === undefined || !connection.domains.includes(domain)) throw new SsoRefusal('NO_USER');
  const linked = await linkUser(db, connection, { subject, username }, now);
  if (linked === null) return createUser(db, connection, { subject, username, name }, { requestId, now });
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

async function createUser(
  db: Queryable,
  connection: Connection,
  { subject, username, name: { firstName, lastName } }: { subject: string; username: string; name: PersonName },
  { requestId, now }: CallStamp,
): Promise<string> {
  if (firstName === null || lastName === null || !newUsername.safeParse(username).success)
    throw new SsoRefusal('NO_USER');
  const userId = await createAtSignIn(db, connection, { subject, username, firstName, lastName }, now);
  if (userId === null) throw new SsoRefusal('NO_USER');
  const entry = { action: 'user.first-sign-in', subject: 'user', subjectId: userId, requestId, now } as const;
  await writeAuditAs(db, { userId: null }, { ...entry, detail: { connectionId: connection.id } });
  return userId;
}
