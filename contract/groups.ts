/** HOS, SNF and ADMITTING are facilities, which report stays. A PROGRAM only lists people (docs/domain.md, "Words"). */
export const GROUP_TYPES = ['HOS', 'SNF', 'ADMITTING', 'PROGRAM'] as const;
export type GroupType = (typeof GROUP_TYPES)[number];

export const GROUP_TYPE_LABELS: Readonly<Record<GroupType, string>> = {
  HOS: 'Hospital',
  SNF: 'Skilled nursing facility',
  ADMITTING: 'Other facility',
  PROGRAM: 'Program, plan or practice',
};

export const FACILITY_TYPES = ['HOS', 'SNF', 'ALF', 'HHA', 'HOSPICE', 'LTAC', 'REHAB_HOS', 'URGENT_CARE'] as const;
export type FacilityType = (typeof FACILITY_TYPES)[number];
export const FACILITY_TYPE_LABELS: Readonly<Record<FacilityType, string>> = {
  HOS: 'Hospital',
  SNF: 'Skilled nursing facility',
  ALF: 'Assisted living facility',
  HHA: 'Home health agency',
  HOSPICE: 'Hospice',
  LTAC: 'Long-term acute care',
  REHAB_HOS: 'Rehabilitation hospital',
  URGENT_CARE: 'Urgent care',
};
