import { Button } from '@mantine/core';
import { useState } from 'react';
import { FIXED_FILTERS } from '#contract/saved-filter-words.ts';
import { isSame } from '../filters/criteria.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { IconAdjustmentsHorizontal, IconChevronDown } from '../ui/icons.ts';
import { Menu } from '../ui/menu.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import classes from './filter-bar.module.css';

/** What somebody wants to do with saved filters: opens what is loaded for it. */
export type Asked = 'save' | 'manage' | null;

const loadChoices = () => import('./filter-choices.tsx').then((file) => file.FilterChoices);

/** Which filter holds, with the others to choose from. */
export const FilterMenu = ({ filters, ask }: { filters: ListFilters; ask: (asked: Asked) => void }) => {
  const { saved, criteria, kind } = filters;
  const [open, setOpen] = useState(false);
  const FilterChoices = useLoaded(loadChoices, open, false);
  const name =
    saved?.name ??
    (kind.usualName === undefined
      ? FIXED_FILTERS[criteria.view ?? 'ALL_PATIENTS'].label
      : isSame(criteria, kind.usual)
        ? kind.usualName
        : 'Not saved');
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
          title={name}
          rightSection={<IconChevronDown size={14} stroke={1.75} aria-hidden />}
        >
          <span className={classes.name}>{name}</span>
        </Button>
      )}
    >
      {open && FilterChoices && <FilterChoices filters={filters} ask={ask} />}
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
