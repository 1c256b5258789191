import { SIGN_IN_TEST_OUTCOMES, type SignInTestOutcome } from '#contract/sign-in-test.ts';

/** The part of the page's state that is in the URL: how the test ended from which the browser has just come back. */
export interface ConnectionsSearch {
  test?: SignInTestOutcome;
}

/** Reads the state from a URL, ignoring what is invalid. */
export const connectionsSearch = ({ test }: Record<string, unknown>): ConnectionsSearch => {
  const outcome = SIGN_IN_TEST_OUTCOMES.find((each) => each === test);
  return outcome ? { test: outcome } : {};
};
