/** Application experiences: JANUS is the product for programs and post-acute facilities, ANAHIT the one for hospitals. */
export const APPLICATION_EXPERIENCES = [
  'JANUS',
  'JANUS_ENTERPRISE_SSO',
  'JANUS_AUTH0_SSO',
  'JANUS_EHR_SSO',
  'ANAHIT',
  'ANAHIT_ENTERPRISE_SSO',
  'ANAHIT_AUTH0_SSO',
  'HOS_EHR_SSO',
] as const;
export type ApplicationExperience = (typeof APPLICATION_EXPERIENCES)[number];

/** The experiences to choose from, by how their users sign in; the first of each is the default. */
export const EXPERIENCES_BY_SIGN_IN = {
  PASSWORD: ['JANUS', 'ANAHIT'],
  OIDC: ['JANUS_AUTH0_SSO', 'ANAHIT_AUTH0_SSO'],
  SAML: ['JANUS_ENTERPRISE_SSO', 'ANAHIT_ENTERPRISE_SSO'],
  SMART: ['JANUS_EHR_SSO', 'HOS_EHR_SSO'],
} as const satisfies Record<string, readonly ApplicationExperience[]>;

/** Returns the path that all pages of an experience begin with. */
export const experienceBase = (experience: ApplicationExperience): '/dashboard' | '/hospital' | '/ehr' =>
  experience.endsWith('EHR_SSO') ? '/ehr' : experience.startsWith('ANAHIT') ? '/hospital' : '/dashboard';

/** The choices of a user's primary clinical setting. */
export const PRIMARY_CLINICAL_SETTINGS = {
  ED: 'Emergency Department',
  INPATIENT: 'Inpatient',
  ED_AND_INPATIENT: 'Both Emergency Department and Inpatient',
  OUTPATIENT: 'Outpatient',
} as const;
export type PrimaryClinicalSetting = keyof typeof PRIMARY_CLINICAL_SETTINGS;
