import { Anchor, TextInput } from '@mantine/core';
import { type RefObject, useState } from 'react';
import type { FilterGroup } from '#contract/filter-groups.ts';
import type { FacetCounts, SearchContext } from '#contract/search.ts';
import { FilterGroupItem } from './filter-group.tsx';
import classes from './filter-panel.module.css';
import { NameFields } from './name-fields.tsx';
import { groupKey, matchingGroups, useOpenGroups, usePanelGroups } from './panel-groups.ts';
import type { ListFilters } from './use-filters.ts';
import { useValueSearch } from './use-value-search.ts';

interface Props {
  filters: ListFilters;
  context: SearchContext;
  counts: FacetCounts | undefined;
  /** The list could not be loaded. */
  failed: boolean;
  /** Asks for more values of each facet than are counted at first. */
  more: () => void;
  /** Groups that only this list has, above the others. */
  ownGroups?: readonly FilterGroup[];
  /** Shows name and date of birth here, for a list that has no other place for them. */
  withName?: boolean;
  finder?: RefObject<HTMLInputElement | null>;
  name?: RefObject<HTMLInputElement | null>;
}

const NO_GROUPS: readonly FilterGroup[] = [];

const PanelTitle = ({ filters: { count, clear } }: Pick<Props, 'filters'>) => (
  <>
    <div className={classes.panelTitle}>
      {/* Takes the focus where the panel lies over the list: on "Clear all", Enter would drop the filters. */}
      <h2 tabIndex={-1} data-autofocus>
        Filters
      </h2>
      <span className={classes.dim}>{count > 0 ? `${count} applied` : 'No filters'}</span>
      {count > 0 && (
        <Anchor component="button" size="xs" onClick={clear}>
          Clear all
        </Anchor>
      )}
    </div>
    <p className={classes.dim}>Matches any value within a filter, and all filters together.</p>
  </>
);

/** Every filter group that the list offers, in a fixed order, with a field to find one by its name or its values. */
export const FilterPanel = ({ filters, context, counts, failed, more, ownGroups = NO_GROUPS, ...props }: Props) => {
  const { criteria, change } = filters;
  const { withName, finder, name } = props;
  const groups = usePanelGroups(context, ownGroups);
  const { isOpen, setOpen } = useOpenGroups(filters);
  const [text, setText] = useState('');
  const wanted = text.trim();
  const parameters = filters.parameters(0);
  const found = useValueSearch({ groups, counts, text: wanted, parameters });
  const shown = matchingGroups(groups, wanted, found.counts);
  return (
    <div className={classes.panel}>
      <div className={classes.panelTop}>
        <PanelTitle filters={filters} />
        {withName && <NameFields filters={filters} {...(name ? { field: name } : {})} />}
        <TextInput
          ref={finder}
          size="xs"
          type="search"
          aria-label="Find a filter"
          placeholder="Find a filter…"
          value={text}
          onChange={({ currentTarget }) => {
            // The value looked for may not be among the few that are counted at first.
            more();
            setText(currentTarget.value);
          }}
        />
      </div>
      {shown.map(({ valueText, ...item }) => {
        const open = valueText !== '' || isOpen(item);
        return (
          <FilterGroupItem
            key={`${groupKey(item.group)}${valueText ? ' found' : ''}`}
            {...item}
            criteria={criteria}
            counts={valueText ? found.counts : counts}
            failed={failed}
            open={open}
            valueText={valueText}
            parameters={parameters}
            toggle={() => setOpen(item.group, !open)}
            change={(next) => {
              // A group in use stays open even when its last value is removed.
              if (open) setOpen(item.group, true);
              change(next);
            }}
            more={more}
          />
        );
      })}
      {shown.length === 0 && (
        <p className={classes.none}>{found.isSearching ? 'Searching all values…' : `No filters match “${wanted}”.`}</p>
      )}
    </div>
  );
};
