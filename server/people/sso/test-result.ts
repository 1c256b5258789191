/** How the administrator who tests a connection learns the result. */
import type { SignInTestOutcome } from '#contract/sign-in-test.ts';
import { isUnreachable, SsoRefusal } from './refusal.ts';

/** Returns the page on which a test began, with the result. */
export const testResultPage = (page: string, outcome: SignInTestOutcome): string =>
  `${page.split('?')[0]}?${new URLSearchParams({ test: outcome }).toString()}`;

/** Returns what an administrator can act on. Everything else that may be wrong is in the log. */
export function outcomeOf(error: unknown): SignInTestOutcome {
  if (isUnreachable(error)) return 'unreachable';
  if (!(error instanceof SsoRefusal)) return 'refused';
  switch (error.code) {
    case 'NO_EMAIL':
      return 'no-email';
    case 'NO_USER':
      return 'unknown-person';
    case 'OTHER_PERSON':
      return 'other-person';
    default:
      return 'refused';
  }
}
