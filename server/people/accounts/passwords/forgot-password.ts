import { type ErrorKey, RESET_REQUESTED, UNLOCK_REQUESTED } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { LinkReason } from '../letters/letter-texts.ts';
import { canMail, mailLink } from '../letters/send-letters.ts';
import { whyClosed } from '../sign-in/account-state.ts';
import { deviceHashOf, isLocked, placeOf } from '../sign-in/lockout.ts';
import { type Candidate, findCandidate } from '../sign-in/queries.ts';

export interface ForgotDeps {
  db: Database;
  config: Pick<Config, 'publicUrl' | 'smtp' | 'demo' | 'neutralAnswers'>;
  /** Reports a failure after the answer has gone out. */
  report: (error: unknown) => void;
}

export interface ForgotRequest {
  username: string;
  deviceToken: string | undefined;
}

/** What an account's state calls for. Without an error the answer is RESET_REQUESTED. */
interface Outcome {
  reason: LinkReason | null;
  error: { key: ErrorKey; message?: string } | null;
}

/**
 * Mails the link that the account's state calls for. Returns the message for a reset; every other state throws its error: USER_NOT_FOUND,
 * USER_DISABLED, USER_NOT_ACTIVATED, LOCKED, PASSWORD_EXPIRED or MANAGED_ELSEWHERE, and EMAIL_NOT_SENT if this installation sends no mail.
 * With neutral answers every username gets the answer of a reset, equally fast, so that it does not reveal who has an account.
 */
export async function requestReset(
  { db, config, report }: ForgotDeps,
  request: ForgotRequest,
  now: Date,
): Promise<string> {
  if (!canMail(config)) throw new ApiError('EMAIL_NOT_SENT');
  const answer = answerByState(db, config.publicUrl, request, now);
  if (!config.neutralAnswers) return answer;
  answer.catch((error: unknown) => {
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
  const closed = whyClosed(candidate, now);
  if (closed === 'USER_DISABLED') return { reason: null, error: { key: closed } };
  if (candidate.isManagedElsewhere) return { reason: null, error: { key: 'MANAGED_ELSEWHERE' } };
  if (closed === 'USER_NOT_ACTIVATED') return { reason: 'not-activated', error: { key: closed } };
  if (locked) return { reason: 'locked', error: { key: 'LOCKED', message: UNLOCK_REQUESTED } };
  if (closed === 'PASSWORD_EXPIRED') return { reason: 'inactive', error: { key: closed } };
  return { reason: 'forgot', error: null };
}
