import { createRoute } from '@tanstack/react-router';
import { goHome, homeIfRenewed, mayRegister, onwardIfSignedIn, requireSignIn } from './guards.ts';
import { lazyPage } from './lazy-page.ts';
import { rootRoute } from './root-routes.ts';

/** The pages without the frame: sign-in, registration, mailed links, errors. */
export const publicRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    beforeLoad: goHome,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    beforeLoad: onwardIfSignedIn,
    component: lazyPage('sign-in', () => import('../sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/launch-failed',
    component: lazyPage('launch-failed', () => import('../sign-in/launch-failed-page.tsx'), 'LaunchFailedPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/registration',
    beforeLoad: mayRegister,
    component: lazyPage('registration', () => import('../sign-in/registration-page.tsx'), 'RegistrationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/primary-clinical-setting',
    beforeLoad: requireSignIn,
    component: lazyPage(
      'clinical-setting',
      () => import('../sign-in/clinical-setting-page.tsx'),
      'ClinicalSettingPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sso-timeout',
    beforeLoad: homeIfRenewed,
    component: lazyPage('sso-timeout', () => import('../shell/sso-timeout-page.tsx'), 'SsoTimeoutPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/password/set',
    component: lazyPage('token', () => import('../sign-in/token-page.tsx'), 'TokenPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot-password',
    component: lazyPage('forgot-password', () => import('../sign-in/forgot-page.tsx'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/facility-link',
    component: lazyPage('facility-link', () => import('../link-holders/holder-page.tsx'), 'HolderPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/demo/mailbox',
    component: lazyPage('mailbox', () => import('../sign-in/mailbox-page.tsx'), 'MailboxPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/error',
    component: lazyPage('error', () => import('../shell/error-page.tsx'), 'ErrorPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/permissions-error',
    component: lazyPage('permissions-error', () => import('../shell/error-page.tsx'), 'PermissionsErrorPage'),
  }),
];
