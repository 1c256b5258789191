import { useQuery } from '@tanstack/react-query';
import type { NotificationPreference } from '#contract/notifications.ts';
import { FIXED_FILTERS, type FixedFilter } from '#contract/saved-filter-words.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';
import { sameSearch } from '../filters/criteria.ts';
import { savedFiltersQuery } from '../filters/saved-filter-queries.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { bellOf } from '../notifications/notification-bell.tsx';
import { notificationPreferencesQuery } from '../notifications/notification-queries.ts';
import { notifies } from '../notifications/notification-words.ts';
import { useSession } from '../session/session.ts';
import { MenuItem, MenuLabel } from '../ui/menu.tsx';
import { MenuActions } from '../ui/menu-actions.tsx';
import type { FilterDialog } from './filter-dialog.ts';

interface Props {
  filters: ListFilters;
  openDialog: (dialog: FilterDialog) => void;
}

/** The fixed filters that this user has, the saved ones in their order, and the dialogs to save and manage them. */
export const FilterChoices = ({ filters, openDialog }: Props) => {
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
    const { permission } = FIXED_FILTERS[view];
    return permission === null || can(permission);
  });
  const own = (list ?? []).filter(({ owner }) => owner.isYou);
  const shared = (list ?? []).filter(({ owner }) => !owner.isYou);
  const choiceOf = (one: SavedFilter) => (
    <SavedChoice
      key={one.id}
      name={one.name}
      owner={one.owner.isYou ? null : one.owner.name}
      preference={preferences?.find(({ filterId }) => filterId === one.id)}
      checked={saved?.id === one.id}
      choose={() => filters.select(one)}
    />
  );
  return (
    <>
      {kind.defaultName !== undefined && (
        <MenuItem checked={!saved && sameSearch(criteria, kind.defaults)} choose={filters.openDefault}>
          {kind.defaultName}
        </MenuItem>
      )}
      {fixed.map((view) => (
        <MenuItem key={view} checked={!saved && criteria.view === view} choose={() => filters.selectFixed(view)}>
          {FIXED_FILTERS[view].label}
        </MenuItem>
      ))}
      <MenuLabel>
        {isPending ? 'Loading saved filters…' : own.length > 0 ? 'Saved filters' : 'No saved filters yet'}
      </MenuLabel>
      {own.map(choiceOf)}
      {shared.length > 0 && <MenuLabel>Shared by the team</MenuLabel>}
      {shared.map(choiceOf)}
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

interface ChoiceProps {
  name: string;
  /** Who shares it; null for one's own. */
  owner: string | null;
  preference: NotificationPreference | undefined;
  checked: boolean;
  choose: () => void;
}

/** A saved filter, with a bell if it notifies. */
const SavedChoice = ({ name, owner, preference, checked, choose }: ChoiceProps) => {
  const Bell = bellOf(preference);
  const isOn = notifies(preference);
  return (
    <MenuItem checked={checked} choose={choose}>
      {name}
      {owner && ` (${owner})`} {isOn && <Bell size={14} stroke={1.75} role="img" aria-label="Notifies you" />}
    </MenuItem>
  );
};
