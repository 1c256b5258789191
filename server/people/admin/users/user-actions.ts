/**
 * Actions on an account as a whole, on one or on several. Each throws NOT_FOUND and NOT_PERMITTED as `findWholeTarget` does; of several,
 * those that are refused stop none of the others.
 */
import type { ChangedUsers, UserChange } from '#contract/user-changes.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { mailLink, mailNotice } from '#server/people/accounts/letters/send-letters.ts';
import { endSessionById, endSessionsOf } from '#server/people/accounts/sessions/queries.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { mailInvitation } from '../admin-mails.ts';
import { type AdminDeps, administer, type Change, tryEach } from '../administer.ts';
import { changeAccess } from './bulk-access.ts';
import { clearSecondFactors, deleteUnusedTokens, setDisabled } from './queries.ts';
import { passOnStays } from './taken-stays.ts';
import { findWholeTarget } from './users.ts';

type Action = (change: Change, id: string, deps: AdminDeps) => Promise<void>;

/**
 * Disables an account, ends its sessions and streams right away, and passes on the stays that the user has taken; does nothing if it is disabled
 * already. Errors: LAST_ADMINISTRATOR; as `passOnStays`.
 */
const disabling =
  (stays?: Parameters<typeof passOnStays>[2]): Action =>
  async (change, id) => {
    const { tx, now, audit } = change;
    if ((await findWholeTarget(change, id)).status === 'DISABLED') return;
    await setDisabled(tx, id, now);
    await deleteUnusedTokens(tx, id);
    await endSessionsOf(tx, id, now);
    const passedOn = await passOnStays(change, id, stays);
    await audit({
      action: 'user.disable',
      subject: 'user',
      subjectId: id,
      detail: passedOn.length > 0 ? { stays: passedOn } : {},
    });
  };

const enable: Action = async (change, id) => {
  await findWholeTarget(change, id);
  await setDisabled(change.tx, id, null);
  await change.audit({ action: 'user.enable', subject: 'user', subjectId: id });
};

/** Mails the invitation again; links in earlier ones stop working. Errors: BAD_REQUEST unless the account is waiting to be activated. */
const invite: Action = async (change, id, { publicUrl }) => {
  const { tx, now, audit } = change;
  const { status, username, isSSO } = await findWholeTarget(change, id);
  if (status === 'CREATED') {
    throw new ApiError('BAD_REQUEST', {
      message:
        'The identity provider created this account, so there is no invitation. They sign in with single sign-on.',
    });
  }
  if (status !== 'INVITED') {
    throw new ApiError('BAD_REQUEST', { message: 'This account is already activated, or it is disabled.' });
  }
  await deleteUnusedTokens(tx, id);
  await mailInvitation(tx, { userId: id, username, isSSO }, publicUrl, now);
  await audit({ action: 'user.resend-activation', subject: 'user', subjectId: id });
};

/**
 * Mails a link that unlocks the account. Errors: BAD_REQUEST unless the account is locked, or if the organization's single sign-on signs
 * the user in.
 */
const unlock: Action = async (change, id, { publicUrl }) => {
  const { tx, now, audit } = change;
  const { status } = await findWholeTarget(change, id);
  const mail = { userId: id, reason: 'unlock' as const, publicUrl, unlimited: true };
  if (status !== 'LOCKED' || !(await mailLink(tx, mail, now))) {
    throw new ApiError('BAD_REQUEST', {
      message: 'This account is not locked, or its user signs in with single sign-on.',
    });
  }
  await audit({ action: 'user.send-unlock', subject: 'user', subjectId: id });
};

/** Mails a link with which the user sets a new password. Errors: BAD_REQUEST unless the account has a password that may be used. */
const reset: Action = async (change, id, { publicUrl }) => {
  const { tx, now, audit } = change;
  const { status, isSSO } = await findWholeTarget(change, id);
  const mail = { userId: id, reason: 'reset' as const, publicUrl, unlimited: true };
  const has = status === 'ACTIVE' || status === 'LOCKED';
  if (!has || isSSO || !(await mailLink(tx, mail, now))) {
    throw new ApiError('BAD_REQUEST', {
      message:
        'This account is not active, or its user signs in with single sign-on, so there is no password to reset.',
    });
  }
  await audit({ action: 'user.send-reset', subject: 'user', subjectId: id });
};

const endSessions: Action = async (change, id) => {
  await findWholeTarget(change, id);
  await endSessionsOf(change.tx, id, change.now);
  await change.audit({ action: 'user.end-sessions', subject: 'user', subjectId: id });
};

/** Notifies the owner by mail. Errors: NOT_PERMITTED for one's own account, whose owner removes it in the profile. */
const removeFactors: Action = async (change, id, { publicUrl }) => {
  const { tx, now, audit } = change;
  const { isSelf } = await findWholeTarget(change, id);
  if (isSelf) {
    throw new ApiError('NOT_PERMITTED', { message: 'Turn off your own two-step verification in your profile.' });
  }
  await clearSecondFactors(tx, id);
  const what = 'An administrator removed two-step verification and all passkeys from your account.';
  await mailNotice(tx, { userId: id, what, publicUrl }, now);
  await audit({ action: 'user.reset-mfa', subject: 'user', subjectId: id });
};

const onOne =
  (action: Action) =>
  (deps: AdminDeps, call: ActorCall, id: string): Promise<void> =>
    administer(deps.db, call, (change) => action(change, id, deps));

export const disableUser = onOne(disabling());
export const enableUser = onOne(enable);
export const resendActivation = onOne(invite);
export const sendUnlock = onOne(unlock);
export const sendReset = onOne(reset);
export const endUserSessions = onOne(endSessions);
export const resetMfa = onOne(removeFactors);

/** Ends one session. Errors: NOT_FOUND, also for a session that has ended. */
export const endUserSession = (
  { db }: AdminDeps,
  call: ActorCall,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<void> =>
  administer(db, call, async (change) => {
    await findWholeTarget(change, id);
    if ((await endSessionById(change.tx, id, sessionId, change.now)) === 0) throw new ApiError('NOT_FOUND');
    await change.audit({ action: 'user.end-session', subject: 'user', subjectId: id });
  });

/** Changes several accounts in the same way, in one transaction. Returns whom an action on one would refuse, and why. */
export function changeUsers(
  deps: AdminDeps,
  call: ActorCall,
  { ids, change: wanted }: { ids: readonly string[]; change: UserChange },
): Promise<ChangedUsers> {
  const action = actionOf(wanted);
  return administer(deps.db, call, async (change) => {
    const answer: ChangedUsers = { changed: [], refused: [] };
    const each = [...new Set(ids)];
    const refusals = await tryEach(change, each, (id) => action(change, id, deps));
    for (const id of each) {
      const refusal = refusals.get(id);
      if (refusal === undefined) answer.changed.push(id);
      else answer.refused.push({ id, errorKey: refusal.key, message: refusal.message });
    }
    return answer;
  });
}

function actionOf(wanted: UserChange): Action {
  switch (wanted.kind) {
    case 'DISABLE':
      return disabling(wanted.stays);
    case 'ENABLE':
      return enable;
    case 'END_SESSIONS':
      return endSessions;
    case 'RESEND_ACTIVATION':
      return invite;
    case 'SEND_RESET':
      return reset;
    default:
      return (change, id) => changeAccess(change, id, wanted);
  }
}
