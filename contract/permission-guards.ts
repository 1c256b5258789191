/**
 * What each permission flag guards besides routes: checks in code, by file. The table of routes
 * names the flag of each route. `docs/permissions.md` is generated from both; a test fails on a flag that guards nothing, and on a file
 * that does not check its flag.
 */
import type { Permission } from './permissions.ts';

export interface Guards {
  /** The file that checks the flag, and what it decides there. */
  checks?: readonly (readonly [file: string, what: string])[];
}

export const PERMISSION_GUARDS: Record<Permission, Guards> = {
  canViewPings: {
    checks: [
      ['web/routes/experience-routes.ts', 'the inbox'],
      ['web/shell/pages.ts', 'the navigation entry "Pings" and its count'],
      ['server/work/live/live-events.ts', 'pings in the live stream'],
      ['server/work/live/routes.ts', 'ping counts in the live stream'],
      ['server/work/list-gaps/list-gaps.ts', 'facilities that lists of pings don’t hear from'],
    ],
  },
  canManagePings: {
    checks: [
      ['server/work/patients/queries.ts', 'whether a ping’s status may be changed, which the page follows'],
      ['web/inbox/use-inbox.ts', 'that rows can be selected, and changed together'],
    ],
  },
  canViewPatients: {
    checks: [
      ['web/routes/experience-routes.ts', 'the patient roster'],
      ['web/shell/pages.ts', 'the navigation entry "Patients"'],
      ['server/insight/exports/start-export.ts', 'the groups for which encounters are exported'],
      ['server/work/hl7-programs/preview.ts', 'the patients that the preview of an HL7 program looks at'],
      ['web/exports/export-modal.tsx', 'that exports of encounters are offered'],
      ['server/intake/messages/list-messages.ts', 'the patient of a received message'],
      ['server/work/list-gaps/list-gaps.ts', 'facilities that lists of patients don’t hear from'],
      ['web/story/story-page.tsx', 'all visits and diagnoses on /patients/{id}, besides the visit of a ping'],
    ],
  },
  canViewAllPatientDetails: {
    checks: [
      ['server/work/patients/get.ts', 'address, phone numbers, insurance and member IDs of a patient'],
      ['server/work/patients/load.ts', 'the same details in lists'],
      ['server/work/search/access-scope.ts', 'which identifiers a typed text is searched in'],
      ['contract/facets.ts', 'the filter groups "City" and "Zip Code"'],
      ['contract/export-fields.ts', 'the fields of exports with these details'],
      ['server/insight/exports/encounter-rows.ts', 'the same details in exports'],
      ['server/work/hl7-programs/preview.ts', 'the payers in the preview of an HL7 program'],
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
      ['contract/saved-filter-words.ts', 'the fixed filter "Recently Discharged"'],
    ],
  },
  canUsePreAdmit: {
    checks: [
      ['server/work/pre-admit/pre-admit.ts', 'the facility that holds a patient'],
      ['web/routes/experience-routes.ts', 'the pre-admit page'],
      ['web/pre-admit/holding-groups.ts', 'the navigation entry "Pre-admit", and the facilities to choose from'],
    ],
  },
  canViewPatientTags: {
    checks: [
      ['server/work/patients/load.ts', 'the tags of a patient'],
      ['contract/facets.ts', 'the filter group "Active Tags"'],
      ['server/insight/exports/encounter-rows.ts', 'the tags in exports'],
    ],
  },
  canEditPatientTags: { checks: [['web/patient/patient-tags.tsx', 'the controls that add and remove tags']] },
  canViewCcds: {
    checks: [
      ['server/work/documents/ccds-of-visits.ts', 'the clinical document of a visit'],
      ['web/care/attachments-page.tsx', 'documents on /patients/{id}/attachments'],
      ['web/story/rail.tsx', 'the documents on /patients/{id}'],
      ['web/inbox/ping-detail.tsx', 'the documents beside a ping'],
    ],
  },
  canViewCcdDischargeInfo: {
    checks: [
      ['server/work/documents/discharge.ts', "discharge summaries, by the patient's creating group"],
      ['web/patient/patient-links.tsx', 'discharge summaries on /patients/{id}/case-management and /rising-risk'],
    ],
  },
  canViewDischargeSummaries: {
    checks: [
      ['server/work/documents/discharge.ts', "discharge summaries, by the patient's creating group"],
      ['web/patient/patient-links.tsx', 'discharge summaries on /patients/{id}/case-management and /rising-risk'],
    ],
  },
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
  canViewRiskingRisk: {
    checks: [
      ['web/routes/experience-routes.ts', 'the rising-risk page'],
      ['web/shell/pages.ts', 'the navigation entry "Rising risk"'],
      ['contract/facets.ts', 'the list of the rising-risk page'],
      ['server/work/search/search.ts', 'the visits behind each reason'],
      ['server/work/rising-risk/preview.ts', 'whom the preview of a rule counts'],
    ],
  },
  canViewRisingRiskFlag: {
    checks: [
      ['contract/facets.ts', 'the filter by rising-risk flag'],
      ['server/work/patients/risk-info.ts', "a patient's rising-risk flags and counts, in lists and alone"],
      ['web/patients/columns.tsx', 'the columns with these counts'],
    ],
  },
  canViewRisingRiskPatientNotifications: {
    checks: [
      ['server/work/notifications/risk-filters.ts', 'notifications of filters by rising risk'],
      ['web/notifications/edit-notifications.tsx', 'that these can be turned on'],
    ],
  },
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
      ['web/shell/pages.ts', 'the navigation entry "Length of stay"'],
    ],
  },
  canViewEventFeed: {
    checks: [
      ['server/work/live/live-events.ts', 'changes of rows in the live stream'],
      ['server/work/list-gaps/list-gaps.ts', 'facilities that the event feed doesn’t hear from'],
      ['server/work/notifications/report-permissions.ts', 'notifications of filters saved on the event feed'],
      ['web/routes/experience-routes.ts', 'the event feed'],
      ['web/shell/pages.ts', 'the navigation entry "Event feed"'],
    ],
  },
  canViewSpotlights: {
    checks: [
      ['server/insight/spotlights/read-cases.ts', 'whose visits and pings a spotlight counts'],
      ['web/routes/experience-routes.ts', 'the spotlights'],
      ['web/shell/pages.ts', 'the navigation entry "Spotlights"'],
    ],
  },
  canViewCustomSpotlights: {
    checks: [['web/spotlights/kept-spotlights.tsx', 'that spotlights can be saved, and the saved ones']],
  },
  canViewSpotlightsWithTableau: {
    checks: [['web/spotlights/spotlights-page.tsx', 'that the embedded page is offered']],
  },
  canViewRouteAuditReport: {
    checks: [
      ['server/insight/reports/routes.ts', 'the users and teams of the report of page use'],
      ['server/people/access/door.ts', 'whose opened pages row-level security shows'],
      ['web/routes/experience-routes.ts', '/user-report, as canManageUsers does'],
      ['web/reports/reports-page.tsx', 'the report "Page use" on /user-report'],
    ],
  },
  canManageUsers: {
    checks: [
      ['server/record/reviews/reviewer-actions.ts', 'the facilities that a user reviews matches for'],
      ['server/work/live/channels.ts', 'counts of matches to review in the live stream'],
      ['server/work/saved-filters/saved-filters.ts', 'changes of filters that colleagues share'],
      ['server/people/access/actor.ts', 'the groups that a user administers'],
      ['server/work/details/routes.ts', 'why records of facilities are linked to a patient'],
      ['web/routes/experience-routes.ts', 'the feeds page'],
      ['web/routes/administration-routes.ts', 'the administration pages'],
      ['web/reports/reports-page.tsx', 'the user report and the access review on /user-report'],
      ['web/shell/pages.ts', 'the navigation entries "Feeds", with its count of matches to review, and "Admin"'],
    ],
  },
  canUploadRoster: {
    checks: [
      ['server/work/rosters/approval.ts', 'the groups in which a user confirms or cancels uploads'],
      ['server/work/live/live-events.ts', 'upload progress in the live stream'],
      ['web/routes/experience-routes.ts', 'the rosters page'],
      ['web/session/roster-groups.ts', 'the groups to choose from, and the navigation entry "Rosters"'],
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
