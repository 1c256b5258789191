/** `npm run organization -- unlock`: a link to a new password, for whoever can't have one by "Forgot password?" or from an administrator. */
import type { ChangeAction } from '#contract/change-words.ts';
import type { LinkReason } from '#server/people/accounts/letters/letter-texts.ts';
import { audit, CommandRefused, type GivenLink, giveLink, type Step } from './command.ts';
import * as queries from './queries.ts';

const LINKS = {
  INVITED: { reason: 'not-activated', action: 'user.resend-activation' },
  LOCKED: { reason: 'unlock', action: 'user.send-unlock' },
  ACTIVE: { reason: 'reset', action: 'user.send-reset' },
} as const satisfies Record<string, { reason: LinkReason; action: ChangeAction }>;

/**
 * Gives an account the link that its state calls for. No command opens an account as it is: whoever is locked out has had the password guessed
 * at, or has not used it for 90 days (docs/decisions/0016). Throws CommandRefused if there is no such account, if it is disabled, and if it has
 * no password because its organization signs it in.
 */
export async function sendPasswordLink(step: Step, username: string): Promise<GivenLink> {
  const { tx, now } = step;
  const account = await queries.findAccount(tx, username);
  if (account === null) throw new CommandRefused(`There is no account with the address ${username}`);
  const status = await queries.statusOf(tx, account.id, now);
  if (status === 'DISABLED') throw new CommandRefused(`The account of ${username} is disabled`);
  if (status === 'CREATED' || (await queries.isManagedElsewhere(tx, account.id)))
    throw new CommandRefused(`${username} signs in with the account of their organization, so there is no password`);
  const { reason, action } = LINKS[status];
  await audit(step, { action, subject: 'user', subjectId: account.id });
  return giveLink(step, account.id, reason);
}
