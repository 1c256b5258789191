import { INBOX_LISTS, type InboxListCode } from '#contract/inbox-lists.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import type { SortKey } from '#contract/sorts.ts';
import type { Preferences } from '#contract/users.ts';
import { UNASSIGNED, WAITING } from '#contract/worklist-words.ts';
import { type Filters, noFilters } from '../filters/criteria.ts';
import { type FilterSearch, filterSearch } from '../filters/filter-search.ts';
import { parametersOf } from '../filters/search-parameters.ts';
import type { ListKind } from '../filters/use-filters.ts';
import { definedEntries, oneOf } from '../router/search-values.ts';

/** The sort keys that the inbox offers. */
export const INBOX_SORTS: readonly SortKey[] = [
  'PING_ENCOUNTER_DATE',
  'URGENCY',
  'DUE_DATE',
  'MANAGEMENT_STATUS_DATE',
  'LAST_NAME',
  'FIRST_NAME',
  'VISIT_DURATION',
  'LENGTH_OF_STAY',
];

/** The state of the inbox in its URL: codes and opaque ids only. What is absent has its default. */
export interface InboxSearch extends FilterSearch {
  /** The list; the one that the user chose last if it is absent. */
  status?: InboxListCode;
  /** Whose stays: the reader's, no one's, or those of a user by id; everyone's if it is absent. */
  owner?: string;
  /** Whether stays that wait are left out, or the only ones. */
  waiting?: 'hide' | 'only';
  /** The id of the patient whose ping is open. */
  sel?: string;
}

/** The list that the inbox shows; status changes and live events are compared with it. */
export interface InboxList {
  code: InboxListCode;
  parameters: SearchParametersInput;
}

/** Returns the state that the query of a URL holds; invalid parts are dropped. */
export const inboxSearch = (raw: Record<string, unknown>): InboxSearch => {
  const { status, sel, owner, waiting } = raw;
  return definedEntries({
    ...filterSearch(raw),
    status: typeof status === 'string' && Object.hasOwn(INBOX_LISTS, status) ? (status as InboxListCode) : undefined,
    owner: /^(mine|none|[1-9]\d{0,18})$/.exec(String(owner))?.[0],
    waiting: oneOf(waiting, ['hide', 'only'] as const),
    sel: typeof sel === 'string' && /^\d{1,19}_\d{1,19}$/.test(sel) ? sel : undefined,
  });
};

const PING_PAGE_SIZE = 20;
const DEFAULTS = noFilters(PING_PAGE_SIZE);
const BY_URGENCY = noFilters(PING_PAGE_SIZE, 'URGENCY');

const filtersOf = (code: InboxListCode): Filters => ({
  managementStatus: INBOX_LISTS[code].statuses.map((value) => ({ field: 'managementStatus', value, negated: false })),
  ...(code === 'NEEDS_ACTION' ? { needsAction: [{ field: 'needsAction', value: 'YES', negated: false }] } : {}),
});

/** Returns the filters by owner and wait. `userId`: the reader. */
export const sharedFilters = ({ owner, waiting }: InboxSearch, userId: string): Filters => {
  const value = owner === 'mine' ? userId : owner === 'none' ? UNASSIGNED : owner;
  return {
    ...(value ? { owner: [{ field: 'owner', value, negated: false }] } : {}),
    ...(waiting ? { waiting: [{ field: 'waiting', value: WAITING, negated: waiting === 'hide' }] } : {}),
  };
};

/** Returns what distinguishes the inbox from other lists. Its status is set by the list itself and never part of a saved filter. */
export const inboxKind = (code: InboxListCode, shared: Filters = {}): ListKind => ({
  module: 'PING_SEARCH',
  context: 'PINGS',
  defaults: code === 'NEEDS_ACTION' ? BY_URGENCY : DEFAULTS,
  always: { ...filtersOf(code), ...shared },
});

/** Returns the list that a URL names, or else the one that the user chose last. The first visit opens the unresolved pings. */
export const listCodeOf = ({ status }: InboxSearch, { inboxList }: Preferences): InboxListCode =>
  status ?? inboxList ?? 'NEW';

/** The list that status changes refer to on a page that shows no list. */
export const UNRESOLVED_LIST: InboxList = { code: 'NEW', parameters: parametersOf(DEFAULTS, inboxKind('NEW')) };
