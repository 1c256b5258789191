/** HOS, SNF and ADMITTING are facilities, which report stays; PROGRAM lists people (decisions.md, "People, places and lists"). */
export const GROUP_TYPES = ['HOS', 'SNF', 'ADMITTING', 'PROGRAM'] as const;
export type GroupType = (typeof GROUP_TYPES)[number];

export const FACILITY_TYPES = ['HOS', 'SNF', 'ALF', 'HHA', 'HOSPICE', 'LTAC', 'REHAB_HOS', 'URGENT_CARE'] as const;
export type FacilityType = (typeof FACILITY_TYPES)[number];
