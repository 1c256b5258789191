/** The pages without the frame. A chunk of their own names the chunks that each needs, as later-pages.ts does. */
const errorPages = () => import('../shell/error-page.tsx');

export const publicPages = {
  'sign-in': () => import('../sign-in/sign-in-page.tsx').then((file) => file.SignInPage),
  'launch-failed': () => import('../sign-in/launch-failed-page.tsx').then((file) => file.LaunchFailedPage),
  registration: () => import('../sign-in/registration-page.tsx').then((file) => file.RegistrationPage),
  'clinical-setting': () => import('../sign-in/clinical-setting-page.tsx').then((file) => file.ClinicalSettingPage),
  'sso-timeout': () => import('../shell/sso-timeout-page.tsx').then((file) => file.SsoTimeoutPage),
  token: () => import('../sign-in/token-page.tsx').then((file) => file.TokenPage),
  'forgot-password': () => import('../sign-in/forgot-page.tsx').then((file) => file.ForgotPage),
  'facility-link': () => import('../link-holders/holder-page.tsx').then((file) => file.HolderPage),
  mailbox: () => import('../sign-in/mailbox-page.tsx').then((file) => file.MailboxPage),
  error: () => errorPages().then((file) => file.ErrorPage),
  'permissions-error': () => errorPages().then((file) => file.PermissionsErrorPage),
};
