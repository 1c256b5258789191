/** The mails and text messages that account owners get. Short and plain, because some are read on a phone; never any patient data. */
import type { TokenPurpose } from '#contract/users.ts';

export interface LetterText {
  subject: string;
  body: string;
}

/** Why a link is mailed. */
export type LinkReason = 'invited' | 'not-activated' | 'forgot' | 'locked' | 'inactive' | 'unlock' | 'reset';

const PURPOSES: Record<LinkReason, TokenPurpose> = {
  invited: 'ACCOUNT_ACTIVATION',
  'not-activated': 'ACCOUNT_ACTIVATION',
  forgot: 'PASSWORD_RESET',
  locked: 'ACCOUNT_UNLOCK',
  inactive: 'ACCOUNT_UNLOCK',
  unlock: 'ACCOUNT_UNLOCK',
  reset: 'PASSWORD_RESET',
};
export const purposeOf = (reason: LinkReason): TokenPurpose => PURPOSES[reason];

const TEXTS: Record<LinkReason, { subject: string; opening: string; action: string }> = {
  invited: {
    subject: 'Activate your Tidings account',
    opening: 'A Tidings account has been created for you.',
    action: 'Choose a password to activate it',
  },
  'not-activated': {
    subject: 'Activate your Tidings account',
    opening: "Your Tidings account isn't activated yet.",
    action: 'Choose a password to activate it',
  },
  forgot: {
    subject: 'Set a new password',
    opening: 'We received a request to reset the password for your Tidings account.',
    action: 'Set a new password',
  },
  locked: {
    subject: 'Unlock your Tidings account',
    opening: 'Your Tidings account was locked after too many wrong passwords.',
    action: 'Set a new password to unlock it',
  },
  inactive: {
    subject: 'Unlock your Tidings account',
    opening: 'Your Tidings account is locked because it was not used for 90 days.',
    action: 'Set a new password to unlock it',
  },
  unlock: {
    subject: 'Unlock your Tidings account',
    opening: 'Your Tidings account is locked, and an administrator sent you this link.',
    action: 'Set a new password to unlock it',
  },
  reset: {
    subject: 'Set a new password',
    opening: 'An administrator sent you this link to set a new password for your Tidings account.',
    action: 'Set a new password',
  },
};

/** Returns a mail with a link that works once. `validFor` is in words, e.g. '1 hour'. */
export function linkLetter(
  reason: LinkReason,
  { firstName, link, validFor }: { firstName: string; link: string; validFor: string },
): LetterText {
  const { subject, opening, action } = TEXTS[reason];
  const lines = [
    `Hello ${firstName},`,
    opening,
    `${action}:\n${link}`,
    `This link works once and expires in ${validFor}. If you weren't expecting this email, you can ignore it.`,
  ];
  return { subject, body: `${lines.join('\n\n')}\n` };
}

/** Returns a mail that says what was changed in an account: a warning, in case the owner did not do it. `what` is a sentence. */
export function noticeLetter(
  what: string,
  { firstName, publicUrl }: { firstName: string; publicUrl: string },
): LetterText {
  const body = `Hello ${firstName},\n\n${what}\n\nIf this was not you, go to ${publicUrl}/login and choose "Forgot password?" right away.\n`;
  return { subject: 'Your Tidings account was changed', body };
}

/** Returns a mail that says how a request of the owner was decided. `what` is a sentence. */
export function decisionLetter(
  what: string,
  { firstName, publicUrl }: { firstName: string; publicUrl: string },
): LetterText {
  const body = `Hello ${firstName},\n\n${what}\n\n${publicUrl}/login\n`;
  return { subject: 'Your request in Tidings was decided', body };
}

/** Returns a mail that says that the organization signs its owner in from now on, so that there is no password to set. */
export function managedLetter({ firstName }: { firstName: string }): LetterText {
  const body = `Hello ${firstName},\n\nYou now sign in to Tidings with your organization's account. Your password no longer works.\n\nIf you weren't expecting this, contact an administrator of your organization.\n`;
  return { subject: 'Your Tidings account was changed', body };
}

/** Returns a mail to the address that its owner no longer signs in with. */
export function renamedLetter(username: string, { firstName }: { firstName: string }): LetterText {
  const body = `Hello ${firstName},\n\nYour organization changed the email address that you sign in to Tidings with to ${username}. Mail from Tidings goes there from now on.\n\nIf you weren't expecting this, contact an administrator of your organization.\n`;
  return { subject: 'Your Tidings account was changed', body };
}

/** Returns a text message with the code that confirms a phone number. */
export const codeText = (code: string): LetterText => ({
  subject: '',
  body: `Your Tidings code is ${code}. It works once and expires in 10 minutes. We will never ask you for it.`,
});
