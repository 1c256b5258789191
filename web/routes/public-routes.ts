import { createRoute } from '../router/routes.ts';
import { goHome, homeIfRenewed, mayRegister, onwardIfSignedIn, requireSignIn } from './guards.ts';
import { lazyPage } from './lazy-page.ts';
import { rootFrame } from './root-routes.ts';

/** The pages without the frame: sign-in, registration, mailed links, errors. */
export const publicRoutes = [
  createRoute({
    parent: rootFrame,
    path: '/',
    beforeLoad: goHome,
  }),
  createRoute({
    parent: rootFrame,
    path: '/login',
    beforeLoad: onwardIfSignedIn,
    component: lazyPage('sign-in', () => import('../sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    parent: rootFrame,
    path: '/launch-failed',
    component: lazyPage('launch-failed', () => import('../sign-in/launch-failed-page.tsx'), 'LaunchFailedPage'),
  }),
  createRoute({
    parent: rootFrame,
    path: '/registration',
    beforeLoad: mayRegister,
    component: lazyPage('registration', () => import('../sign-in/registration-page.tsx'), 'RegistrationPage'),
  }),
  createRoute({
    parent: rootFrame,
    path: '/primary-clinical-setting',
    beforeLoad: requireSignIn,
    component: lazyPage(
      'clinical-setting',
      () => import('../sign-in/clinical-setting-page.tsx'),
      'ClinicalSettingPage',
    ),
  }),
  createRoute({
    parent: rootFrame,
    path: '/sso-timeout',
    beforeLoad: homeIfRenewed,
    component: lazyPage('sso-timeout', () => import('../shell/sso-timeout-page.tsx'), 'SsoTimeoutPage'),
  }),
  createRoute({
    parent: rootFrame,
    path: '/password/set',
    component: lazyPage('token', () => import('../sign-in/token-page.tsx'), 'TokenPage'),
  }),
  createRoute({
    parent: rootFrame,
    path: '/forgot-password',
    component: lazyPage('forgot-password', () => import('../sign-in/forgot-page.tsx'), 'ForgotPage'),
  }),
  createRoute({
    parent: rootFrame,
    path: '/facility-link',
    component: lazyPage('facility-link', () => import('../link-holders/holder-page.tsx'), 'HolderPage'),
  }),
  createRoute({
    parent: rootFrame,
    path: '/demo/mailbox',
    component: lazyPage('mailbox', () => import('../sign-in/mailbox-page.tsx'), 'MailboxPage'),
  }),
  createRoute({
    parent: rootFrame,
    path: '/error',
    component: lazyPage('error', () => import('../shell/error-page.tsx'), 'ErrorPage'),
  }),
  createRoute({
    parent: rootFrame,
    path: '/permissions-error',
    component: lazyPage('permissions-error', () => import('../shell/error-page.tsx'), 'PermissionsErrorPage'),
  }),
];
