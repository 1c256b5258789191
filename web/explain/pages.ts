/** The pages that explain pings, in one chunk. */
export { EvidencePage } from './evidence-page.tsx';
export { ExplanationPage } from './explanation-page.tsx';
export { MissingPingsPage } from './missing-pings-page.tsx';
