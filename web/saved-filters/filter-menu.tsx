import { useState } from 'react';
import { FIXED_FILTERS } from '#contract/saved-filter-words.ts';
import { sameSearch } from '../filters/criteria.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { Menu } from '../ui/menu.tsx';
import { Button } from '../ui/plain/button.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import type { FilterDialog } from './filter-dialog.ts';
import classes from './filter-menu.module.css';

interface Props {
  filters: ListFilters;
  openDialog: (dialog: FilterDialog) => void;
}

const loadChoices = () => import('./filter-choices.tsx').then((file) => file.FILTER_PARTS);

/** Returns the name of the filter in use. */
const currentName = ({ saved, criteria, kind }: ListFilters): string => {
  if (saved) return saved.name;
  if (kind.defaultName === undefined) return FIXED_FILTERS[criteria.view ?? 'ALL_PATIENTS'].label;
  return sameSearch(criteria, kind.defaults) ? kind.defaultName : 'Custom';
};

/** Puts the focus on the menu, which names the filter that was just saved or deleted. */
export const FILTER_MENU_ID = 'filter-menu';

/** Shows which filter is in use and offers the others. */
export const FilterMenu = ({ filters, openDialog }: Props) => {
  const [open, setOpen] = useState(false);
  const [query, find] = useState('');
  const parts = useLoaded(loadChoices, open, false);
  const name = currentName(filters);
  return (
    <Menu
      label="Choose a filter"
      onToggle={(to) => {
        setOpen(to);
        find('');
      }}
      head={parts && <parts.Search query={query} find={find} />}
      trigger={(button) => (
        <Button
          {...button}
          id={FILTER_MENU_ID}
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
      {open && parts && <parts.Choices filters={filters} query={query} openDialog={openDialog} />}
    </Menu>
  );
};
