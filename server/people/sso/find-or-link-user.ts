import { endSessionsOf } from '#server/people/accounts/sessions/queries.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Connection, findLinkedUser, linkUser } from './queries.ts';
import { SsoRefusal } from './refusal.ts';

/** Whom the other side says it has signed in. */
export interface Identity {
  /** Never given to anybody else by that side: `sub`, or the NameID. */
  subject: string;
  /** Only one that the other side vouches for. */
  email: string | null;
}

/**
 * The user whom a connection's other side means: known by its subject, or else an unlinked user of the organisation with that e-mail
 * address in one of the connection's domains, who is linked with it: sessions that the password began end with it, and the change is told
 * as the connection's. Throws NO_USER for everybody else, and for those who are disabled.
 */
export async function userOf(
  db: Queryable,
  connection: Connection,
  { subject, email }: Identity,
  { requestId, now }: { requestId: string; now: Date },
): Promise<string> {
  const known = await findLinkedUser(db, connection.id, subject);
  if (known !== null) return known;
  const username = email?.trim().toLowerCase();
  const domain = username?.slice(username.lastIndexOf('@') + 1) ?? '';
  const isTheirs = connection.domains.length === 0 || connection.domains.includes(domain);
  const linked = username !== undefined && isTheirs ? await linkUser(db, connection, { subject, username }, now) : null;
  if (linked === null) throw new SsoRefusal('NO_USER');
  const { id: userId, passwordRemoved, activated } = linked;
  await endSessionsOf(db, userId, now);
  const detail = { connectionId: connection.id, passwordRemoved, activated };
  await writeAuditAs(
    db,
    { userId: null },
    { action: 'user.link', subject: 'user', subjectId: userId, detail, requestId, now },
  );
  return userId;
}
