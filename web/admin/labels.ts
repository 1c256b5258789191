import type { ApplicationExperience } from '#contract/experiences.ts';
import { FACILITY_TYPE_LABELS, type FacilityType, GROUP_TYPE_LABELS, type GroupType } from '#contract/groups.ts';

/** 'Hospital'. For a group of another facility type, that type says more than 'Other facility'. */
export const groupTypeLabel = ({
  type,
  facilityType,
}: {
  type: GroupType;
  facilityType: FacilityType | null;
}): string => (type === 'ADMITTING' && facilityType ? FACILITY_TYPE_LABELS[facilityType] : GROUP_TYPE_LABELS[type]);

export const EXPERIENCE_LABELS: Record<ApplicationExperience, string> = {
  JANUS: 'Programs and post-acute care',
  JANUS_ENTERPRISE_SSO: 'Programs and post-acute care, enterprise sign-in',
  JANUS_AUTH0_SSO: 'Programs and post-acute care, identity provider',
  JANUS_EHR_SSO: 'Programs and post-acute care, inside an EHR',
  ANAHIT: 'Hospital',
  ANAHIT_ENTERPRISE_SSO: 'Hospital, enterprise sign-in',
  ANAHIT_AUTH0_SSO: 'Hospital, identity provider',
  HOS_EHR_SSO: 'Hospital, inside an EHR',
};
/** Options for a NativeSelect. */
export const choices = <K extends string>(labels: Record<K, string>, only?: readonly K[]) =>
  (only ?? (Object.keys(labels) as K[])).map((value) => ({ value, label: labels[value] }));

/** 'Care coordinator': a role's name with a capital first letter. */
export const roleName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
