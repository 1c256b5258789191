/** Actions on an account as a whole. Each throws NOT_FOUND and NOT_PERMITTED as `findWholeTarget` does. */
import type { z } from 'zod';
import type { AdminUser, disabledUsers } from '#contract/admin.ts';
import { mailLink, mailNotice } from '#server/people/accounts/letters/send-letters.ts';
import { endSessionsOf } from '#server/people/accounts/sessions/queries.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { mailInvitation } from '../admin-mails.ts';
import { type AdminCall, type AdminDeps, administer, type Change, tryStep } from '../administer.ts';
import { clearSecondFactors, deleteUnusedTokens, setDisabled } from './queries.ts';
import { findWholeTarget } from './users.ts';

/**
 * Disables an account and ends its sessions and streams right away; does nothing if it is disabled already. Errors: NOT_PERMITTED for
 * one's own account; LAST_ADMINISTRATOR.
 */
export const disableUser = ({ db }: AdminDeps, call: AdminCall, id: string): Promise<void> =>
  administer(db, call, (change) => disable(change, id));

/** Disables several accounts in one transaction. Returns whom `disableUser` would refuse, and why; the others are disabled all the same. */
export function disableUsers(
  { db }: AdminDeps,
  call: AdminCall,
  ids: string[],
): Promise<z.infer<typeof disabledUsers>> {
  return administer(db, call, async (change) => {
    const answer: z.infer<typeof disabledUsers> = { disabled: [], refused: [] };
    for (const id of new Set(ids)) {
      const refusal = await tryStep(change, () => disable(change, id));
      if (refusal === null) answer.disabled.push(id);
      else answer.refused.push({ id, errorKey: refusal.key, message: refusal.message });
    }
    return answer;
  });
}

async function disable(change: Change, id: string): Promise<void> {
  const { tx, now, audit } = change;
  if ((await findWholeTarget(change, id)).status === 'DISABLED') return;
  await setDisabled(tx, id, now);
  await deleteUnusedTokens(tx, id);
  await endSessionsOf(tx, id, now);
  await audit({ action: 'user.disable', subject: 'user', subjectId: id });
}

export const enableUser = (deps: AdminDeps, call: AdminCall, id: string): Promise<void> =>
  actOn(deps, call, id, 'user.enable', ({ tx }) => setDisabled(tx, id, null));

/** Mails the invitation again; links in earlier ones stop working. Errors: BAD_REQUEST unless the account is waiting to be activated. */
export const resendActivation = (deps: AdminDeps, call: AdminCall, id: string): Promise<void> =>
  actOn(deps, call, id, 'user.resend-activation', async ({ tx, now }, { status, username, isSSO }) => {
    if (status !== 'INVITED') {
      throw new ApiError('BAD_REQUEST', { message: 'This account is already activated, or it is disabled.' });
    }
    await deleteUnusedTokens(tx, id);
    await mailInvitation(tx, { userId: id, username, isSSO }, deps.publicUrl, now);
  });

/**
 * Mails a link that unlocks the account. Errors: BAD_REQUEST unless the account is locked, or if the organization's single sign-on signs
 * the user in.
 */
export const sendUnlock = (deps: AdminDeps, call: AdminCall, id: string): Promise<void> =>
  actOn(deps, call, id, 'user.send-unlock', async ({ tx, now }, { status }) => {
    const mail = { userId: id, reason: 'unlock' as const, publicUrl: deps.publicUrl, unlimited: true };
    if (status !== 'LOCKED' || !(await mailLink(tx, mail, now))) {
      throw new ApiError('BAD_REQUEST', {
        message: 'This account is not locked, or its user signs in with single sign-on.',
      });
    }
  });

export const endUserSessions = (deps: AdminDeps, call: AdminCall, id: string): Promise<void> =>
  actOn(deps, call, id, 'user.end-sessions', async ({ tx, now }) => {
    await endSessionsOf(tx, id, now);
  });

/** Notifies the owner by mail. Errors: NOT_PERMITTED for one's own account, whose owner removes it in the profile. */
export const resetMfa = (deps: AdminDeps, call: AdminCall, id: string): Promise<void> =>
  actOn(deps, call, id, 'user.reset-mfa', async ({ tx, now }, { isSelf }) => {
    if (isSelf) {
      throw new ApiError('NOT_PERMITTED', { message: 'Turn off your own two-step verification in your profile.' });
    }
    await clearSecondFactors(tx, id);
    const what = 'An administrator removed two-step verification and all passkeys from your account.';
    await mailNotice(tx, { userId: id, what, publicUrl: deps.publicUrl }, now);
  });

function actOn(
  { db }: AdminDeps,
  call: AdminCall,
  id: string,
  action: string,
  fn: (change: Change, user: AdminUser) => Promise<void>,
): Promise<void> {
  return administer(db, call, async (change) => {
    await fn(change, await findWholeTarget(change, id));
    await change.audit({ action, subject: 'user', subjectId: id });
  });
}
