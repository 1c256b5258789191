/** What is done to an account as a whole. Each throws NOT_FOUND and NOT_PERMITTED as `wholeTargetOf` does. */
import type { z } from 'zod';
import type { AdminUser, disabledUsers } from '#contract/admin.ts';
import { endSessionsOf } from '#server/people/accounts/sessions/queries.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { type AdminDeps, administer, attempt, type Change, type Deed } from '../administer.ts';
import { mailActivation } from '../mails.ts';
import { clearSecondFactors, dropTokens, setDisabled } from './user-act-queries.ts';
import { wholeTargetOf } from './users.ts';

/** Ends sessions and streams at once; nothing where it is done. Errors: NOT_PERMITTED for one's own account; LAST_ADMINISTRATOR. */
export const disableUser = ({ db }: AdminDeps, deed: Deed, id: string): Promise<void> =>
  administer(db, deed, (change) => disable(change, id));

/** The same with several in one transaction: who is refused, for whatever `disableUser` throws, holds up nobody else. */
export function disableUsers({ db }: AdminDeps, deed: Deed, ids: string[]): Promise<z.infer<typeof disabledUsers>> {
  return administer(db, deed, async (change) => {
    const answer: z.infer<typeof disabledUsers> = { disabled: [], refused: [] };
    for (const id of new Set(ids)) {
      const refusal = await attempt(change, () => disable(change, id));
      if (refusal === null) answer.disabled.push(id);
      else answer.refused.push({ id, errorKey: refusal.key, message: refusal.message });
    }
    return answer;
  });
}

async function disable(change: Change, id: string): Promise<void> {
  const { tx, now, audit } = change;
  if ((await wholeTargetOf(change, id)).status === 'DISABLED') return;
  await setDisabled(tx, id, now);
  await dropTokens(tx, id);
  await endSessionsOf(tx, id, now);
  await audit({ action: 'user.disable', subject: 'user', subjectId: id });
}

export const enableUser = (deps: AdminDeps, deed: Deed, id: string): Promise<void> =>
  act(deps, deed, id, 'user.enable', ({ tx }) => setDisabled(tx, id, null));

/** Mails the invitation again; links of earlier ones work no longer. Errors: BAD_REQUEST unless the account waits for it. */
export const resendActivation = (deps: AdminDeps, deed: Deed, id: string): Promise<void> =>
  act(deps, deed, id, 'user.resend-activation', async ({ tx, now }, { status, username, isSSO }) => {
    if (status !== 'INVITED') {
      throw new ApiError('BAD_REQUEST', { message: 'This account is activated already, or disabled.' });
    }
    await dropTokens(tx, id);
    await mailActivation(tx, { userId: id, username, isSSO }, deps.publicUrl, now);
  });

export const endUserSessions = (deps: AdminDeps, deed: Deed, id: string): Promise<void> =>
  act(deps, deed, id, 'user.end-sessions', async ({ tx, now }) => {
    await endSessionsOf(tx, id, now);
  });

/** Errors: NOT_PERMITTED for one's own account, where the profile asks for the password first. */
export const resetMfa = (deps: AdminDeps, deed: Deed, id: string): Promise<void> =>
  act(deps, deed, id, 'user.reset-mfa', async ({ tx }, { isSelf }) => {
    if (isSelf) throw new ApiError('NOT_PERMITTED', { message: 'Remove your own second factor in your profile.' });
    await clearSecondFactors(tx, id);
  });

function act(
  { db }: AdminDeps,
  deed: Deed,
  id: string,
  action: string,
  fn: (change: Change, user: AdminUser) => Promise<void>,
): Promise<void> {
  return administer(db, deed, async (change) => {
    await fn(change, await wholeTargetOf(change, id));
    await change.audit({ action, subject: 'user', subjectId: id });
  });
}
