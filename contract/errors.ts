/**
 * Every error that the API answers, with its HTTP status and the message people read. The first block and SSO_ERROR are the product's
 * agreed wording and stay word for word. A failure that we did not foresee is INTERNAL and says nothing more.
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
  SSO_UNREACHABLE: [
    503,
    "Your organization's sign-in service can't be reached. Try again in a few minutes, or contact your administrator.",
  ],
  WRONG_CODE: [401, 'This code is incorrect or was already used. Check it and try again.'],
  PASSWORD_TOO_COMMON: [400, 'This password is too common and easy to guess. Choose another one.'],
  PASSWORD_HOLDS_USERNAME: [400, "Don't use your username in your password."],
  PASSWORD_CHANGE_REQUIRED: [403, 'Your password has expired. Change it to continue.'],
  SECOND_FACTOR_REQUIRED: [403, 'Your account needs two-step verification or a passkey. Set one up to continue.'],
  REAUTHENTICATION_REQUIRED: [403, "Confirm it's you, then try again. Nothing was changed."],
  PASSKEY_REQUIRED: [401, 'Your account needs a second step. Sign in with your passkey instead of your password.'],
  PASSKEY_REFUSED: [401, "This passkey didn't work or isn't registered here. Sign in another way."],
  PASSWORD_USED_BEFORE: [400, "You've used this password before. Choose a new one."],
  LAST_ADMINISTRATOR: [
    409,
    'No one would be left to manage users, so nothing was changed. Give someone else that permission first.',
  ],
  NAME_TAKEN: [409, 'This name is already in use. Choose another one.'],
  USERNAME_TAKEN: [409, 'An account with this username already exists.'],
  STILL_NEEDED: [409, "This is still in use, so it can't be removed."],
  CHANGED_BY_OTHER: [409, 'Someone else changed this while you had it open.'],
  DOMAIN_RECORD_NOT_FOUND: [
    409,
    "We couldn't find this TXT record yet, so the domain is still pending. A new record can take a few hours to appear. Check it, then try again.",
  ],
  DOMAIN_TAKEN: [
    409,
    "Another connection already uses this domain, so it wasn't verified. Contact us at the support link if it belongs to you.",
  ],
  MANAGED_ELSEWHERE: [409, 'This account signs in through your organization, which manages the password.'],

  WRONG_PASSWORD: [401, 'Incorrect username or password. Check both and try again.'],
  NOT_SIGNED_IN: [401, "You're not signed in, or your session has ended. Sign in again."],
  TEAM_REQUIRED: [400, 'No team is selected. Send the team id in the X-ping-team-id header.'],
  NOT_YOUR_TEAM: [403, "You're not a member of this team. Choose another team."],
  NOT_PERMITTED: [403, "Your role on this team doesn't allow this. An administrator can change your role."],
  EXPORT_TOO_MANY_ROWS: [
    409,
    'This list has more than 250,000 rows, so nothing was exported. Add a filter, then try again.',
  ],
  EXPORT_WITHHELD: [
    409,
    "A consent ended, or a facility came under 42 CFR Part 2, after this export was made, so it can't be downloaded. Start a new export.",
  ],
  NOT_FOUND: [404, "This doesn't exist, or you don't have access to it."],
  BAD_REQUEST: [400, "Some of what was sent isn't valid. Nothing was changed. Check your entries and try again."],
  FOREIGN_ORIGIN: [403, "This request didn't come from this site, so it was refused."],
  TOO_LARGE: [413, 'This is larger than the server accepts, so nothing was saved. Try a smaller file.'],
  UNSUPPORTED_TYPE: [415, "This type of content isn't supported, so nothing was saved. Send JSON."],
  HEADERS_TOO_LARGE: [
    431,
    'Your browser sent more along than the server accepts, usually because of cookies. Nothing was changed. Clear the cookies for this site, then try again.',
  ],
  TOO_MANY_REQUESTS: [429, 'Too many requests. Wait a moment, then try again.'],
  TOO_MANY_FILTERS: [409, "You've reached the limit for saved filters. Delete one to save another."],
  PING_RETRACTED: [409, 'The event was retracted, so its ping can only be dismissed.'],
  PING_CHANGED_BY_OTHER: [409, 'Someone else just changed this ping.'],
  RESOLUTION_REQUIRED: [400, 'Choose at least one reason.'],
  OTHER_TEXT_REQUIRED: [400, 'Add details about the other reason.'],
  ROSTER_FILE_MISSING: [400, 'No file was received. Send the roster as a CSV file in the field "file".'],
  UPLOAD_STALLED: [
    408,
    'The file stopped arriving, so the roster has not changed. Check your connection, then upload the file again.',
  ],
  ROSTER_UPLOAD_RUNNING: [409, 'Another upload for this group is still running. Try again once it has finished.'],
  ROSTER_NOT_WAITING: [409, "This upload isn't waiting to be confirmed. Reload the page to see where it is."],
  ROSTER_NO_UNDO: [
    409,
    "This upload can't be undone any more: more than a day has passed, or the roster has been replaced since. Nothing was changed. Upload the earlier file again instead.",
  ],
  ROSTER_NEEDS_OPERATOR: [
    403,
    "This is the group's first roster, so Tidings support checks it before it is applied. Your file is kept. You don't need to do anything.",
  ],
  FACILITY_NEEDS_OPERATOR: [
    403,
    "Tidings support hasn't approved manual entry at this facility yet, so this was not saved. Try again once your administrator sees it as approved.",
  ],
  IDENTITY_GUESSES: [
    429,
    'Several entries describe the same person with different details, so this one was not saved. Check the details with your source, or contact support. You can try again tomorrow.',
  ],
  EMERGENCY_LIMIT: [
    429,
    'You can open 5 patients an hour and 15 a day with emergency access, so this one was not opened. Administrators were notified. If the patient needs help now, call the facility.',
  ],
  OWN_ENTRY: [
    403,
    'You uploaded or entered this patient, so someone else has to decide this match. Nothing was changed. Ask another administrator.',
  ],
  REVIEW_OUTSIDE: [
    403,
    'A possible match is outside your organization, so only Tidings support can decide this. Nothing was changed.',
  ],
  NOT_CLEAR: [
    409,
    'This match is no longer clear, because its records or possible matches have changed. Nothing was changed. Compare it again.',
  ],
  REVIEW_CHANGED: [
    409,
    'The records or the possible matches have changed since you opened this match. Nothing was changed. Compare them again.',
  ],
  MATCH_CHANGED: [
    409,
    'No automatic match links this record to someone else, so there is nothing to take apart. Nothing was changed. Reload the page.',
  ],
  REVIEW_DECIDED: [409, 'This match was already decided, so your decision was not saved.'],
  REVIEW_CONTRADICTED: [
    409,
    'An earlier decision says that two of these records belong to different people, so this match stays open. Nothing was changed. Undo that decision under Decided first.',
  ],
  LINK_NOT_VALID: [404, 'This link is no longer valid. Ask the person who sent it for a new one.'],
  WRONG_BIRTH_DATE: [403, "This isn't the birth date of the patient this link is about. Check it and try again."],
  NOT_LISTED: [
    409,
    'This person is no longer on a list, so your decision was not saved. If they are listed again, the match comes back.',
  ],
  NOT_READY: [503, 'Tidings is starting. Try again in a few seconds.'],
  BUSY: [503, 'Tidings is very busy right now, so nothing was changed. Try again in a few seconds.'],
  INTERNAL: [500, 'Something went wrong on our end, and we recorded it. Try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorKey = keyof typeof ERRORS;

/** What "Forgot password" says once a link to reset was mailed, and once a link to unlock was mailed (with the key LOCKED). Agreed wording, as above. */
export const RESET_REQUESTED = 'Thank you for your request to reset your password.';
export const UNLOCK_REQUESTED = 'Your account was locked due to too many failed attempts.';

