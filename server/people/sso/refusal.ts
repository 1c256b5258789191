/** Why somebody who came back from the other side is not signed in. For the log; the person reads SSO_ERROR in every case. */
export const REFUSALS = [
  'NO_CONNECTION',
  'NO_CHALLENGE',
  'ISSUER_DIFFERS',
  'NO_SUBJECT',
  'NO_USER',
  'NO_ASSERTION',
  'NOT_FOR_US',
  'ASSERTION_USED',
  'WEAK_SIGNATURE',
  'EHR_REFUSED',
] as const;

export class SsoRefusal extends Error {
  override name = 'SsoRefusal';
  readonly code: (typeof REFUSALS)[number];

  constructor(code: (typeof REFUSALS)[number]) {
    super(code);
    this.code = code;
  }
}
