/** The rules about what is due after a discharge, in words. Without zod: the browser loads it as it is. */

export const FOLLOW_UP_RULES = [
  'TCM_CONTACT',
  'TCM_VISIT',
  'TRC_ADMISSION_NOTICE',
  'TRC_DISCHARGE_INFORMATION',
  'TRC_ENGAGEMENT',
  'TRC_MEDICATIONS',
] as const;
export type FollowUpRule = (typeof FOLLOW_UP_RULES)[number];

export const FOLLOW_UP_RULE_LABELS: Record<FollowUpRule, string> = {
  TCM_CONTACT: 'TCM contact, 2 business days',
  TCM_VISIT: 'TCM visit, 7 or 14 days',
  TRC_ADMISSION_NOTICE: 'TRC notice of admission, through 2 days after',
  TRC_DISCHARGE_INFORMATION: 'TRC discharge information, through 2 days after',
  TRC_ENGAGEMENT: 'TRC engagement, within 30 days',
  TRC_MEDICATIONS: 'TRC medication reconciliation, through 30 days',
};

export const NO_CLOCK_REASONS = [
  'OTHER_SETTING',
  'NOT_TO_COMMUNITY',
  'UNCLEAR',
  'DIED',
  'IN_FACILITY',
  'STAY_OPEN',
] as const;
export type NoClock = (typeof NO_CLOCK_REASONS)[number];

export const NO_CLOCK_LABELS: Record<NoClock, string> = {
  OTHER_SETTING: 'No TCM: not a discharge from an inpatient, observation or skilled nursing stay.',
  NOT_TO_COMMUNITY: 'No TCM: discharged to other care than home or assisted living, such as a facility or hospice.',
  UNCLEAR: 'No TCM clock: it is not clear where the patient went. Confirm the destination with the facility.',
  DIED: 'TCM stopped: the patient was reported as died.',
  IN_FACILITY: 'TCM stopped: the patient is in a facility, or was admitted again.',
  STAY_OPEN:
    'No TCM clock: a facility has the patient on leave, and no return was reported. Confirm where the patient is.',
};

/**
 * Said with the clocks where neither a contact nor two attempts were logged in time (CMS MLN908628). `isOwed`: the patient is still to be followed up,
 * neither reported as died nor in a facility since.
 */
export const contactMissed = (isOwed: boolean): string =>
  `Neither a contact nor two attempts are logged in time, so TCM can't be claimed.${isOwed ? ' The patient still needs the follow-up.' : ''}`;

/** Said where a ping is resolved as "Contacted patient", and where the time of a call is missing for that reason (docs/decisions/0119). */
export const LOGGED_CONTACTS_COUNT = 'For TCM, a contact counts once it is logged under Contact attempts.';

export const FOLLOW_UP_STATE_LABELS = {
  MET: 'Done in time',
  MET_LATE: 'Done late',
  DUE: 'Due',
  DUE_TODAY: 'Due today',
  OVERDUE: 'Overdue',
  MISSED: 'Not logged in time',
  ENDED: 'Ended',
  ENOUGH_ATTEMPTS: 'Attempted, keep trying',
  NOT_RECORDED: 'Not recorded here',
} as const;

/** Returns the state of a clock or window in words. A visit that was logged is not yet the visit that a physician or practitioner bills. */
export const followUpState = (rule: FollowUpRule, state: keyof typeof FOLLOW_UP_STATE_LABELS): string => {
  if (rule === 'TCM_VISIT' && state === 'MET') return 'Visit logged';
  if (rule === 'TRC_DISCHARGE_INFORMATION' && state === 'MET') return 'Discharge summary received in time';
  if (rule === 'TRC_DISCHARGE_INFORMATION' && state === 'MET_LATE') return 'Discharge summary received late';
  return FOLLOW_UP_STATE_LABELS[state];
};
