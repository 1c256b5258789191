import { useQuery } from '@tanstack/react-query';
import { FIXED_FILTERS, type FixedFilter } from '#contract/saved-filter-words.ts';
import { sameSearch } from '../filters/criteria.ts';
import { savedFiltersQuery } from '../filters/saved-filter-queries.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { useSession } from '../session/session.ts';
import { MenuItem, MenuLabel } from '../ui/menu.tsx';
import type { FilterDialog } from './filter-dialog.ts';

interface Props {
  filters: ListFilters;
  openDialog: (dialog: FilterDialog) => void;
}

/** The fixed filters that this user has, the saved ones in their order, and the dialogs to save and manage them. */
export const FilterChoices = ({ filters, openDialog }: Props) => {
  const { can } = useSession();
  const { data: list, isPending } = useQuery(savedFiltersQuery);
  const { saved, criteria, kind } = filters;
  const fixed = (Object.keys(FIXED_FILTERS) as FixedFilter[]).filter((view) => {
    if (kind.defaultName !== undefined) return false;
    const { permission } = FIXED_FILTERS[view];
    return permission === null || can(permission);
  });
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
        {isPending ? 'Loading saved filters…' : list?.length ? 'Saved filters' : 'No saved filters yet'}
      </MenuLabel>
      {list?.map((one) => (
        <MenuItem key={one.id} checked={saved?.id === one.id} choose={() => filters.select(one)}>
          {one.name}
        </MenuItem>
      ))}
      <MenuItem choose={() => openDialog('save')}>Save as new filter…</MenuItem>
      {Boolean(list?.length) && <MenuItem choose={() => openDialog('manage')}>Manage filters…</MenuItem>}
    </>
  );
};
