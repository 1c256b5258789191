/** Constants of the specification (both files, section 9) that server and browser share. Times in milliseconds. */

/** Every call names the selected team in this header; streams and downloads, which cannot set one, use the query `teamId`. */
export const TEAM_HEADER = 'x-ping-team-id';
/** Set to 1 on a call that a live event caused and no person: it does not count as activity, so that an unwatched page's session ends. */
export const BACKGROUND_HEADER = 'x-tidings-background';
/** A change answers with the transaction in which it was made; a search that brings it back sees the change. */
export const WRITTEN_HEADER = 'x-tidings-written';
export const AFTER_HEADER = 'x-tidings-after';
export const SESSION_COOKIE = 'tidings_session';

export const SESSION_WARNING_AFTER = 35 * 60 * 1000;
export const SESSION_ENDS_AFTER = 40 * 60 * 1000;
export const SESSION_RESET_THROTTLE = 1000;

export const WRONG_PASSWORDS_BEFORE_LOCK = 3;
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;
export const PASSWORD_EXPIRES_AFTER_DAYS = 90;
export const PASSWORD_WARNING_DAYS = 7;
export const INACTIVITY_LOCK_DAYS = 90;

export const PING_PAGE_SIZE = 20;
export const PATIENT_PAGE_SIZE = 10;
export const LARGEST_PAGE_SIZE = 100;

export const TOAST_DURATION = 10_000;
export const CHUNK_TIMEOUT = 120_000;
export const EXPORT_POLL_EVERY = 30_000;
export const EXPORT_HISTORY_FAILED = 'There was an error getting your recent exports.';
export const RETRY_TRIES = 5;
export const RETRY_PAUSE = 500;

/** A ping sent later than this after its event is shown as late (`docs/domain.md`, "Late and missing messages"). */
export const LATE_AFTER_HOURS = 72;

export const UNAVAILABLE = 'Unavailable';
export const NO_INFORMATION = 'No Information Provided';
