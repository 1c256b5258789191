/**
 * The permission flags. A user holds flags on a team for each of its groups: those of a role, with single flags added or removed. The
 * browser gets the union over the groups of the selected team; the server checks the group that owns the row in question.
 */
export const PERMISSION_FLAGS = [
  'canViewPings',
  'canViewPatients',
  'canEditPatientsAndEvents',
  'canUsePreAdmit',
  'canViewCcds',
  'canUpdateThreeDayWaiver',
  'canViewHospitalProduct',
  'canViewLengthOfStay',
  'canManageUsers',
  'canFilterActiveHHAServices',
  'canViewPatientTags',
  'canViewCarePlans',
  'canEditCarePlans',
  'userCouncilParticipant',
  'canViewSpotlights',
  'canViewCustomSpotlights',
  'canViewRouteAuditReport',
  'canViewCovid19Status',
  'canViewEventFeed',
  'canManagePings',
  'canUploadRoster',
  'canEditOldManualPatientsAndEvents',
  'canViewAllPatientDetails',
  'canViewCcdDischargeInfo',
  'canViewDischargeSummaries',
  'canViewRiskingRisk',
  'canResolveBackToCensus',
  'canViewCareGapsWorklistAlpha',
  'canViewRisingRiskPatientNotifications',
  'canViewRisingRiskFlag',
  'canViewMfaOptIn',
  'canViewSpotlightsWithTableau',
  'canUseWishinPulse',
  'canEditPatientTags',
] as const;
export type Permission = (typeof PERMISSION_FLAGS)[number];

/**
 * Who may call a route: anyone, any signed-in user, any user of the selected team, or a user who holds the flag, or one of several flags,
 * for at least one group of that team. With several flags, the route's handler decides which one a request needs.
 */
export type RoutePermission =
  | 'public'
  | 'signed-in'
  | 'in-team'
  | Permission
  | readonly [Permission, Permission, ...Permission[]];

/** Returns the flags that let a user call a route, any one of them; none if the route needs no flag. */
export function routeFlags(permission: RoutePermission): readonly Permission[] {
  if (permission === 'public' || permission === 'signed-in' || permission === 'in-team') return [];
  return typeof permission === 'string' ? [permission] : permission;
}

const VIEWER: Permission[] = [
  'canViewPings',
  'canViewPatients',
  'canViewPatientTags',
  'canViewLengthOfStay',
  'canViewHospitalProduct',
];

const CLINICIAN: Permission[] = [
  ...VIEWER,
  'canManagePings',
  'canViewAllPatientDetails',
  'canViewCcds',
  'canViewCcdDischargeInfo',
  'canViewDischargeSummaries',
  'canViewCarePlans',
  'canViewEventFeed',
  'canViewMfaOptIn',
];

const CARE_COORDINATOR: Permission[] = [
  ...CLINICIAN,
  'canEditPatientsAndEvents',
  'canEditCarePlans',
  'canEditPatientTags',
  'canUsePreAdmit',
  'canResolveBackToCensus',
  'canViewRiskingRisk',
  'canViewRisingRiskFlag',
  'canViewRisingRiskPatientNotifications',
  'canFilterActiveHHAServices',
  'canUpdateThreeDayWaiver',
  'canViewCovid19Status',
  'canViewCareGapsWorklistAlpha',
];

const ANALYST: Permission[] = [
  'canViewPatients',
  'canViewHospitalProduct',
  'canViewLengthOfStay',
  'canViewSpotlights',
  'canViewCustomSpotlights',
  'canViewEventFeed',
];

const ADMINISTRATOR: Permission[] = [
  ...CARE_COORDINATOR,
  'canManageUsers',
  'canUploadRoster',
  'canEditOldManualPatientsAndEvents',
  'canViewRouteAuditReport',
  'canViewSpotlights',
  'canViewCustomSpotlights',
];

/** The roles that every organization has from the start. Administrators cannot change them, but can add their own. */
export const STANDARD_ROLES = {
  administrator: ADMINISTRATOR,
  'care coordinator': CARE_COORDINATOR,
  clinician: CLINICIAN,
  analyst: ANALYST,
  viewer: VIEWER,
} as const satisfies Record<string, readonly Permission[]>;
export type StandardRole = keyof typeof STANDARD_ROLES;
