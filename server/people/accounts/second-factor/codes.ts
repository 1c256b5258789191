/** Time-based codes (RFC 6238: SHA-1, six digits, 30 seconds, as authenticator apps have them). */
import { generateSecret, generateURI, verifySync } from 'otplib';

/** In seconds. */
const STEP = 30;

export const newSecret = (): string => generateSecret();

/** What an authenticator app reads from the QR picture. */
export const otpauthUrl = (secret: string, username: string, issuer: string): string =>
  generateURI({ secret, label: username, issuer });

/**
 * The time step of a right code, or null. One step early or late is taken (RFC 6238, 5.2); one at or before `lastStep` is not, so that
 * no code works twice.
 */
export function stepOf(code: string, secret: string, lastStep: number | null, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: STEP });
  if (!result.valid) return null;
  const step = Math.floor(epoch / STEP) + result.delta;
  return lastStep !== null && step <= lastStep ? null : step;
}
