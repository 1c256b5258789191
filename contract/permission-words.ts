/** Each permission in plain words, for screens on which an administrator gives or takes it. Without zod: the browser loads it as it is. */
import type { Permission } from './permissions.ts';

export const PERMISSION_AREAS = [
  'Pings and patients',
  'Clinical documents',
  'Risk and follow-up',
  'Lists and reports',
  'Administration',
  'Programs under trial',
] as const;
export type PermissionArea = (typeof PERMISSION_AREAS)[number];

interface Words {
  area: PermissionArea;
  /** What the holder may do: follows 'may …' and starts in lower case. */
  may: string;
}
const words = (area: PermissionArea, may: string): Words => ({ area, may });

/** Keyed by flag; each flag has its own words, so that no two read alike on a screen. */
export const PERMISSION_WORDS: Record<Permission, Words> = {
  canViewPings: words('Pings and patients', 'see the ping inbox'),
  canManagePings: words('Pings and patients', 'change the status of pings'),
  canViewPatients: words('Pings and patients', 'find and open patients'),
  canViewAllPatientDetails: words('Pings and patients', 'see addresses, phone numbers, insurance and member ids'),
  canEditPatientsAndEvents: words('Pings and patients', 'enter patients and events by hand'),
  canEditOldManualPatientsAndEvents: words('Pings and patients', 'change events by hand after 30 days'),
  canResolveBackToCensus: words('Pings and patients', 'bring a patient back on census'),
  canUsePreAdmit: words('Pings and patients', 'hold patients before admission'),
  canViewPatientTags: words('Pings and patients', 'see patient tags'),
  canEditPatientTags: words('Pings and patients', 'change patient tags'),
  canViewCcds: words('Clinical documents', 'read continuity of care documents'),
  canViewCcdDischargeInfo: words('Clinical documents', 'read discharge information in documents'),
  canViewDischargeSummaries: words('Clinical documents', 'read discharge summaries'),
  canViewCarePlans: words('Clinical documents', 'read care plans'),
  canEditCarePlans: words('Clinical documents', 'write care plans'),
  canViewRiskingRisk: words('Risk and follow-up', 'open the rising risk list'),
  canViewRisingRiskFlag: words('Risk and follow-up', 'see who is marked as rising risk'),
  canViewRisingRiskPatientNotifications: words('Risk and follow-up', 'be notified of patients at rising risk'),
  canUpdateThreeDayWaiver: words('Risk and follow-up', 'set the three-day waiver'),
  canFilterActiveHHAServices: words('Risk and follow-up', 'filter by ongoing home health services'),
  canViewCareGapsWorklistAlpha: words('Risk and follow-up', 'work on open care gaps'),
  canViewCovid19Status: words('Risk and follow-up', 'see the COVID-19 status'),
  canViewLengthOfStay: words('Lists and reports', 'see lengths of stay'),
  canViewEventFeed: words('Lists and reports', 'see the event feed'),
  canViewSpotlights: words('Lists and reports', 'see Spotlights'),
  canViewCustomSpotlights: words('Lists and reports', 'see and build custom Spotlights'),
  canViewSpotlightsWithTableau: words('Lists and reports', 'see Spotlights made with Tableau'),
  canViewRouteAuditReport: words('Lists and reports', 'see the route audit report'),
  canManageUsers: words('Administration', 'manage users, teams, groups, roles, sign-in and feeds'),
  canUploadRoster: words('Administration', 'upload rosters'),
  canViewHospitalProduct: words('Administration', 'use the hospital product'),
  canViewMfaOptIn: words('Administration', 'be offered a second factor'),
  canUseWishinPulse: words('Programs under trial', 'use WISHIN Pulse'),
  userCouncilParticipant: words('Programs under trial', 'take part in the user council'),
};
