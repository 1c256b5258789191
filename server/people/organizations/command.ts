/** What the commands of `npm run organization` share: how they refuse, what they write into the audit log, and how a link reaches its reader. */
import { BY_COMMAND } from '#contract/audit-log-words.ts';
import { tokenPath } from '#contract/users.ts';
import { type LinkReason, purposeOf } from '#server/people/accounts/letters/letter-texts.ts';
import { issueToken, TOKEN_LIFE } from '#server/people/accounts/letters/mailed-tokens.ts';
import { mailLink } from '#server/people/accounts/letters/send-letters.ts';
import { type AuditEntry, writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Queryable } from '#server/platform/database/pool.ts';

/** Why a command did nothing, in a sentence for whoever typed it. */
export class CommandRefused extends Error {
  override name = 'CommandRefused';
}

/** Where the link leads, and whether it is printed instead of mailed. */
export interface LinkWay {
  publicUrl: string;
  isPrinted: boolean;
}

export interface Step {
  tx: Queryable;
  now: Date;
  way: LinkWay;
}

/** A link that was mailed, or one that has to be handed over. `validFor` is in words, e.g. '7 days'. */
export type GivenLink = { by: 'mail'; validFor: string } | { by: 'link'; validFor: string; link: string };

/** Writes an entry "Command on the server", which has no user. */
export const audit = (
  { tx, now }: Step,
  { detail = {}, ...entry }: Pick<AuditEntry, 'action' | 'subject' | 'subjectId' | 'detail'>,
): Promise<void> =>
  writeAuditAs(tx, { userId: null }, { ...entry, detail: { ...detail, by: BY_COMMAND }, requestId: null, now });

/** Mails or returns a link by which the owner of an account sets a password. The caller has checked that the account may have one. */
export async function giveLink({ tx, now, way }: Step, userId: string, reason: LinkReason): Promise<GivenLink> {
  const purpose = purposeOf(reason);
  const validFor = TOKEN_LIFE[purpose].words;
  if (way.isPrinted) {
    const link = way.publicUrl + tokenPath(purpose, await issueToken(tx, userId, purpose, now));
    return { by: 'link', validFor, link };
  }
  await mailLink(tx, { userId, reason, publicUrl: way.publicUrl, unlimited: true }, now);
  return { by: 'mail', validFor };
}
