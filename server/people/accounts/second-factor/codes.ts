/** Time-based codes (RFC 6238) as authenticator apps show them: SHA-1, six digits, 30 seconds. */
import { generateSecret, generateURI, verifySync } from 'otplib';

/** In seconds. */
const STEP = 30;

export const newSecret = (): string => generateSecret();

/** Returns the address that an authenticator app reads from the QR code. */
export const otpauthUrl = (secret: string, username: string, issuer: string): string =>
  generateURI({ secret, label: username, issuer });

/**
 * Returns the time step of a right code, or null. Accepts one step early or late (RFC 6238, 5.2), but none at or before `lastStep`, so that no
 * code works twice.
 */
export function timeStepOf(code: string, secret: string, lastStep: number | null, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: STEP });
  if (!result.valid) return null;
  const step = Math.floor(epoch / STEP) + result.delta;
  return lastStep !== null && step <= lastStep ? null : step;
}
