/** The pages about a patient's care, in one chunk. */
export { ExchangePage } from '../patient-links-out/exchange-page.tsx';
export { AttachmentsPage } from './attachments-page.tsx';
export { CareTeamPage } from './care-team-page.tsx';
export { CaseManagementPage } from './case-management-page.tsx';
export { DocumentPage } from './document-page.tsx';
