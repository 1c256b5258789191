/**
 * What each permission flag guards. The routes that ask for it stand in the table of routes; here stands what is decided beside
 * them, by file, and the places of screens that are still to come. `docs/permissions.md` is generated from both; a test fails on a
 * flag that guards nothing, and on a file that does not ask for its flag.
 */
import type { Permission } from './permissions.ts';

export interface Guards {
  /** A call or control that exists: the file that asks for the flag, and what it decides there. */
  checks?: readonly (readonly [file: string, what: string])[];
  /** Screens and calls that will ask for it, by their place. */
  later?: readonly string[];
}

export const PERMISSION_GUARDS: Record<Permission, Guards> = {
  canViewPings: {
    checks: [
      ['web/routes/experience-routes.ts', 'the inbox'],
      ['web/shell/navigation.tsx', 'the entry "Pings" and its count'],
      ['server/work/live/live-events.ts', 'pings in the live stream'],
      ['server/work/live/routes.ts', 'its counts'],
    ],
  },
  canManagePings: {
    checks: [['web/inbox/ping-detail.tsx', 'the panel that changes a status']],
    later: ['bulk changes of status in the inbox'],
  },
  canViewPatients: {
    checks: [
      ['web/routes/experience-routes.ts', 'the roster of patients'],
      ['web/shell/navigation.tsx', 'the entry "Patients"'],
    ],
    later: ['/patients/{id}'],
  },
  canViewAllPatientDetails: {
    checks: [
      ['server/work/patients/get.ts', 'address, phones, insurance and member ids of a patient'],
      ['server/work/patients/load.ts', 'the same in lists'],
      ['server/work/search/scope.ts', 'whose identifiers a text is looked up among'],
      ['contract/facets.ts', 'the filter groups "City" and "Zip Code"'],
    ],
  },
  canEditPatientsAndEvents: {
    checks: [
      ['server/work/patients/manual-entry.ts', 'the facility at which patients and events are entered'],
      ['web/patients/patients-page.tsx', 'that the roster opens on "Currently Admitted", a filter of theirs'],
    ],
    later: ['entry of patients and events on /patients/my-patients'],
  },
  canEditOldManualPatientsAndEvents: {
    later: ['PATCH and DELETE of manual events older than 30 days, on /patients/{id}'],
  },
  canResolveBackToCensus: {
    checks: [
      ['server/record/pings/change-status.ts', 'the resolution "Back on census"'],
      ['web/inbox/ping-detail.tsx', 'the same, offered'],
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
  canEditPatientTags: { later: ['PUT /api/patients/{id}/tags, on /patients/{id}'] },
  canViewCcds: { later: ['documents on /patients/{id}/attachments'] },
  canViewCcdDischargeInfo: { later: ['discharge information in documents on /patients/{id}'] },
  canViewDischargeSummaries: { later: ['the discharge summary on /patients/{id}'] },
  canViewCarePlans: { later: ['care instructions and care plans on /patients/{id}/case-management'] },
  canEditCarePlans: { later: ['POST, PUT and DELETE of instructions, on /patients/{id}/case-management'] },
  canViewRiskingRisk: { later: ['/rising-risk'] },
  canViewRisingRiskFlag: {
    checks: [['contract/facets.ts', 'the filter of the rising-risk flag']],
    later: ['the rising-risk flag of a row'],
  },
  canViewRisingRiskPatientNotifications: { later: ['notifications of patients at rising risk'] },
  canUpdateThreeDayWaiver: { later: ['PUT of the three-day waiver, on /patients/{id}'] },
  canFilterActiveHHAServices: { checks: [['contract/facets.ts', 'the filter group "Ongoing HHA Services"']] },
  canViewCareGapsWorklistAlpha: { checks: [['contract/facets.ts', 'the filter group "Open Care Gaps"']] },
  canViewCovid19Status: { checks: [['contract/facets.ts', 'the filter group "Covid-19"']] },
  canViewLengthOfStay: {
    checks: [
      ['web/routes/experience-routes.ts', 'the page of lengths of stay'],
      ['web/shell/navigation.tsx', 'its entry'],
    ],
  },
  canViewEventFeed: { later: ['/event-feed'] },
  canViewSpotlights: { later: ['/analytics/{sub-name}'] },
  canViewCustomSpotlights: { later: ['GET, POST, PUT and DELETE of /api/spotlights/custom, on /analytics'] },
  canViewSpotlightsWithTableau: { later: ['Spotlights made with Tableau, on /analytics'] },
  canViewRouteAuditReport: { later: ['GET /api/reports/route-audit'] },
  canManageUsers: {
    checks: [
      ['server/record/reviews/decide.ts', 'the facilities whose identities one decides'],
      ['server/people/access/actor.ts', 'the groups for which one administers'],
      ['web/routes/experience-routes.ts', 'the page of feeds'],
      ['web/routes/administration-routes.ts', 'the pages of administration'],
      ['web/shell/navigation.tsx', 'the entries "Feeds" and "Admin"'],
    ],
    later: ['/user-report'],
  },
  canUploadRoster: {
    checks: [
      ['server/work/live/live-events.ts', 'the progress of uploads in the live stream'],
      ['web/routes/experience-routes.ts', 'the page of rosters'],
      ['web/rosters/rosters-page.tsx', 'the groups that it offers'],
      ['web/shell/navigation.tsx', 'the entry "Rosters"'],
    ],
  },
  canViewHospitalProduct: { later: ["the hospital's roster, /hospital"] },
  canViewMfaOptIn: { checks: [['web/shell/mfa-toast-rule.ts', 'the toast that offers a second factor']] },
  canUseWishinPulse: { later: ['the link to WISHIN Pulse on /patients/{id}'] },
  userCouncilParticipant: { checks: [['web/support/widget-data.ts', 'the data handed to the support widget']] },
};
