/** How the test of a connection ended, as it is in the address of the page that began it (`?test=passed`). */
export const SIGN_IN_TEST_OUTCOMES = [
  'passed',
  'unreachable',
  'no-email',
  'unknown-person',
  'other-person',
  'refused',
] as const;
export type SignInTestOutcome = (typeof SIGN_IN_TEST_OUTCOMES)[number];
