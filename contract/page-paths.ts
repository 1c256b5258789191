/**
 * The paths of the application's pages, as its router writes them: `$name` stands for one segment, `$` at the end for all that follow. The
 * server answers these and no others with the page; a test compares them with the router's own table.
 */
/** The names of their parameters; `_splat` is what `$` at the end stands for. */
export const PAGE_PARAMETERS = ['patientId', 'eventId', 'exchange', 'filterId', 'subName', 'uuid', '_splat'] as const;
export type PageParameter = (typeof PAGE_PARAMETERS)[number];

const FILTERED = (path: string): string[] => [path, `${path}/active-filter-id/$filterId`];

const COMMON = [
  'analytics',
  'analytics/$subName',
  'rosters',
  'feeds',
  ...[
    '',
    '/care-team',
    '/case-management',
    '/case-management/$uuid',
    '/attachments',
    '/attachments/$uuid',
    '/open/$exchange',
    '/events/$eventId',
    '/events/$eventId/evidence',
    '/missing-pings',
  ].map((page) => `patients/$patientId${page}`),
  'whats-new',
  'user-profile',
];

const ADMINISTRATION = [
  'admin',
  ...['users', 'teams', 'groups', 'roles', 'hl7-programs', 'single-sign-on', 'requests', 'changes', 'accesses'].map(
    (page) => `admin/${page}`,
  ),
];

const LISTS = ['home/inbox', 'patients/my-patients', 'rising-risk', 'length-of-stay', 'event-feed'];

/** What is not inside an EHR. */
const DESK = [
  ...LISTS.flatMap(FILTERED),
  'pre-admit',
  'exports',
  'user-report',
  'user-report/pages',
  'user-report/access',
];

const under = (base: string, pages: readonly string[]): string[] => pages.map((page) => `${base}/${page}`);

export const PAGE_PATHS: readonly string[] = [
  '/',
  '/login',
  '/launch-failed',
  '/registration',
  '/primary-clinical-setting',
  '/sso-timeout',
  '/password/set',
  '/forgot-password',
  // Links of the older product, which are rewritten to these paths.
  '/usertype/$',
  '/password/$',
  '/facility-link',
  '/demo/mailbox',
  '/error',
  '/permissions-error',
  '/dashboard',
  ...under('/dashboard', [...DESK, ...COMMON, ...ADMINISTRATION]),
  ...FILTERED('/hospital'),
  ...under('/hospital', [...DESK, ...COMMON, ...ADMINISTRATION]),
  '/ehr',
  ...under('/ehr', [...FILTERED('inbox'), ...COMMON, ...ADMINISTRATION]),
  // Paths without a base, which redirect to that of the user's experience.
  '/inbox/$',
  '/notifications/$uuid',
  '/patients/$',
  '/length-of-stay/$',
  '/user-report/$',
  '/pre-admit',
  '/user-profile',
  '/event-feed/$',
  '/rising-risk',
  '/analytics/$',
];

const PAGES = PAGE_PATHS.map(segmentsOf);

function segmentsOf(path: string): string[] {
  const segments = path.toLowerCase().split('/').slice(1);
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}

/** Returns whether the application has a page at the path of a URL. */
export function isPagePath(path: string): boolean {
  const asked = segmentsOf(path);
  return path.startsWith('/') && PAGES.some((page) => isAt(page, asked));
}

function isAt(page: readonly string[], asked: readonly string[]): boolean {
  const takesRest = page.at(-1) === '$';
  const fixed = takesRest ? page.slice(0, -1) : page;
  const fits = (segment: string, at: number) => (segment.startsWith('$') ? asked[at] !== '' : segment === asked[at]);
  return (takesRest ? asked.length >= fixed.length : asked.length === fixed.length) && fixed.every(fits);
}
