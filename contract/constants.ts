/** Headers, and limits that hold for every client of the API. Times in milliseconds, unless the name has another unit. */

/** Every call names the selected team in this header; streams, which cannot set one, in the query `teamId`, and downloads in either. */
export const TEAM_HEADER = 'x-ping-team-id';
/** 1 on a call that a live event caused rather than a person. It doesn't count as activity, so the session of an unattended page still ends. */
export const BACKGROUND_HEADER = 'x-tidings-background';
/** The answer to a change carries the id of its transaction; a search that sends the id back sees the change. */
export const WRITTEN_HEADER = 'x-tidings-written';
export const AFTER_HEADER = 'x-tidings-after';
/** 1 on a call for a page of a list that shows what is loaded of the list so far, and says so (`isCounting`). Other calls wait for all of it. */
export const PART_HEADER = 'x-tidings-part';
export const SESSION_COOKIE = 'tidings_session';

/** After this much inactivity the server ends the session. */
export const SESSION_ENDS_AFTER = 40 * 60 * 1000;
/** What an organization may set instead, in minutes. */
export const FEWEST_INACTIVITY_MINUTES = 10;
export const MOST_INACTIVITY_MINUTES = 40;

/** How long a proof of identity counts for changes of how the account is opened. */
export const PROOF_LASTS = 5 * 60 * 1000;

export const WRONG_PASSWORDS_BEFORE_LOCK = 3;
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;
export const PASSWORD_EXPIRES_AFTER_DAYS = 90;
export const INACTIVITY_LOCK_DAYS = 90;

export const LARGEST_PAGE_SIZE = 100;

/** Days at the facility after which a manual entry is old: entering or changing it needs canEditOldManualPatientsAndEvents. */
export const OLD_ENTRY_AFTER_DAYS = 30;

/** A ping sent later than this after its event is shown as late (`docs/domain.md`, "Late and missing messages"). */
export const LATE_AFTER_HOURS = 72;
