import { filterSearch } from '../filters/filter-search.ts';
import { inboxSearch } from '../inbox/inbox-search.ts';
import { staySearch } from '../length-of-stay/stay-search.ts';
import { createRoute } from '../router/routes.ts';
import { PageSkeleton } from '../shell/skeletons.tsx';
import { administrationRoutes } from './administration-routes.ts';
import { type Base, goToStart, guardFor, startUnlessPermitted } from './guards.ts';
import { lazyPage } from './lazy-page.ts';
import { onlyKeys, onlyValid } from './only-valid.ts';
import { later, loadFirstPage, signedInFrame } from './root-routes.ts';

const InboxPage = lazyPage('first-page', loadFirstPage, 'InboxPage');
const PatientsPage = lazyPage('patients', () => import('../patients/patients-page.tsx'), 'PatientsPage');
const LengthOfStayPage = lazyPage(
  'length-of-stay',
  () => import('../length-of-stay/length-of-stay-page.tsx'),
  'LengthOfStayPage',
);
const RisingRiskPage = lazyPage('rising-risk', () => import('../rising-risk/rising-risk-page.tsx'), 'RisingRiskPage');
const ReportsPage = lazyPage('reports', async () => (await later()).loadReports(), 'ReportsPage');
const EventFeedPage = lazyPage('event-feed', async () => (await later()).loadEventFeed(), 'EventFeedPage');
const PreAdmitPage = lazyPage('pre-admit', async () => (await later()).loadPreAdmit(), 'PreAdmitPage');
const RostersPage = lazyPage('rosters', async () => (await later()).loadRosters(), 'RostersPage');
const ExportsPage = lazyPage('exports', async () => (await later()).loadExports(), 'ExportsPage');
const FeedsPage = lazyPage('feeds', async () => (await later()).loadFeeds(), 'FeedsPage');
const WhatsNewPage = lazyPage('whats-new', async () => (await later()).loadWhatsNew(), 'WhatsNewPage');
const ProfilePage = lazyPage('profile', async () => (await later()).loadProfile(), 'ProfilePage');
const StoryPage = lazyPage('story', async () => (await later()).loadStory(), 'StoryPage');
const loadAskEarly = async () => (await later()).loadAskEarly();
const SpotlightsPage = lazyPage('spotlights', async () => (await later()).loadSpotlights(), 'SpotlightsPage');
const loadCare = async () => (await later()).loadCare();
const CareTeamPage = lazyPage('care', loadCare, 'CareTeamPage');
const AttachmentsPage = lazyPage('care', loadCare, 'AttachmentsPage');
const DocumentPage = lazyPage('care', loadCare, 'DocumentPage');
const CaseManagementPage = lazyPage('care', loadCare, 'CaseManagementPage');
const ExchangePage = lazyPage('care', loadCare, 'ExchangePage');
const loadExplain = async () => (await later()).loadExplain();
const ExplanationPage = lazyPage('explain', loadExplain, 'ExplanationPage');
const EvidencePage = lazyPage('explain', loadExplain, 'EvidencePage');
const MissingPingsPage = lazyPage('explain', loadExplain, 'MissingPingsPage');

type Page = typeof InboxPage;
type Guard = () => Promise<void>;

const page = (path: string, component: Page, beforeLoad: Guard) =>
  createRoute({ parent: signedInFrame, path, beforeLoad, component, pendingComponent: PageSkeleton });

/** A filtered list, at its own path and at that of a saved filter. */
const list = (
  path: string,
  validateSearch: (raw: Record<string, unknown>) => object,
  component: Page,
  beforeLoad: Guard,
) =>
  [path, `${path}/active-filter-id/$filterId`].map((each) =>
    createRoute({
      parent: signedInFrame,
      path: each,
      beforeLoad,
      validateSearch: onlyValid(validateSearch),
      component,
      pendingComponent: PageSkeleton,
    }),
  );

/** The pages of one experience. */
export const experienceRoutes = (base: Base) => {
  const guard = guardFor(base);
  const [pings, roster] = [guard('canViewPings'), guard('canViewPatients')];
  return [
    ...(base === '/hospital'
      ? list(base, filterSearch, PatientsPage, startUnlessPermitted(guard, 'canViewPatients'))
      : [createRoute({ parent: signedInFrame, path: base, beforeLoad: goToStart })]),
    ...list(base === '/ehr' ? '/ehr/inbox' : `${base}/home/inbox`, inboxSearch, InboxPage, pings),
    ...(base === '/ehr'
      ? []
      : [
          ...list(`${base}/patients/my-patients`, filterSearch, PatientsPage, roster),
          ...list(`${base}/rising-risk`, filterSearch, RisingRiskPage, guard('canViewPatients', 'canViewRiskingRisk')),
          ...list(
            `${base}/length-of-stay`,
            staySearch,
            LengthOfStayPage,
            guard('canViewPatients', 'canViewLengthOfStay'),
          ),
          page(`${base}/pre-admit`, PreAdmitPage, guard('canUsePreAdmit')),
          ...list(`${base}/event-feed`, filterSearch, EventFeedPage, guard('canViewEventFeed')),
          page(`${base}/exports`, ExportsPage, guard(['canViewPatients', 'canViewPings'])),
          ...['', '/pages', '/access'].map((report) =>
            page(`${base}/user-report${report}`, ReportsPage, guard(['canManageUsers', 'canViewRouteAuditReport'])),
          ),
        ]),
    page(`${base}/analytics`, SpotlightsPage, guard('canViewSpotlights')),
    page(`${base}/analytics/$subName`, SpotlightsPage, guard('canViewSpotlights')),
    page(`${base}/rosters`, RostersPage, guard('canUploadRoster')),
    createRoute({
      parent: signedInFrame,
      path: `${base}/feeds`,
      beforeLoad: guard('canManageUsers'),
      validateSearch: onlyKeys('view', 'message', 'feed', 'status', 'control', 'after', 'before', 'p'),
      component: FeedsPage,
      pendingComponent: PageSkeleton,
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
      component: StoryPage,
      pendingComponent: PageSkeleton,
    }),
    page(`${base}/patients/$patientId/open/$exchange`, ExchangePage, roster),
    page(`${base}/patients/$patientId/care-team`, CareTeamPage, roster),
    page(`${base}/patients/$patientId/case-management`, CaseManagementPage, roster),
    page(`${base}/patients/$patientId/case-management/$uuid`, DocumentPage, roster),
    page(`${base}/patients/$patientId/attachments`, AttachmentsPage, roster),
    page(`${base}/patients/$patientId/attachments/$uuid`, DocumentPage, roster),
    page(`${base}/patients/$patientId/events/$eventId`, ExplanationPage, pings),
    page(`${base}/patients/$patientId/events/$eventId/evidence`, EvidencePage, pings),
    page(`${base}/patients/$patientId/missing-pings`, MissingPingsPage, guard('canManageUsers')),
    page(`${base}/whats-new`, WhatsNewPage, guard()),
    page(`${base}/user-profile`, ProfilePage, guard()),
    ...administrationRoutes(base, guard),
  ];
};
