/**
 * What both files of the specification say word for word: calls, permissions, messages, labels and constants. The test beside it holds it
 * against the contract and the pages, without exceptions.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

interface SpecifiedCall {
  key: string;
  query?: readonly string[];
  body?: readonly string[];
  answer?: readonly string[];
}

const SEARCH =
  words(`name visibleTo ignoredPatientIds searchContext canSaveStoredFilters userDefinedFacetPreferences sortBy sortOrder
  pageNumber pageSize termFacetSizeOverride`);
const SAVED = words(
  'name orderNum ignoredPatientIds searchContext userDefinedFacetPreferences sortBy sortOrder visibleTo',
);

export const CALLS: readonly SpecifiedCall[] = [
  { key: 'POST /api/users/redirectUrl', body: ['username'] },
  { key: 'GET /api/password/forgot' },
  {
    key: 'GET /api/me',
    answer: words(
      'daysUntilPasswordExpiration previousSuccessfulLogin numberSuccessfulLogins mfaOptedIn user defaultTeam',
    ),
  },
  { key: 'GET /api/resources/primary-clinical-settings' },
  { key: 'PUT /api/users/primary-clinical-setting', query: ['primaryClinicalSetting'] },
  { key: 'POST /api/users', body: words('username firstName lastName title') },
  { key: 'POST /api/users/admin-email', query: words('username groupId adminUsername') },
  { key: 'POST /api/users/authorize-group', query: words('username groupId') },
  { key: 'POST /api/users/optIntoMfa' },
  { key: 'GET /api/application-info' },
  { key: 'POST /api/export/fields' },
  { key: 'GET /api/export/patient-active-encounters', query: words('filterId searchContext') },
  {
    key: 'POST /api/export/initiate-encounters-export',
    query: words('exportType groupIds statuses fields beginDate endDate'),
  },
  { key: 'GET /api/export/recent-export-jobs', answer: words('modifiedAt inProgress') },
  {
    key: 'POST /api/user-events',
    body: words(
      'name timezone currentLocation previousLocation msElapsedSinceLastEvent viewportResolution notificationUuid notificationModality routes username params',
    ),
  },
  { key: 'POST /api/user-events/public', body: words('name username') },
  {
    key: 'POST /api/patients/:id/events/management-status',
    body: words('status eventIdentifier resolutions otherText'),
  },
  { key: 'POST /api/patients/:id/events/management-status-history', body: ['eventIdentifier'] },
  { key: 'POST /api/pings', body: SEARCH },
  { key: 'GET /api/pings/count/:list', answer: ['count'] },
  { key: 'POST /api/pings-result-hashes', body: SEARCH },
  { key: 'GET /api/patients/:id' },
  { key: 'POST /api/patients/search', body: SEARCH, answer: words('patients total numPages facets') },
  { key: 'GET /api/patients/count', answer: ['count'] },
  {
    key: 'GET /api/ccd/:patientId/ccds',
    answer: words('encounterId encounterFacilityName encounterFacilityType encounterStartDate encounterEndDate uuid'),
  },
  {
    key: 'GET /api/patients/:patientId/encounters',
    query: words('pageNumber pageSize admittingFacilityId includeHHA'),
  },
  { key: 'GET /api/patients/:patientId/hha-coverage', query: words('pageNumber pageSize') },
  { key: 'GET /api/patients/:id/hl7-based-programs' },
  { key: 'GET /api/patients/:id/encounters/summary' },
  { key: 'GET /api/patients/:id/diagnosis-summary' },
  { key: 'POST /api/cohort/:groupId/patients' },
  { key: 'PATCH /api/patients/:patientId' },
  { key: 'GET /api/ccd/ccd_summary', query: ['uuid'] },
  { key: 'GET /api/ccd/:patientId/discharge-info', query: ['encounterId'] },
  { key: 'GET /api/ccd/:patientId/discharge-summary', query: ['uuid'] },
  { key: 'GET /api/patients/:patientId/encounters/:encounterId/discharge-summary', query: ['teamId'] },
  { key: 'GET /api/notification-filter-preferences' },
  { key: 'PUT /api/notification-filter-preferences/:id' },
  { key: 'POST /api/typeahead/patients', body: words('query pageSize') },
  { key: 'POST /api/typeahead/:kind', body: words('query pageSize') },
  { key: 'GET /api/patient-search-params', answer: words('id name teamId orderNum offset query pageNumber pageSize') },
  { key: 'POST /api/patient-search-params', body: SAVED },
  { key: 'PUT /api/patient-search-params/:id', body: SAVED },
  { key: 'DELETE /api/patient-search-params/:id' },
  { key: 'GET /api/patient-search-params/preferences', answer: words('moduleName filterId') },
  { key: 'POST /api/patient-search-params/preferences', query: words('filterId moduleName') },
  { key: 'DELETE /api/patient-search-params/preferences', query: ['moduleName'] },
  { key: 'POST /api/alpha/opt-out', query: ['feature'] },
  { key: 'GET /api/alpha/opt-out' },
];

export const TYPEAHEADS = words('facilities programs practices care-coordinators providers cities zipCodes diagnoses');

export const PERMISSIONS =
  words(`canViewPings canViewPatients canEditPatientsAndEvents canUsePreAdmit canViewCcds canUpdateThreeDayWaiver
  canViewHospitalProduct canViewLengthOfStay canManageUsers canFilterActiveHHAServices canViewPatientTags canViewCarePlans canEditCarePlans
  userCouncilParticipant canViewSpotlights canViewCustomSpotlights canViewRouteAuditReport canViewCovid19Status canViewEventFeed canManagePings
  canUploadRoster canEditOldManualPatientsAndEvents canViewAllPatientDetails canViewCcdDischargeInfo canViewDischargeSummaries
  canViewRiskingRisk canResolveBackToCensus canViewCareGapsWorklistAlpha canViewRisingRiskPatientNotifications canViewRisingRiskFlag
  canViewMfaOptIn canViewSpotlightsWithTableau canUseWishinPulse canEditPatientTags`);
/** The admin-type group of permissions. */
export const ADMINISTRATIVE =
  words(`canManageUsers canViewPatients canViewSpotlights canViewCustomSpotlights canViewRouteAuditReport
  canViewLengthOfStay`);

