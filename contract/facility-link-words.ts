/** Links for people at a facility without an account. Without zod: the browser loads it as it is. */

/** What a link asks for. A closed list: each purpose has a page, an answer, and a line in `facilityLinkPurposes` of the server. */
export const LINK_PURPOSES = ['CONFIRM_DISCHARGE', 'UPLOAD_SUMMARY'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

export const PURPOSE_LABELS: Record<LinkPurpose, string> = {
  CONFIRM_DISCHARGE: 'Confirm discharge date and destination',
  UPLOAD_SUMMARY: 'Upload the discharge summary',
};

/** Where the patient went, as the page asks. */
export const LINK_DESTINATIONS = ['HOME', 'HOME_HEALTH', 'SNF', 'HOSPITAL', 'HOSPICE', 'AMA', 'DIED', 'OTHER'] as const;
export type LinkDestination = (typeof LINK_DESTINATIONS)[number];

export const LINK_DESTINATION_LABELS: Record<LinkDestination, string> = {
  HOME: 'Home',
  HOME_HEALTH: 'Home with home health',
  SNF: 'Skilled nursing facility',
  HOSPITAL: 'Another hospital',
  HOSPICE: 'Hospice',
  AMA: 'Left against medical advice',
  DIED: 'Died',
  OTHER: 'Somewhere else',
};

/**
 * SENT: not opened yet. OPENED: the birth date was right. TAKEN_BACK: answered, and the team took the answer back. REVOKED: the team withdrew
 * it before an answer. LOCKED: three wrong birth dates. ENDED: whoever created it can't ask any more, or no list has the patient.
 */
export const LINK_STATES = [
  'SENT',
  'OPENED',
  'ANSWERED',
  'TAKEN_BACK',
  'REVOKED',
  'LOCKED',
  'ENDED',
  'EXPIRED',
] as const;
export type LinkState = (typeof LINK_STATES)[number];

export const LINK_STATE_LABELS: Record<LinkState, string> = {
  SENT: 'Not opened yet',
  OPENED: 'Opened, no answer yet',
  ANSWERED: 'Answered',
  TAKEN_BACK: 'Answer taken back',
  REVOKED: 'Revoked',
  LOCKED: 'Locked after three wrong birth dates',
  ENDED: 'Ended without an answer',
  EXPIRED: 'Expired without an answer',
};

/** Whether the link still works. */
export const isLinkInUse = (state: LinkState): boolean => state === 'SENT' || state === 'OPENED';

/** How long a link may work, in hours; the first is the default. */
export const LINK_HOURS = [72, 24, 168, 336] as const;
export const LINK_MAX_HOURS = 336;
export const LINK_TRIES = 3;
/** Characters. */
export const LINK_NOTE_MAX_LENGTH = 500;
/** Links about one stay that work at the same time. */
export const MOST_LINKS_IN_USE = 3;
