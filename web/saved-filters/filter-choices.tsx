import { useQuery } from '@tanstack/react-query';
import { FIXED_FILTERS, type FixedFilter } from '#contract/saved-filter-words.ts';
import { isSame } from '../filters/criteria.ts';
import { savedFiltersQuery } from '../filters/saved-filter-queries.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { useSession } from '../session/session.ts';
import { MenuItem, MenuLabel } from '../ui/menu.tsx';
import type { Asked } from './filter-bar.tsx';

/** The fixed filters that this user has, the saved ones in their order, and what can be done with them. */
export const FilterChoices = ({ filters, ask }: { filters: ListFilters; ask: (asked: Asked) => void }) => {
  const { can } = useSession();
  const { data: list, isPending } = useQuery(savedFiltersQuery);
  const { saved, criteria, kind } = filters;
  const fixed = (Object.keys(FIXED_FILTERS) as FixedFilter[]).filter((view) => {
    if (kind.usualName !== undefined) return false;
    const { permission } = FIXED_FILTERS[view];
    return permission === null || can(permission);
  });
  return (
    <>
      {kind.usualName !== undefined && (
        <MenuItem checked={!saved && isSame(criteria, kind.usual)} choose={filters.openUsual}>
          {kind.usualName}
        </MenuItem>
      )}
      {fixed.map((view) => (
        <MenuItem key={view} checked={!saved && criteria.view === view} choose={() => filters.fix(view)}>
          {FIXED_FILTERS[view].label}
        </MenuItem>
      ))}
      <MenuLabel>{isPending ? 'Saved filters …' : list?.length ? 'Saved filters' : 'No saved filters yet'}</MenuLabel>
      {list?.map((one) => (
        <MenuItem key={one.id} checked={saved?.id === one.id} choose={() => filters.select(one)}>
          {one.name}
        </MenuItem>
      ))}
      <MenuItem choose={() => ask('save')}>Save as a new filter…</MenuItem>
      {Boolean(list?.length) && <MenuItem choose={() => ask('manage')}>Manage filters…</MenuItem>}
    </>
  );
};