export const EXPERIENCES =
  words(`ANAHIT ANAHIT_ENTERPRISE_SSO ANAHIT_AUTH0_SSO JANUS JANUS_ENTERPRISE_SSO JANUS_AUTH0_SSO JANUS_EHR_SSO
  HOS_EHR_SSO`);

export const ERRORS = {
  EMAIL_NOT_SENT: 'Sorry, something went wrong. Can you try again?',
  USER_NOT_FOUND: 'Oops! There seems to be an issue accessing this account. Contact us at the support link.',
  USER_DISABLED: 'Sorry, your account has been disabled. Contact us at the support link to unlock your account.',
  USER_NOT_ACTIVATED:
    "Whoops, looks like you haven't finished activating your account. We've sent you an email to help you do just that.",
  LOCKED:
    "Your account is now locked because you've entered an incorrect password 3 times. We have sent you an email to unlock your account.",
  PASSWORD_EXPIRED:
    'Your account is locked due to inactivity over the last 90 days. We have sent you an email to unlock your account.',
  SSO_ERROR: 'There is a problem with your account. Contact us at the support link.',
} as const;

/** Texts that pages show, or that an error has. */
export const TEXTS: readonly string[] = [
  'Thank you for your request to reset your password.',
  'Your account was locked due to too many failed attempts.',
  'There was an error getting your recent exports.',
  'Unknown Error',
  'The product session has timed out. Refresh the page to renew it.',
  'The proper permissions are not set up. Please contact us at',
  'This page does not exist',
  'Go To Home Page',
  'Sorry, something seems to have gone wrong.',
  'Uh oh, we ran into a problem.',
  'Please check back in a few minutes.',
  'There was a problem managing your ping status. Please try again.',
  'There was a problem saving your filter. Please try saving your filter again.',
  'An error occurred getting Filter Notification Preferences. Please try again.',
  'Patient was removed because they have no more encounters at your facility.',
  'Successfully opted out of beta',
  'ChunkLoadError',
  'Loading chunk',
  'Recent Exports',
  'All Resolved Pings',
  'Unavailable',
  'No Information Provided',
  'Admitting Facility',
  'Managing Provider',
  'MENTIONS_COVID_19',
  'active-filter-id',
  'nextPathName',
  'notificationPhone',
  'showFilters',
];

