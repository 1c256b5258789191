/** Codes and labels of a ping's management status. The codes are stored, and part of the API. */
export const MANAGEMENT_STATUS_LABELS = {
  NEW: 'Unresolved',
  IN_PROGRESS: 'In Progress',
  RESOLVED: 'Resolved',
  DISMISSED: 'Dismissed',
} as const;
export type ManagementStatus = keyof typeof MANAGEMENT_STATUS_LABELS;
export const MANAGEMENT_STATUSES = Object.keys(MANAGEMENT_STATUS_LABELS) as ManagementStatus[];

export const RESOLUTION_LABELS = {
  BACK_ON_CENSUS: 'Brought Patient Back on Census',
  CONTACTED_PATIENT: 'Contacted patient',
  CONTACTED_FACILITY: 'Contacted this facility',
  SCHEDULED_FOLLOWUP: 'Scheduled follow-up visit',
  NO_ACTION_NEEDED: 'No action needed',
  OTHER: 'Other',
  SYSTEM_RESOLVED: 'Automatically resolved',
} as const;
export type Resolution = keyof typeof RESOLUTION_LABELS;
export const RESOLUTIONS = Object.keys(RESOLUTION_LABELS) as Resolution[];

/** The username in the status records that Tidings itself wrote. People's usernames are email addresses. */
export const SYSTEM_USERNAME = 'System';

/** The label of the list of all closed pings. */
export const ALL_RESOLVED_LABEL = 'All Resolved Pings';

/** NEW and IN_PROGRESS are open; RESOLVED and DISMISSED are closed. */
export const isOpen = (status: ManagementStatus): boolean => status === 'NEW' || status === 'IN_PROGRESS';

/** The longest comment on a status change, in characters. */
export const OTHER_TEXT_LIMIT = 2000;
export const STATUS_CHANGE_FAILED = 'There was a problem managing your ping status. Please try again.';
