/** Each kind of modal: its file, which sets its title, and what a journey does to open it or expects of it. */
export const MODALS: Readonly<Record<string, { file: string; title: string; journey: string }>> = {
  export: { file: 'web/exports/export-modal.tsx', title: 'title="Export"', journey: "name: 'Export'" },
  'create filter': {
    file: 'web/saved-filters/save-filter-modal.tsx',
    title: 'Save filter',
    journey: "getByRole('dialog', { name: 'Save filter'",
  },
  'delete filter': {
    file: 'web/saved-filters/manage-filters.tsx',
    title: 'Delete filter',
    journey: "getByRole('dialog', { name: 'Delete filter'",
  },
  error: { file: 'web/manual/error-modal.tsx', title: 'title={title}', journey: "Couldn't load the three-day waiver." },
  patient: {
    file: 'web/manual/patient-drawer.tsx',
    title: 'title="Add patient"',
    journey: "getByRole('dialog', { name: 'Add patient'",
  },
  'patient care team': { file: 'web/care/contact-drawer.tsx', title: "'Add contact'", journey: "name: 'Add contact'" },
  'update status': {
    file: 'web/manual/event-drawer.tsx',
    title: "'Update status'",
    journey: "getByRole('dialog', { name: 'Update status'",
  },
  'delete encounter': {
    file: 'web/manual/visit-actions.tsx',
    title: 'Delete this visit at',
    journey: "name: 'Delete visit…'",
  },
  'three-day waiver': {
    file: 'web/manual/waiver-drawer.tsx',
    title: 'title="Three-day waiver"',
    journey: "getByRole('dialog', { name: 'Three-day waiver'",
  },
  'notification mobile number': {
    file: 'web/notifications/phone-modals.tsx',
    title: 'Mobile number',
    journey: "getByRole('dialog', { name: 'Mobile number'",
  },
  'notification verification number': {
    file: 'web/notifications/phone-modals.tsx',
    title: 'Verification number',
    journey: "getByRole('dialog', { name: 'Verification number'",
  },
  'HL7 program': {
    file: 'web/story/program-modal.tsx',
    title: "'HL7 program'",
    journey: 'what an HL7 program is',
  },
  'edit notifications': {
    file: 'web/notifications/edit-notifications.tsx',
    title: 'Edit notifications',
    journey: "getByRole('dialog', { name: 'Edit notifications'",
  },
  'export event feed': {
    file: 'web/event-feed/export-event-feed.tsx',
    title: 'Export event feed',
    journey: "getByRole('dialog', { name: 'Export event feed'",
  },
  'edit event-feed notifications': {
    file: 'web/notifications/edit-notifications.tsx',
    title: 'Edit event feed notifications',
    journey: "getByRole('dialog', { name: 'Edit event feed notifications'",
  },
};

/** Paths that the product has to answer, with `1_1` for a patient and `1` for a saved filter. */
export const PATHS: readonly string[] =
  `/ /login /registration /primary-clinical-setting /sso-timeout /permissions-error /error /dashboard /hospital /ehr
  /dashboard/home/inbox /dashboard/patients/my-patients /dashboard/rising-risk /dashboard/user-profile /ehr/inbox /ehr/patients/1_1 /inbox
  /patients/1_1 /patients/1_1/case-management /patients/1_1/care-team /patients/1_1/attachments /length-of-stay /user-report /pre-admit
  /user-profile /event-feed /rising-risk /analytics/readmissions /dashboard/analytics/readmissions /hospital/analytics/readmissions
  /dashboard/patients/1_1/case-management /hospital/patients/1_1/case-management /ehr/patients/1_1/case-management
  /dashboard/patients/1_1/care-team /dashboard/patients/1_1/attachments /dashboard/patients/my-patients/active-filter-id/1
  /dashboard/home/inbox/active-filter-id/1 /hospital/active-filter-id/1 /hospital/rising-risk /hospital/pre-admit /hospital/event-feed
  /hospital/length-of-stay /hospital/user-report /hospital/user-profile`.split(/\s+/);
