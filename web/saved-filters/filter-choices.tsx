import { useQuery } from '@tanstack/react-query';
import type { NotificationPreference } from '#contract/notifications.ts';
import { FIXED_FILTERS, type FixedFilter } from '#contract/saved-filter-words.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';
import type { SearchContext } from '#contract/search.ts';
import { sameSearch } from '../filters/criteria.ts';
import { savedFiltersQuery } from '../filters/saved-filter-queries.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { bellOf } from '../notifications/notification-bell.tsx';
import { notificationPreferencesQuery } from '../notifications/notification-queries.ts';
import { notifies } from '../notifications/notification-words.ts';
import { useSession } from '../session/session.ts';
import { MenuItem, MenuLabel } from '../ui/menu.tsx';
import { MenuActions } from '../ui/menu-actions.tsx';
import classes from './filter-choices.module.css';
import type { FilterDialog } from './filter-dialog.ts';

interface Props {
  filters: ListFilters;
  /** Words of which a filter's name has every one. */
  query: string;
  openDialog: (dialog: FilterDialog) => void;
}

/** Where a filter was saved, for filters of other lists. */
const LISTS: Record<SearchContext, string> = { ALL: 'Patients', PINGS: 'Pings', EVENTS: 'Event feed' };

const matches = (name: string, query: string): boolean => {
  const words = query.toLowerCase().split(' ');
  return words.every((word) => name.toLowerCase().includes(word));
};

/** The fixed filters that this user has, the saved ones in their order, and the dialogs to save and manage them. */
const Choices = ({ filters, query, openDialog }: Props) => {
  const { can } = useSession();
  const { data: list, isPending } = useQuery(savedFiltersQuery);
  const { data: preferences } = useQuery({
    ...notificationPreferencesQuery,
    retry: false,
    enabled: Boolean(list?.length),
  });
  const { saved, criteria, kind } = filters;
  const fixed = (Object.keys(FIXED_FILTERS) as FixedFilter[]).filter((view) => {
    if (kind.defaultName !== undefined) return false;
    const { permission, label } = FIXED_FILTERS[view];
    return (permission === null || can(permission)) && matches(label, query);
  });
  const found = (list ?? []).filter(({ name }) => matches(name, query));
  const here = found.filter(({ searchContext }) => searchContext === kind.context);
  const own = here.filter(({ owner }) => owner.isYou);
  const shared = here.filter(({ owner }) => !owner.isYou);
  const elsewhere = found.filter(({ searchContext }) => searchContext !== kind.context);
  const choiceOf = (one: SavedFilter) => (
    <SavedChoice
      key={one.id}
      name={one.name}
      notes={[!one.owner.isYou && one.owner.name, one.searchContext !== kind.context && LISTS[one.searchContext]]}
      preference={preferences?.find(({ filterId }) => filterId === one.id)}
      checked={saved?.id === one.id}
      choose={() => filters.select(one)}
    />
  );
  return (
    <>
      {kind.defaultName !== undefined && matches(kind.defaultName, query) && (
        <MenuItem checked={!saved && sameSearch(criteria, kind.defaults)} choose={filters.openDefault}>
          {kind.defaultName}
        </MenuItem>
      )}
      {fixed.map((view) => (
        <MenuItem key={view} checked={!saved && criteria.view === view} choose={() => filters.selectFixed(view)}>
          {FIXED_FILTERS[view].label}
        </MenuItem>
      ))}
      {query === '' || own.length > 0 ? (
        <MenuLabel>
          {isPending ? 'Loading saved filters…' : own.length > 0 ? 'Saved filters' : 'No saved filters yet'}
        </MenuLabel>
      ) : (
        found.length === 0 && <MenuLabel>No matches. Try fewer letters.</MenuLabel>
      )}
      {own.map(choiceOf)}
      {shared.length > 0 && <MenuLabel>Shared by the team</MenuLabel>}
      {shared.map(choiceOf)}
      {elsewhere.length > 0 && <MenuLabel>Saved on other lists</MenuLabel>}
      {elsewhere.map(choiceOf)}
      <MenuActions>
        <MenuItem choose={() => openDialog('save')}>Save as new filter…</MenuItem>
        {Boolean(list?.length) && <MenuItem choose={() => openDialog('manage')}>Manage filters…</MenuItem>}
        {Boolean(list?.length) && can(kind.context === 'EVENTS' ? 'canViewEventFeed' : 'canViewPings') && (
          <MenuItem choose={() => openDialog('notify')}>Edit notifications…</MenuItem>
        )}
      </MenuActions>
    </>
  );
};

/** With more saved filters than this, they don't fit the menu, and a field finds them. */
const SEARCHED_FROM = 8;

/** The field that narrows the filters of the menu. */
const Search = ({ query, find }: { query: string; find: (query: string) => void }) => {
  const { data: list } = useQuery(savedFiltersQuery);
  if ((list?.length ?? 0) <= SEARCHED_FROM) return null;
  return (
    <div className={classes.search}>
      <input
        type="search"
        aria-label="Find a saved filter"
        placeholder="Find a saved filter"
        value={query}
        onChange={({ currentTarget }) => find(currentTarget.value)}
        onKeyDown={(event) => {
          // The page's own shortcuts wait until the menu is closed.
          event.stopPropagation();
          const menu = event.currentTarget.closest('[popover]')?.querySelector('[role="menu"]');
          const items = menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]');
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            if (event.key === 'ArrowDown') items?.[0]?.focus();
            else if (query !== '') menu?.querySelector<HTMLElement>('[role="menuitemradio"]')?.click();
          }
        }}
      />
    </div>
  );
};

/** What the menu of filters loads when it opens. */
export const FILTER_PARTS = { Choices, Search };

interface ChoiceProps {
  name: string;
  /** Who shares it, and on which other list it was saved. */
  notes: readonly (string | false)[];
  preference: NotificationPreference | undefined;
  checked: boolean;
  choose: () => void;
}

/** A saved filter, with a bell if it notifies. */
const SavedChoice = ({ name, notes, preference, checked, choose }: ChoiceProps) => {
  const Bell = bellOf(preference);
  const isOn = notifies(preference);
  return (
    <MenuItem checked={checked} choose={choose}>
      {name}
      {notes.some(Boolean) && ` (${notes.filter(Boolean).join(', ')})`}{' '}
      {isOn && <Bell size={14} stroke={1.75} role="img" aria-label="Notifies you" />}
    </MenuItem>
  );
};