export const EVENT_TYPES = {
  ADMIT: 'Admitted',
  PRESENTED: 'Presented',
  VISIT: 'Visit',
  DISCHARGE: 'Discharged',
  DECEASED: 'Deceased',
  TRANSFER: 'Transferred',
  CLOSED: 'Closed',
  PAYOR_CHANGE: 'Payor Change',
  MEDICAL_LEAVE_OF_ABSENCE: 'Medical LOA',
  RESUMED_SERVICES: 'Resumed Services',
  ENDED_SERVICES: 'Ended Services',
  STARTED_HHA_SERVICES: 'Started HHA Services',
  ENDED_HHA_SERVICES: 'Ended HHA Services',
} as const;

export const STATUSES = {
  NEW: 'Unresolved',
  IN_PROGRESS: 'In Progress',
  RESOLVED: 'Resolved',
  DISMISSED: 'Dismissed',
} as const;
export const RESOLUTIONS = {
  BACK_ON_CENSUS: 'Brought Patient Back on Census',
  CONTACTED_PATIENT: 'Contacted patient',
  CONTACTED_FACILITY: 'Contacted this facility',
  SCHEDULED_FOLLOWUP: 'Scheduled follow-up visit',
  NO_ACTION_NEEDED: 'No action needed',
  OTHER: 'Other',
  SYSTEM_RESOLVED: 'Automatically resolved',
} as const;

export const CLINICAL_SETTINGS = {
  ED: 'Emergency Department',
  INPATIENT: 'Inpatient',
  ED_AND_INPATIENT: 'Both Emergency Department and Inpatient',
  OUTPATIENT: 'Outpatient',
} as const;

export const SEARCH_MODULES = words(
  'PATIENT_SEARCH PING_SEARCH NOTIFICATIONS EXPORTS HOSPITAL_PATIENT_SEARCH RISING_RISK',
);
export const SORT_KEYS =
  words(`FIRST_NAME LAST_NAME MANAGEMENT_STATUS_DATE PING_ENCOUNTER_DATE VISIT_DURATION LENGTH_OF_STAY ROOM_AND_BED
  NUMBER_OF_ENCOUNTERS NUMBER_OF_OUTSIDE_ENCOUNTERS NUMBER_OF_PROGRAMS NUMBER_OF_PRACTICES RELEVANCE`);

/** The groups of the filter panel, in order; 'flags' stands for its group of flags. */
export const FILTER_GROUPS: readonly string[] = [
  'Open Care Gaps',
  'Covid-19',
  'Current Status',
  'Ongoing HHA Services',
  'Facility Name',
  'Facility State',
  'Facility Type',
  'Setting',
  'Current Floor / Unit',
  'Diagnoses',
  'Prior Diagnoses',
  'Admitted From',
  'Discharged To',
  'Currently Billing',
  'Event Date',
  'Visit Duration',
  'flags',
  'Patient Story Information',
  'Latest Ping Resolution Reason',
  'Program',
  'Active Tags',
  'Practice',
  'Provider',
  'Care Coordinator',
  'Gender',
  'Age',
  'City',
  'Zip Code',
];

export const LOCATIONS: readonly string[] = [
  'patient roster',
  'ping feed',
  'patient story',
  'case management',
  'care team',
  'attachments',
  'analytics',
  'length of stay',
  'user report',
  'login',
  'pre-admit',
  'user profile',
  'event feed',
  'rising risk',
];
export const ERROR_KINDS = words('unknown api_unauthenticated api_call_failed component redux third_party_application');
export const TIME_ZONES: readonly string[] = ['New York', 'Chicago', 'Denver', 'Los Angeles', 'Anchorage', 'Honolulu'];
