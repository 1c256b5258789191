import { createRoute, type PageComponent, type Route } from '../router/routes.ts';
import { goHome, homeIfRenewed, mayRegister, onwardIfSignedIn, requireSignIn } from './guards.ts';
import { pagesOf } from './lazy-page.ts';
import { rootFrame } from './root-routes.ts';

const later = pagesOf(async () => (await import('./public-pages.ts')).publicPages);

const page = (path: string, component?: PageComponent, beforeLoad?: Route['beforeLoad']): Route =>
  createRoute({ parent: rootFrame, path, component, beforeLoad });

/** The pages without the frame: sign-in, registration, mailed links, errors. */
export const publicRoutes = [
  page('/', undefined, goHome),
  page('/login', later('sign-in'), onwardIfSignedIn),
  page('/launch-failed', later('launch-failed')),
  page('/registration', later('registration'), mayRegister),
  page('/primary-clinical-setting', later('clinical-setting'), requireSignIn),
  page('/sso-timeout', later('sso-timeout'), homeIfRenewed),
  page('/password/set', later('token')),
  page('/forgot-password', later('forgot-password')),
  page('/usertype/$', later('registration'), mayRegister),
  page('/password/$', later('forgot-password')),
  page('/facility-link', later('facility-link')),
  page('/demo/mailbox', later('mailbox')),
  page('/error', later('error')),
  page('/permissions-error', later('permissions-error')),
];
