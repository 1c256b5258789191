import { type ErrorKey, RESET_REQUESTED, UNLOCK_REQUESTED } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { LinkReason } from '../letters/letter-texts.ts';
import { canMail, mailLink } from '../letters/send-letters.ts';
import { refusalOf } from '../sign-in/begin-session.ts';
import { isLocked } from '../sign-in/lockout.ts';
import { deviceHashOf, placeOf } from '../sign-in/password-check.ts';
import { type Candidate, findCandidate } from '../sign-in/queries.ts';

export interface ForgotDeps {
  db: Database;
  config: Pick<Config, 'publicUrl' | 'smtp' | 'demo' | 'neutralAnswers'>;
  /** Where a failure is told that nobody waits for. */
  report: (error: unknown) => void;
}

export interface ForgotRequest {
  username: string;
  deviceToken: string | undefined;
}

/** What the state of an account asks for: a mail, an error, both, or neither. */
interface Outcome {
  reason: LinkReason | null;
  error: { key: ErrorKey; message?: string } | null;
}

/**
 * Mails the link that the state of the account asks for, and answers the catalogue's message of that state: as the returned text
 * for a reset, else as an error (USER_NOT_FOUND, USER_DISABLED, USER_NOT_ACTIVATED, LOCKED, PASSWORD_EXPIRED, MANAGED_ELSEWHERE; EMAIL_NOT_SENT
 * where no mails leave this installation). With neutral answers every name is answered like a reset, and as fast.
 */
export async function requestReset(
  { db, config, report }: ForgotDeps,
  request: ForgotRequest,
  now: Date,
): Promise<string> {
  if (!canMail(config)) throw new ApiError('EMAIL_NOT_SENT');
  const work = answerByState(db, config.publicUrl, request, now);
  if (!config.neutralAnswers) return work;
  work.catch((error: unknown) => {
    if (!(error instanceof ApiError)) report(error);
  });
  return RESET_REQUESTED;
}

async function answerByState(
  db: Database,
  publicUrl: string,
  { username, deviceToken }: ForgotRequest,
  now: Date,
): Promise<string> {
  const deviceHash = deviceHashOf(deviceToken ?? '', username);
  const candidate = await findCandidate(db, username, deviceHash);
  if (candidate === null) throw new ApiError('USER_NOT_FOUND');
  const place = placeOf(username, deviceHash, candidate.knowsDevice);
  const { reason, error } = outcomeOf(candidate, await isLocked(db, place, candidate.guesses), now);
  if (reason !== null) {
    await db.transaction((tx) => mailLink(tx, { userId: candidate.id, reason, publicUrl }, now));
  }
  if (error !== null) throw new ApiError(error.key, error.message === undefined ? {} : { message: error.message });
  return RESET_REQUESTED;
}

function outcomeOf(candidate: Candidate, locked: boolean, now: Date): Outcome {
  const refusal = refusalOf(candidate, now);
  if (refusal === 'USER_DISABLED') return { reason: null, error: { key: refusal } };
  if (candidate.isManagedElsewhere) return { reason: null, error: { key: 'MANAGED_ELSEWHERE' } };
  if (refusal === 'USER_NOT_ACTIVATED') return { reason: 'not-activated', error: { key: refusal } };
  if (locked) return { reason: 'locked', error: { key: 'LOCKED', message: UNLOCK_REQUESTED } };
  if (refusal === 'PASSWORD_EXPIRED') return { reason: 'inactive', error: { key: refusal } };
  return { reason: 'forgot', error: null };
}
