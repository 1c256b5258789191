import { MANAGEMENT_STATUS_LABELS, type ManagementStatus } from '#contract/management-status.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import type { SortKey } from '#contract/sorts.ts';
import { everything } from '../filters/criteria.ts';
import { type FilterSearch, filterSearch, present } from '../filters/filter-search.ts';
import { parametersOf } from '../filters/search-parameters.ts';
import type { ListKind } from '../filters/use-filters.ts';

/** The orders that the inbox offers. */
export const INBOX_SORTS: readonly SortKey[] = [
  'PING_ENCOUNTER_DATE',
  'MANAGEMENT_STATUS_DATE',
  'LAST_NAME',
  'FIRST_NAME',
  'VISIT_DURATION',
  'LENGTH_OF_STAY',
];

/** The state of the inbox as its URL carries it: codes and opaque ids only; what is left out has its default. */
export interface InboxSearch extends FilterSearch {
  status?: ManagementStatus;
  /** The id of the patient whose ping is open. */
  sel?: string;
}

/** One list of the inbox as it is searched: changes of status and live events are held against it. */
export interface PingListed {
  status: ManagementStatus;
  parameters: SearchParametersInput;
}

/** Reads a URL's search; what cannot be is left out. */
export const inboxSearch = (raw: Record<string, unknown>): InboxSearch => {
  const { status, sel } = raw;
  return present({
    ...filterSearch(raw),
    status:
      typeof status === 'string' && Object.hasOwn(MANAGEMENT_STATUS_LABELS, status)
        ? (status as ManagementStatus)
        : undefined,
    sel: typeof sel === 'string' && /^\d{1,19}_\d{1,19}$/.test(sel) ? sel : undefined,
  });
};

/** The list that is shown; the specification's default is what nobody has taken up yet. */
export const statusOf = ({ status = 'NEW' }: InboxSearch): ManagementStatus => status;

const PING_PAGE_SIZE = 20;
const USUAL = everything(PING_PAGE_SIZE);
/** The inbox as a list that is filtered: its status is no part of a saved filter. */
export const inboxKind = (status: ManagementStatus): ListKind => ({
  module: 'PING_SEARCH',
  context: 'PINGS',
  usual: USUAL,
  always: { managementStatus: [{ field: 'managementStatus', value: status, negated: false }] },
});

/** The list of a page that has none beside it. */
export const NO_LIST: PingListed = { status: 'NEW', parameters: parametersOf(USUAL, inboxKind('NEW')) };
