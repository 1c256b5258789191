import { useQuery } from '@tanstack/react-query';
import { FIXED_FILTERS, type FixedFilter } from '#contract/saved-filter-words.ts';
import { useSession } from '../session/session.ts';
import { MenuItem, MenuLabel } from '../ui/menu.tsx';
import type { Asked } from './filter-bar.tsx';
import { savedFiltersQuery } from './saved-filter-queries.ts';
import type { ListFilters } from './use-filters.ts';

/** The fixed filters that this user has, the saved ones in their order, and what can be done with them. */
export const FilterChoices = ({ filters, ask }: { filters: ListFilters; ask: (asked: Asked) => void }) => {
  const { can } = useSession();
  const { data: list, isPending } = useQuery(savedFiltersQuery);
  const { saved, criteria } = filters;
  const fixed = (Object.keys(FIXED_FILTERS) as FixedFilter[]).filter((view) => {
    const { permission } = FIXED_FILTERS[view];
    return permission === null || can(permission);
  });
  return (
    <>
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
