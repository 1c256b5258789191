/** Each permission in plain words, for the screens where administrators grant and remove it. Without zod: the browser loads it as it is. */
import type { Permission } from './permissions.ts';

export const PERMISSION_AREAS = [
  'Pings and patients',
  'Clinical documents',
  'Risk and follow-up',
  'Lists and reports',
  'Administration',
  'Pilot programs',
] as const;
export type PermissionArea = (typeof PERMISSION_AREAS)[number];

interface Words {
  area: PermissionArea;
  /** What the holder can do, from the verb on and in lower case: 'upload rosters'. */
  action: string;
}
const words = (area: PermissionArea, action: string): Words => ({ area, action });

/** By flag. No two flags share the same words, so that administrators can tell them apart. */
export const PERMISSION_WORDS: Record<Permission, Words> = {
  canViewPings: words('Pings and patients', 'view the ping inbox'),
  canManagePings: words('Pings and patients', 'change ping status'),
  canViewPatients: words('Pings and patients', 'find and open patients'),
  canViewAllPatientDetails: words('Pings and patients', 'view addresses, phone numbers, insurance and member IDs'),
  canEditPatientsAndEvents: words('Pings and patients', 'enter patients and events manually'),
  canEditOldManualPatientsAndEvents: words('Pings and patients', 'change manual events after 30 days'),
  canResolveBackToCensus: words('Pings and patients', 'mark a patient as back on census'),
  canUsePreAdmit: words('Pings and patients', 'hold patients before admission (pre-admit)'),
  canViewPatientTags: words('Pings and patients', 'view patient tags'),
  canEditPatientTags: words('Pings and patients', 'edit patient tags'),
  canViewCcds: words('Clinical documents', 'view continuity of care documents (CCDs)'),
  canViewCcdDischargeInfo: words('Clinical documents', 'view discharge information in CCDs'),
  canViewDischargeSummaries: words('Clinical documents', 'view discharge summaries'),
  canViewCarePlans: words('Clinical documents', 'view care plans'),
  canEditCarePlans: words('Clinical documents', 'edit care plans'),
  canViewRiskingRisk: words('Risk and follow-up', 'view the rising-risk list'),
  canViewRisingRiskFlag: words('Risk and follow-up', 'view rising-risk flags'),
  canViewRisingRiskPatientNotifications: words('Risk and follow-up', 'get notifications about rising-risk patients'),
  canUpdateThreeDayWaiver: words('Risk and follow-up', 'update SNF three-day waiver status'),
  canFilterActiveHHAServices: words('Risk and follow-up', 'filter by ongoing home health services'),
  canViewCareGapsWorklistAlpha: words('Risk and follow-up', 'work on open care gaps'),
  canViewCovid19Status: words('Risk and follow-up', 'view COVID-19 status'),
  canViewLengthOfStay: words('Lists and reports', 'view length of stay'),
  canViewEventFeed: words('Lists and reports', 'view the event feed'),
  canViewSpotlights: words('Lists and reports', 'view Spotlights'),
  canViewCustomSpotlights: words('Lists and reports', 'view and build custom Spotlights'),
  canViewSpotlightsWithTableau: words('Lists and reports', 'view Tableau Spotlights'),
  canViewRouteAuditReport: words('Lists and reports', 'view the page use report (route audit)'),
  canManageUsers: words('Administration', 'manage users, teams, groups, roles, sign-in and feeds'),
  canUploadRoster: words('Administration', 'upload rosters'),
  canViewHospitalProduct: words('Administration', 'use the hospital product'),
  canViewMfaOptIn: words('Administration', 'be prompted to set up two-step verification'),
  canUseWishinPulse: words('Pilot programs', 'use WISHIN Pulse'),
  userCouncilParticipant: words('Pilot programs', 'take part in the user council'),
};
