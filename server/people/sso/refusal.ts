/** Why a single sign-on was refused. Only the log says so; the user sees SSO_ERROR in every case. */
export type RefusalCode =
  | 'NO_CONNECTION'
  | 'NO_PENDING_SIGN_IN'
  | 'ISSUER_DIFFERS'
  | 'NO_SUBJECT'
  | 'NO_USER'
  | 'NO_EMAIL'
  | 'OTHER_PERSON'
  | 'UNREACHABLE'
  | 'NO_KEYS'
  | 'NO_ASSERTION'
  | 'NOT_FOR_US'
  | 'ASSERTION_USED'
  | 'OVERSIZED'
  | 'BUSY'
  | 'TOO_COSTLY'
  | 'RESPONSE_INVALID'
  | 'WEAK_SIGNATURE'
  | 'ENDPOINT_REFUSED'
  | 'EHR_REFUSED';

export class SsoRefusal extends Error {
  override name = 'SsoRefusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** Returns whether a sign-in failed because the provider did not answer, which may pass. The OAuth library wraps what refused a call. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error instanceof SsoRefusal && error.code === 'UNREACHABLE') || isUnreachable(error.cause);
}
