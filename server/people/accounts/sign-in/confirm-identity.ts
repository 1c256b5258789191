/** Asks signed-in users again who they are, before they change how their account is opened: someone else may have taken over the session. */
import { UNLOCK_REQUESTED } from '#contract/errors.ts';
import type { SessionUser } from '#server/people/access/session-user.ts';
import { auditOwnAccount } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import { mailLink } from '../letters/send-letters.ts';
import { provePasskey } from '../passkeys/passkey-proof.ts';
import { recordPasskeyUse } from '../passkeys/queries.ts';
import { countConfirmingTry, endCodeSteps } from '../second-factor/code-step.ts';
import { lockFactor, takeCode } from '../second-factor/take-code.ts';
import { recordProof } from '../sessions/queries.ts';
import { confirmPassword } from './password-check.ts';

export interface ConfirmDeps {
  db: Database;
  secrets: SecretBox;
  publicUrl: string;
}

/** One of the three. `response` is an AuthenticationResponseJSON, as the browser sends it. */
export type Proof = { password: string } | { code: string } | { response: Record<string, unknown> };

type Way = 'password' | 'code' | 'recovery code' | 'passkey';

/**
 * Makes the session fresh. Wrong tries count as at sign-in. Throws WRONG_PASSWORD, WRONG_CODE or PASSKEY_REFUSED; LOCKED, after mailing a
 * link to unlock; MANAGED_ELSEWHERE if the organization signs the user in, who then has to sign in again.
 */
export async function confirmIdentity(
  deps: ConfirmDeps,
  user: SessionUser,
  { proof, deviceToken, requestId }: { proof: Proof; deviceToken: string | undefined; requestId: string },
  now: Date,
): Promise<void> {
  const way = await prove(deps, user, { proof, deviceToken }, now);
  await deps.db.transaction(async (tx) => {
    await recordProof(tx, user.sessionHash, now);
    await auditOwnAccount(tx, user.userId, { action: 'identity.confirm', detail: { way }, requestId, now });
  });
}

async function prove(
  deps: ConfirmDeps,
  user: SessionUser,
  { proof, deviceToken }: { proof: Proof; deviceToken: string | undefined },
  now: Date,
): Promise<Way> {
  const { db, publicUrl } = deps;
  if ('password' in proof) {
    await confirmPassword(db, { ...user, password: proof.password, deviceToken, publicUrl }, now);
    return 'password';
  }
  return 'code' in proof ? proveByCode(deps, user, proof.code, now) : proveByPasskey(deps, user, proof.response, now);
}

async function proveByCode(
  { db, secrets, publicUrl }: ConfirmDeps,
  { userId, sessionHash }: SessionUser,
  code: string,
  now: Date,
): Promise<Way> {
  const { isLocked } = await countConfirmingTry(db, { userId, sessionHash }, now);
  if (isLocked) {
    await db.transaction((tx) => mailLink(tx, { userId, reason: 'locked', publicUrl }, now));
    throw new ApiError('LOCKED', { message: UNLOCK_REQUESTED });
  }
  return db.transaction(async (tx) => {
    const factor = await lockFactor(tx, userId);
    if (factor === undefined) throw new ApiError('MANAGED_ELSEWHERE');
    const kind = await takeCode(tx, secrets, { userId, factor, code }, now);
    if (kind === null) throw new ApiError('WRONG_CODE');
    await endCodeSteps(tx, userId);
    return kind;
  });
}

async function proveByPasskey(
  { db, publicUrl }: ConfirmDeps,
  { userId }: SessionUser,
  response: Record<string, unknown>,
  now: Date,
): Promise<Way> {
  const refusal = await db.transaction(async (tx) => {
    const proved = await provePasskey(tx, { response, publicUrl }, now);
    if (proved === null || proved.passkey.userId !== userId) return 'PASSKEY_REFUSED' as const;
    if (proved.passkey.isManagedElsewhere) return 'MANAGED_ELSEWHERE' as const;
    await recordPasskeyUse(tx, proved.passkey.id, proved.counter, now);
    return null;
  });
  if (refusal !== null) throw new ApiError(refusal);
  return 'passkey';
}
