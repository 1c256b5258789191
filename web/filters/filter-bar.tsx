import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FIXED_FILTERS, type FixedFilter } from '#contract/saved-filter-words.ts';
import { useSession } from '../session/session.ts';
import { IconAdjustmentsHorizontal, IconChevronDown } from '../ui/icons.ts';
import { Menu, MenuItem, MenuLabel } from '../ui/menu.tsx';
import { savedFiltersQuery } from './saved-filter-queries.ts';
import type { ListFilters } from './use-filters.ts';

/** What somebody wants to do with saved filters: opens what is loaded for it. */
export type Asked = 'save' | 'manage' | null;

const Choices = ({ filters, ask }: { filters: ListFilters; ask: (asked: Asked) => void }) => {
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

/** Which filter holds, with the others to choose from. */
export const FilterMenu = ({ filters, ask }: { filters: ListFilters; ask: (asked: Asked) => void }) => {
  const { saved, criteria } = filters;
  const [open, setOpen] = useState(false);
  const name = saved?.name ?? FIXED_FILTERS[criteria.view ?? 'ALL_PATIENTS'].label;
  return (
    <Menu
      label="Filters to choose from"
      onToggle={setOpen}
      trigger={(button) => (
        <Button
          {...button}
          size="xs"
          variant="default"
          aria-label={`Filter: ${name}`}
          rightSection={<IconChevronDown size={14} stroke={1.75} aria-hidden />}
        >
          {name}
        </Button>
      )}
    >
      {open && <Choices filters={filters} ask={ask} />}
    </Menu>
  );
};

/** Opens and closes the panel; says how many filters are used. */
export const PanelButton = ({ count, open, toggle }: { count: number; open: boolean; toggle: () => void }) => (
  <Button
    size="xs"
    variant={open ? 'light' : 'default'}
    aria-expanded={open}
    leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.75} aria-hidden />}
    onClick={toggle}
  >
    {count > 0 ? `Filters · ${count}` : 'Filters'}
  </Button>
);
