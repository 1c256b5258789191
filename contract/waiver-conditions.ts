/** The three-day waiver in constants. Without zod: the browser loads it as it is. */
export const WAIVER_STATUSES = ['NA', 'PENDING', 'APPROVED', 'NOT_APPROVED'] as const;
export type WaiverStatus = (typeof WAIVER_STATUSES)[number];

/** Under which a waiver is asked for: the Medicare Shared Savings Program, or the TEAM model for five surgeries. */
export const WAIVER_RULES = ['MSSP', 'TEAM'] as const;
export type WaiverRule = (typeof WAIVER_RULES)[number];

/** What a waiver depends on and no message proves, so that a user confirms it. */
export const CONFIRMABLE = [
  'WAIVER_NEEDED',
  'MEDICARE',
  'ASSIGNED',
  'NOT_RESIDENT',
  'STABLE',
  'NO_INPATIENT_CARE',
  'DIAGNOSIS_CONFIRMED',
  'NOT_OUTPATIENT',
  'PHYSICIAN_APPROVED',
  'AFFILIATE',
  'EPISODE',
  'WITHIN_EPISODE',
  'STARS',
] as const;

/** What a waiver depends on. */
export const WAIVER_CONDITIONS = ['SNF_STAY', ...CONFIRMABLE] as const;
export type WaiverCondition = (typeof WAIVER_CONDITIONS)[number];