/** What replaces the promise of an email where this installation sends none. */
export const WITHOUT_MAIL = {
  USER_NOT_ACTIVATED:
    "Whoops, looks like you haven't finished activating your account. Contact us at the support link.",
  LOCKED:
    "Your account is now locked because you've entered an incorrect password 3 times. Contact us at the support link to unlock your account.",
  PASSWORD_EXPIRED:
    'Your account is locked due to inactivity over the last 90 days. Contact us at the support link to unlock your account.',
} as const satisfies Partial<Record<ErrorKey, string>>;

/** The newer version that a change would have overwritten. */
export interface Standing {
  version: string;
  /** Who made the last recorded change, and when; null if none is recorded. */
  last: { name: string; date: string } | null;
}

/** The body of every answer that is neither 2xx nor a redirect. `fields` maps the path of each invalid field to its message. */
export interface ErrorBody {
  status: number;
  errorKey: ErrorKey;
  message: string;
  requestId: string;
  fields?: Record<string, string>;
  /** PING_CHANGED_BY_OTHER: the ping's present status, who set it (`System`: Tidings itself), and the details given with it. */
  current?: { status: string; username: string; displayName: string | null; otherText: string | null; date: string };
  /** CHANGED_BY_OTHER, REVIEW_DECIDED: the present version, and who made it if that is recorded. */
  standing?: Standing;
}
