import { filterSearch } from '../filters/filter-search.ts';
import { askEarly } from '../inbox/ask-early.ts';
import { InboxPage } from '../inbox/inbox-page.tsx';
import { inboxSearch } from '../inbox/inbox-search.ts';
import { staySearch } from '../length-of-stay/stay-search.ts';
import { createRoute, type PageComponent, type Route } from '../router/routes.ts';
import type { Search } from '../router/search.ts';
import { administrationRoutes } from './administration-routes.ts';
import { type Base, goToStart, guardFor, startUnlessPermitted } from './guards.ts';
import type { LaterPage } from './later-pages.ts';
import { onlyKeys } from './only-keys.ts';
import { laterPage, signedInFrame } from './root-routes.ts';

const loadAskEarly = async () => (await import('./later-pages.ts')).loadAskEarly();

type Guard = () => Promise<void>;

const page = (path: string, id: LaterPage, beforeLoad: Guard): Route =>
  createRoute({
    parent: signedInFrame,
    path,
    beforeLoad,
    component: laterPage(id),
  });

/** A filtered list, at its own path and at that of a saved filter. */
const list = (
  path: string,
  validateSearch: (raw: Search) => object,
  component: PageComponent,
  beforeLoad: Guard,
  onEnter?: Route['onEnter'],
): Route[] =>
  [path, `${path}/active-filter-id/$filterId`].map((each) =>
    createRoute({
      parent: signedInFrame,
      path: each,
      beforeLoad,
      validateSearch,
      component,
      onEnter,
    }),
  );

/** The pages of one experience. */
export const experienceRoutes = (base: Base) => {
  const guard = guardFor(base);
  const [pings, roster] = [guard('canViewPings'), guard('canViewPatients')];
  return [
    ...(base === '/hospital'
      ? list(base, filterSearch, laterPage('patients'), startUnlessPermitted(guard, 'canViewPatients'))
      : [createRoute({ parent: signedInFrame, path: base, beforeLoad: () => guard()().then(goToStart) })]),
    ...list(base === '/ehr' ? '/ehr/inbox' : `${base}/home/inbox`, inboxSearch, InboxPage, pings, askEarly),
    ...(base === '/ehr'
      ? []
      : [
          ...list(`${base}/patients/my-patients`, filterSearch, laterPage('patients'), roster),
          ...list(
            `${base}/rising-risk`,
            filterSearch,
            laterPage('rising-risk'),
            guard('canViewPatients', 'canViewRiskingRisk'),
          ),
          ...list(
            `${base}/length-of-stay`,
            staySearch,
            laterPage('length-of-stay'),
            guard('canViewPatients', 'canViewLengthOfStay'),
          ),
          page(`${base}/pre-admit`, 'pre-admit', guard('canUsePreAdmit')),
          ...list(`${base}/event-feed`, filterSearch, laterPage('event-feed'), guard('canViewEventFeed')),
          page(`${base}/exports`, 'exports', guard(['canViewPatients', 'canViewPings'])),
          ...['', '/pages', '/access'].map((report) =>
            page(`${base}/user-report${report}`, 'reports', guard(['canManageUsers', 'canViewRouteAuditReport'])),
          ),
        ]),
    page(`${base}/analytics`, 'spotlights', guard('canViewSpotlights')),
    page(`${base}/analytics/$subName`, 'spotlights', guard('canViewSpotlights')),
    page(`${base}/rosters`, 'rosters', guard('canUploadRoster')),
    createRoute({
      parent: signedInFrame,
      path: `${base}/feeds`,
      beforeLoad: guard('canManageUsers'),
      validateSearch: onlyKeys('view', 'message', 'feed', 'status', 'control', 'after', 'before', 'p'),
      component: laterPage('feeds'),
    }),
    createRoute({
      parent: signedInFrame,
      path: `${base}/patients/$patientId`,
      beforeLoad: guard(['canViewPatients', 'canViewPings']),
      // Not awaited: the page shows what is there, and what failed.
      loader: ({ params }) =>
        void loadAskEarly().then(
          ({ askEarly }) => askEarly(params.patientId),
          () => {},
        ),
      component: laterPage('story'),
    }),
    page(`${base}/patients/$patientId/open/$exchange`, 'exchange', roster),
    page(`${base}/patients/$patientId/care-team`, 'care-team', roster),
    page(`${base}/patients/$patientId/case-management`, 'case-management', roster),
    page(`${base}/patients/$patientId/case-management/$uuid`, 'document', roster),
    page(`${base}/patients/$patientId/attachments`, 'attachments', roster),
    page(`${base}/patients/$patientId/attachments/$uuid`, 'document', roster),
    page(`${base}/patients/$patientId/events/$eventId`, 'explanation', pings),
    page(`${base}/patients/$patientId/events/$eventId/evidence`, 'evidence', pings),
    page(`${base}/patients/$patientId/missing-pings`, 'missing-pings', guard('canManageUsers')),
    page(`${base}/whats-new`, 'whats-new', guard()),
    page(`${base}/user-profile`, 'profile', guard()),
    ...administrationRoutes(base, guard),
  ];
};
