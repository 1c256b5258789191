/** What accounts write to their owners. Short and plain, as some read them on a phone; no patient's data ever. */
import type { TokenPurpose } from '#contract/users.ts';

export interface LetterText {
  subject: string;
  body: string;
}

/** Why a link is mailed; each of an account's states has its own words. */
export type LinkReason = 'invited' | 'not-activated' | 'forgot' | 'locked' | 'inactive';

const PURPOSES: Record<LinkReason, TokenPurpose> = {
  invited: 'ACCOUNT_ACTIVATION',
  'not-activated': 'ACCOUNT_ACTIVATION',
  forgot: 'PASSWORD_RESET',
  locked: 'ACCOUNT_UNLOCK',
  inactive: 'ACCOUNT_UNLOCK',
};
export const purposeOf = (reason: LinkReason): TokenPurpose => PURPOSES[reason];

const WORDS: Record<LinkReason, { subject: string; opening: string; deed: string }> = {
  invited: {
    subject: 'Activate your Tidings account',
    opening: 'An account has been made for you.',
    deed: 'Choose a password to activate it',
  },
  'not-activated': {
    subject: 'Activate your Tidings account',
    opening: 'Your account is not activated yet.',
    deed: 'Choose a password to activate it',
  },
  forgot: {
    subject: 'Set a new password',
    opening: 'Somebody, we hope you, asked for a new password for your account.',
    deed: 'Set it here',
  },
  locked: {
    subject: 'Unlock your Tidings account',
    opening: 'Your account was locked after too many wrong passwords.',
    deed: 'Set a new password to unlock it',
  },
  inactive: {
    subject: 'Unlock your Tidings account',
    opening: 'Your account is locked because nobody signed in to it for 90 days.',
    deed: 'Set a new password to unlock it',
  },
};

/** A letter with a link that works once. `validFor` in words, e.g. '1 hour'. */
export function linkLetter(
  reason: LinkReason,
  { firstName, link, validFor }: { firstName: string; link: string; validFor: string },
): LetterText {
  const { subject, opening, deed } = WORDS[reason];
  const lines = [
    `Hello ${firstName},`,
    opening,
    `${deed}:\n${link}`,
    `The link works once, for ${validFor}. If you did not expect this mail, you need do nothing.`,
  ];
  return { subject, body: `${lines.join('\n\n')}\n` };
}

/** Tells the owner of an account what was just done to it; a warning where it was somebody else. */
export function noticeLetter(
  what: string,
  { firstName, publicUrl }: { firstName: string; publicUrl: string },
): LetterText {
  const body = `Hello ${firstName},\n\n${what}\n\nIf that was not you, set a new password now:\n${publicUrl}/login\n`;
  return { subject: 'A change to your Tidings account', body };
}

/** A text message with the code that confirms a number. */
export const codeText = (code: string): LetterText => ({
  subject: '',
  body: `Your Tidings code is ${code}. It works once, for 10 minutes. We never ask you for it.`,
});
