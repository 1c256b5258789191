/** The pages about a patient's care, in one chunk. */
export { CareTeamPage } from './care-team-page.tsx';
export { CaseManagementPage } from './case-management-page.tsx';
