import { MANAGEMENT_STATUS_LABELS, type ManagementStatus } from '#contract/management-status.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import type { SortKey } from '#contract/sorts.ts';
import { noFilters } from '../filters/criteria.ts';
import { definedEntries, type FilterSearch, filterSearch } from '../filters/filter-search.ts';
import { parametersOf } from '../filters/search-parameters.ts';
import type { ListKind } from '../filters/use-filters.ts';

/** The sort keys that the inbox offers. */
export const INBOX_SORTS: readonly SortKey[] = [
  'PING_ENCOUNTER_DATE',
  'MANAGEMENT_STATUS_DATE',
  'LAST_NAME',
  'FIRST_NAME',
  'VISIT_DURATION',
  'LENGTH_OF_STAY',
];

/** The state of the inbox in its URL: codes and opaque ids only. What is absent has its default. */
export interface InboxSearch extends FilterSearch {
  status?: ManagementStatus;
  /** The id of the patient whose ping is open. */
  sel?: string;
}

/** The list that the inbox shows; status changes and live events are compared with it. */
export interface InboxList {
  status: ManagementStatus;
  parameters: SearchParametersInput;
}

/** Returns the state that the query of a URL holds; invalid parts are dropped. */
export const inboxSearch = (raw: Record<string, unknown>): InboxSearch => {
  const { status, sel } = raw;
  return definedEntries({
    ...filterSearch(raw),
    status:
      typeof status === 'string' && Object.hasOwn(MANAGEMENT_STATUS_LABELS, status)
        ? (status as ManagementStatus)
        : undefined,
    sel: typeof sel === 'string' && /^\d{1,19}_\d{1,19}$/.test(sel) ? sel : undefined,
  });
};

/** Returns the status whose list is shown; unresolved pings by default. */
export const statusOf = ({ status = 'NEW' }: InboxSearch): ManagementStatus => status;

const PING_PAGE_SIZE = 20;
const DEFAULTS = noFilters(PING_PAGE_SIZE);
/** Returns what distinguishes the inbox from other lists. Its status is set by the list itself and never part of a saved filter. */
export const inboxKind = (status: ManagementStatus): ListKind => ({
  module: 'PING_SEARCH',
  context: 'PINGS',
  defaults: DEFAULTS,
  always: { managementStatus: [{ field: 'managementStatus', value: status, negated: false }] },
});

/** The list that status changes refer to on a page that shows no list. */
export const UNRESOLVED_LIST: InboxList = { status: 'NEW', parameters: parametersOf(DEFAULTS, inboxKind('NEW')) };
