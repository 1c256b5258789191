/**
 * Every error that the API can answer, with its HTTP status and its message. The messages of the first block are the
 * specification's catalogue (first file, section 8), word for word. An unknown failure is INTERNAL and nothing more.
 */
export const ERRORS = {
  EMAIL_NOT_SENT: [502, 'Sorry, something went wrong. Can you try again?'],
  USER_NOT_FOUND: [401, 'Oops! There seems to be an issue accessing this account. Contact us at the support link.'],
  USER_DISABLED: [401, 'Sorry, your account has been disabled. Contact us at the support link to unlock your account.'],
  USER_NOT_ACTIVATED: [
    401,
    "Whoops, looks like you haven't finished activating your account. We've sent you an email to help you do just that.",
  ],
  LOCKED: [
    401,
    "Your account is now locked because you've entered an incorrect password 3 times. We have sent you an email to unlock your account.",
  ],
  PASSWORD_EXPIRED: [
    401,
    'Your account is locked due to inactivity over the last 90 days. We have sent you an email to unlock your account.',
  ],

  SSO_ERROR: [401, 'There is a problem with your account. Contact us at the support link.'],
  WRONG_CODE: [401, 'This code is not right, or it was used before. Check it and try again.'],
  PASSWORD_TOO_COMMON: [400, 'This password is among those that are tried first. Choose another one.'],
  PASSWORD_HOLDS_USERNAME: [400, 'The password must not hold your username.'],
  PASSWORD_CHANGE_REQUIRED: [403, 'Your password has expired. Change it to go on.'],
  PASSKEY_REFUSED: [401, 'This passkey is not known here, or it did not work. Sign in another way.'],
  PASSWORD_USED_BEFORE: [400, 'You have used this password before. Choose another one.'],
  LAST_ADMINISTRATOR: [409, 'Nobody would be left who can manage users. Give somebody else that right first.'],
  NAME_TAKEN: [409, 'There is one with this name already.'],
  USERNAME_TAKEN: [409, 'There is an account with this username already.'],
  STILL_NEEDED: [409, 'This is still needed.'],
  CHANGED_BY_OTHER: [409, 'Somebody else has changed this since you opened it.'],
  MANAGED_ELSEWHERE: [409, 'This account signs in through its organisation, which manages the password.'],

  WRONG_PASSWORD: [401, 'The username or password is not right. Check both and try again.'],
  NOT_SIGNED_IN: [401, 'You are not signed in, or your session has ended. Sign in again.'],
  TEAM_REQUIRED: [400, 'This call needs a selected team: send its id in the header X-ping-team-id.'],
  NOT_YOUR_TEAM: [403, 'You do not belong to this team.'],
  NOT_PERMITTED: [403, 'Your role in this team does not allow this.'],
  NOT_FOUND: [404, 'This does not exist, or you have no access to it.'],
  BAD_REQUEST: [400, 'The request is not as this call expects it.'],
  FOREIGN_ORIGIN: [403, 'This request did not come from this site.'],
  TOO_LARGE: [413, 'The request is larger than this call accepts.'],
  TOO_MANY_REQUESTS: [429, 'Too many requests. Wait a moment and try again.'],
  TOO_MANY_FILTERS: [409, 'You have as many saved filters as there can be. Delete one to save another.'],
  PING_CHANGED_BY_OTHER: [409, 'Somebody else has just changed this ping.'],
  RESOLUTION_REQUIRED: [400, 'Say how this ping was resolved.'],
  OTHER_TEXT_REQUIRED: [400, 'Describe the other resolution.'],
  ROSTER_FILE_MISSING: [400, 'The upload holds no file. Send the roster as a CSV file in the field "file".'],
  ROSTER_UPLOAD_RUNNING: [409, 'Another upload for this group is still running.'],
  ROSTER_NOT_WAITING: [409, 'This upload does not wait for a confirmation.'],
  NOT_READY: [503, 'Tidings is starting. Try again in a few seconds.'],
  INTERNAL: [500, 'Something went wrong on our side. It has been recorded.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorKey = keyof typeof ERRORS;

/** Answers of the forgotten-password call (same section): a link was mailed; a link was mailed that unlocks (with the key LOCKED). */
export const RESET_REQUESTED = 'Thank you for your request to reset your password.';
export const UNLOCK_REQUESTED = 'Your account was locked due to too many failed attempts.';

/** What stands in the way of a change that was made to an older version. */
export interface Standing {
  version: string;
  /** The last change on record; null where there is none. */
  last: { name: string; date: string } | null;
}

/** The body of every answer that is not 2xx. `fields` names what is wrong in a request, by path. */
export interface ErrorBody {
  status: number;
  errorKey: ErrorKey;
  message: string;
  requestId: string;
  fields?: Record<string, string>;
  /** PING_CHANGED_BY_OTHER: what stands now, and who changed it. */
  current?: { status: string; username: string; date: string };
  /** CHANGED_BY_OTHER: the version that stands now, and who made it, as far as that is on record. */
  standing?: Standing;
}
