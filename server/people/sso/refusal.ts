/** Why a single sign-on was refused. Only the log says so; the user sees SSO_ERROR in every case. */
export type RefusalCode =
  | 'NO_CONNECTION'
  | 'NO_PENDING_SIGN_IN'
  | 'ISSUER_DIFFERS'
  | 'NO_SUBJECT'
  | 'NO_USER'
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

  constructor(code: RefusalCode) {
    super(code);
    this.code = code;
  }
}
