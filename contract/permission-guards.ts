/**
 * What each permission flag guards besides routes: checks in code, by file, and screens that are still to come. The table of routes
 * names the flag of each route. `docs/permissions.md` is generated from both; a test fails on a flag that guards nothing, and on a file
 * that does not check its flag.
 */
import type { Permission } from './permissions.ts';

export interface Guards {
  /** The file that checks the flag, and what it decides there. */
  checks?: readonly (readonly [file: string, what: string])[];
  /** Screens and calls to come that will check it, by their address. */
  later?: readonly string[];
}

export const PERMISSION_GUARDS: Record<Permission, Guards> = {
  canViewPings: {
    checks: [
      ['web/routes/experience-routes.ts', 'the inbox'],
      ['web/shell/navigation.tsx', 'the navigation entry "Pings" and its count'],
      ['server/work/live/live-events.ts', 'pings in the live stream'],
      ['server/work/live/routes.ts', 'ping counts in the live stream'],
    ],
  },
  canManagePings: {
    checks: [
      ['web/inbox/ping-detail.tsx', 'the panel that changes a ping status'],
      ['web/inbox/use-inbox.ts', 'that rows can be selected, and changed together'],
    ],
  },
  canViewPatients: {
    checks: [
      ['web/routes/experience-routes.ts', 'the patient roster'],
      ['web/shell/navigation.tsx', 'the navigation entry "Patients"'],
      ['web/story/story-page.tsx', 'all visits and diagnoses on /patients/{id}, besides the visit of a ping'],
    ],
  },
  canViewAllPatientDetails: {
    checks: [
      ['server/work/patients/get.ts', 'address, phone numbers, insurance and member IDs of a patient'],
      ['server/work/patients/load.ts', 'the same details in lists'],
      ['server/work/search/access-scope.ts', 'which identifiers a typed text is searched in'],
      ['contract/facets.ts', 'the filter groups "City" and "Zip Code"'],
    ],
  },
  canEditPatientsAndEvents: {
    checks: [
      ['server/work/patients/manual-entry.ts', 'the facility at which patients and events are entered'],
      ['server/work/patients/manual-change.ts', 'the facility at which they are corrected and deleted'],
      ['server/work/patients/may-edit.ts', 'which events are shown as editable'],
      ['web/manual/manual-groups.ts', 'the facilities at which the pages offer manual entry'],
      ['web/patients/patients-page.tsx', 'that the roster opens with the filter "Currently Admitted"'],
    ],
  },
  canEditOldManualPatientsAndEvents: {
    checks: [['server/work/patients/may-edit.ts', 'entering, correcting and deleting what is older than 30 days']],
  },
  canResolveBackToCensus: {
    checks: [
      ['server/record/pings/change-status.ts', 'the resolution "Back on census"'],
      ['server/work/patients/load.ts', 'that this resolution is offered'],
    ],
    later: ['the fixed filter "Recently Discharged"'],
  },
  canUsePreAdmit: { later: ['/pre-admit'] },
  canViewPatientTags: {
    checks: [
      ['server/work/patients/load.ts', 'the tags of a patient'],
      ['contract/facets.ts', 'the filter group "Active Tags"'],
    ],
  },
  canEditPatientTags: { checks: [['web/patient/patient-tags.tsx', 'the controls that add and remove tags']] },
  canViewCcds: { later: ['documents on /patients/{id}/attachments'] },
  canViewCcdDischargeInfo: { later: ['discharge information in documents on /patients/{id}'] },
  canViewDischargeSummaries: { later: ['the discharge summary on /patients/{id}'] },
  canViewCarePlans: {
    checks: [
      ['server/work/care/queries.ts', 'the care plan of a care-team record'],
      ['server/work/details/care.ts', 'instructions and their forms in a patient'],
      ['web/care/case-management-page.tsx', 'care plans and instructions on /patients/{id}/case-management'],
    ],
  },
  canEditCarePlans: {
    checks: [
      ['web/care/care-team-page.tsx', 'the controls that add, edit and end contacts'],
      ['web/care/case-management-page.tsx', 'the controls that change care plans and instructions'],
    ],
  },
  canViewRiskingRisk: { later: ['/rising-risk'] },
  canViewRisingRiskFlag: {
    checks: [
      ['contract/facets.ts', 'the filter by rising-risk flag'],
      ['server/work/details/patient-details.ts', "a patient's rising-risk flags and counts"],
    ],
    later: ['the rising-risk flag in a row'],
  },
  canViewRisingRiskPatientNotifications: { later: ['notifications about rising-risk patients'] },
  canUpdateThreeDayWaiver: {
    checks: [
      ['server/work/waivers/routes.ts', 'who sets the status of a three-day waiver'],
      ['web/manual/waiver-drawer.tsx', 'that the form of the waiver can be saved'],
    ],
  },
  canFilterActiveHHAServices: { checks: [['contract/facets.ts', 'the filter group "Ongoing HHA Services"']] },
  canViewCareGapsWorklistAlpha: {
    checks: [
      ['contract/facets.ts', 'the filter group "Open Care Gaps"'],
      ['server/work/details/patient-details.ts', 'the care gaps of a patient'],
    ],
  },
  canViewCovid19Status: {
    checks: [
      ['contract/facets.ts', 'the filter group "Covid-19"'],
      ['server/work/details/patient-details.ts', "a patient's COVID-19 status"],
    ],
  },
  canViewLengthOfStay: {
    checks: [
      ['web/routes/experience-routes.ts', 'the length-of-stay page'],
      ['web/shell/navigation.tsx', 'the navigation entry "Length of stay"'],
    ],
  },
  canViewEventFeed: { later: ['/event-feed'] },
  canViewSpotlights: { later: ['/analytics/{sub-name}'] },
  canViewCustomSpotlights: { later: ['GET, POST, PUT and DELETE of /api/spotlights/custom, on /analytics'] },
  canViewSpotlightsWithTableau: { later: ['Tableau Spotlights on /analytics'] },
  canViewRouteAuditReport: { later: ['GET /api/reports/route-audit'] },
  canManageUsers: {
    checks: [
      ['server/record/reviews/reviewer-actions.ts', 'the facilities that a user reviews matches for'],
      ['server/work/live/channels.ts', 'counts of matches to review in the live stream'],
      ['server/people/access/actor.ts', 'the groups that a user administers'],
      ['server/work/details/routes.ts', 'why records of facilities are linked to a patient'],
      ['web/routes/experience-routes.ts', 'the feeds page'],
      ['web/routes/administration-routes.ts', 'the administration pages'],
      ['web/shell/navigation.tsx', 'the navigation entries "Feeds", with its count of matches to review, and "Admin"'],
    ],
    later: ['/user-report'],
  },
  canUploadRoster: {
    checks: [
      ['server/work/rosters/approval.ts', 'the groups in which a user confirms or cancels uploads'],
      ['server/work/live/live-events.ts', 'upload progress in the live stream'],
      ['web/routes/experience-routes.ts', 'the rosters page'],
      ['web/rosters/rosters-page.tsx', 'the groups to choose from'],
      ['web/shell/navigation.tsx', 'the navigation entry "Rosters"'],
    ],
  },
  canViewHospitalProduct: {
    checks: [['web/session/paths.ts', 'the pages of the hospital product, /hospital (with web/routes/guards.ts)']],
  },
  canViewMfaOptIn: { checks: [['web/shell/mfa-toast-rule.ts', 'the toast that offers two-step verification']] },
  canUseWishinPulse: {
    checks: [['server/work/patients/links-out.ts', 'whether a patient can be opened at WISHIN Pulse']],
  },
  userCouncilParticipant: { checks: [['web/support/widget-data.ts', 'the data sent to the support widget']] },
};
