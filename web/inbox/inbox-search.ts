import { PING_PAGE_SIZE } from '#contract/constants.ts';
import { MANAGEMENT_STATUS_LABELS, type ManagementStatus } from '#contract/management-status.ts';
import type { SearchParametersInput, SortKey } from '#contract/search.ts';

const BY_DATE = { ascending: 'oldest first', descending: 'newest first', largestFirst: true };
const BY_NAME = { ascending: 'A to Z', descending: 'Z to A', largestFirst: false };
const BY_LENGTH = { ascending: 'shortest first', descending: 'longest first' };

/** The sort options of the inbox with their labels, and whether they begin with the largest (specification, section 9). */
export const SORTS = {
  PING_ENCOUNTER_DATE: { label: 'Date of current status', ...BY_DATE },
  MANAGEMENT_STATUS_DATE: { label: 'Date of last change', ...BY_DATE },
  LAST_NAME: { label: 'Last name', ...BY_NAME },
  FIRST_NAME: { label: 'First name', ...BY_NAME },
  VISIT_DURATION: { label: 'Visit duration', ...BY_LENGTH, largestFirst: false },
  LENGTH_OF_STAY: { label: 'Length of stay', ...BY_LENGTH, largestFirst: true },
} as const satisfies Record<SortKey, object>;

/** The state of the inbox as its URL carries it: codes and opaque ids only; what is left out has its default. */
export interface InboxSearch {
  status?: ManagementStatus;
  sort?: SortKey;
  order?: 'ASC' | 'DESC';
  group?: string;
  p?: number;
  /** The id of the patient whose ping is open. */
  sel?: string;
}

const oneOf = <T extends string>(codes: Record<T, unknown>, value: unknown): T | undefined =>
  typeof value === 'string' && Object.hasOwn(codes, value) ? (value as T) : undefined;
const matching = (pattern: RegExp, value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && pattern.test(String(value)) ? String(value) : undefined;

/** Reads a URL's search; what cannot be is left out. */
export const inboxSearch = (raw: Record<string, unknown>): InboxSearch => {
  const p = Number(raw.p);
  const search: InboxSearch = {
    status: oneOf(MANAGEMENT_STATUS_LABELS, raw.status),
    sort: oneOf(SORTS, raw.sort),
    order: oneOf({ ASC: 1, DESC: 1 }, raw.order),
    group: matching(/^\d{1,19}$/, raw.group),
    p: Number.isInteger(p) && p > 1 ? p : undefined,
    sel: matching(/^\d{1,19}_\d{1,19}$/, raw.sel),
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
};

/** The list that is shown; the specification's default is what nobody has taken up yet. */
export const statusOf = ({ status = 'NEW' }: InboxSearch): ManagementStatus => status;

/** The order in which the list stands: as asked for, or the default of its sort. */
export const orderOf = ({ sort = 'PING_ENCOUNTER_DATE', order }: InboxSearch): 'ASC' | 'DESC' =>
  order ?? (SORTS[sort].largestFirst ? 'DESC' : 'ASC');

/** What the call takes for a state of the inbox. */
export const parametersOf = (search: InboxSearch): SearchParametersInput => ({
  searchContext: 'PINGS',
  sortBy: [search.sort ?? 'PING_ENCOUNTER_DATE'],
  sortOrder: orderOf(search),
  pageNumber: search.p ?? 1,
  pageSize: PING_PAGE_SIZE,
  userDefinedFacetPreferences: {
    preferenceMap: {
      managementStatus: [{ field: 'managementStatus', value: statusOf(search) }],
      ...(search.group ? { group: [{ field: 'group', value: search.group }] } : {}),
    },
  },
});
