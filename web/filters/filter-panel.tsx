import { Anchor, TextInput } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { FACETS, type Facet, facetDefinition } from '#contract/facets.ts';
import { FILTER_GROUPS, type FilterGroup } from '#contract/filter-groups.ts';
import type { FacetCounts, SearchContext } from '#contract/search.ts';
import { useSession } from '../session/session.ts';
import type { Criteria } from './criteria.ts';
import { FilterGroupItem } from './filter-group.tsx';
import classes from './filter-panel.module.css';
import { isRange, valueLabel } from './filter-words.ts';
import { NameFields } from './name-fields.tsx';
import type { ListFilters } from './use-filters.ts';
import { useFound } from './use-found.ts';

interface Props {
  filters: ListFilters;
  context: SearchContext;
  counts: FacetCounts | undefined;
  /** Asks for more values of each facet than are counted at first. */
  more: () => void;
  /** Groups of this list alone, above the others. */
  first?: readonly FilterGroup[];
  /** Name and date of birth are asked for here, where the list has no place for them. */
  withName?: boolean;
  finder?: RefObject<HTMLInputElement | null>;
  name?: RefObject<HTMLInputElement | null>;
}

const NONE: readonly FilterGroup[] = [];
const contains = (text: string, part: string): boolean => text.toLocaleLowerCase().includes(part.toLocaleLowerCase());

/** Groups with those of their facets that may be filtered by here. */
const useGroups = (
  context: SearchContext,
  first: readonly FilterGroup[],
): { group: FilterGroup; facets: Facet[] }[] => {
  const { can } = useSession();
  const may = (facet: Facet): boolean => {
    const { permission, contexts } = facetDefinition(facet);
    return (!permission || can(permission)) && (!contexts || contexts.includes(context));
  };
  return [...first, ...FILTER_GROUPS]
    .map((group) => ({ group, facets: group.facets.filter(may) }))
    .filter(({ facets }) => facets.length > 0);
};

/** Whether a value of a facet has this text in it. */
const hasValue = (facet: Facet, counts: FacetCounts | undefined, part: string): boolean =>
  !isRange(facet) &&
  (counts?.[facet]?.options ?? []).some(({ value, label }) =>
    contains(label === value ? valueLabel(facet, value) : label, part),
  );

/**
 * Every filter group in the order of the specification, under its permission. A group is open where something of it is chosen, or
 * where it says so itself, until somebody opens or closes it.
 */
export const FilterPanel = ({ filters, context, counts, more, first = NONE, withName, finder, name }: Props) => {
  const { criteria, change, count, clear } = filters;
  const groups = useGroups(context, first);
  const [opened, setOpened] = useState<Record<string, boolean>>({});
  // Another filter is chosen: what is open follows it.
  const chosenFilter = filters.saved?.id ?? criteria.view;
  const [followed, follow] = useState(chosenFilter);
  if (chosenFilter !== followed) {
    follow(chosenFilter);
    setOpened({});
  }
  const [part, setPart] = useState('');
  const find = part.trim();
  const found = useFound({ groups, counts, text: find, parameters: filters.parameters(0) });
  const set = (label: string, open: boolean): void => setOpened((all) => ({ ...all, [label]: open }));
  const shown = groups.flatMap(({ group, facets }) => {
    if (!find) return [{ group, facets, found: '' }];
    if (contains(group.label, find)) return [{ group, facets, found: '' }];
    const named = facets.filter((facet) => contains(FACETS[facet].label, find));
    if (named.length > 0) return [{ group, facets: named, found: '' }];
    const valued = facets.filter((facet) => hasValue(facet, found.counts, find));
    return valued.length > 0 ? [{ group, facets: valued, found: find }] : [];
  });
  return (
    <div className={classes.panel}>
      <div className={classes.panelTop}>
        <div className={classes.panelTitle}>
          {/* Where the panel lies over the list it takes the focus, and Enter must not clear what is filtered. */}
          <h2 tabIndex={-1} data-autofocus>
            Filters
          </h2>
          <span className={classes.dim}>{count > 0 ? `${count} used` : 'none used'}</span>
          {count > 0 && (
            <Anchor component="button" size="xs" onClick={clear}>
              Clear all
            </Anchor>
          )}
        </div>
        <p className={classes.dim}>Any value in a filter; all filters together.</p>
        {withName && <NameFields filters={filters} {...(name ? { field: name } : {})} />}
        <TextInput
          ref={finder}
          size="xs"
          type="search"
          aria-label="Find a filter"
          placeholder="Find a filter…"
          value={part}
          onChange={({ currentTarget }) => {
            // A value may be none of the few that are counted at first.
            more();
            setPart(currentTarget.value);
          }}
        />
      </div>
      {shown.map(({ group, facets, found: inValues }) => {
        const chosen = facets.some((facet) => criteria.filters[facet]);
        const open = inValues !== '' || (opened[group.label] ?? (chosen || group.isExpanded === true));
        return (
          <FilterGroupItem
            key={`${group.label}${inValues ? ' found' : ''}`}
            group={group}
            facets={facets}
            criteria={criteria}
            counts={inValues ? found.counts : counts}
            open={open}
            found={inValues}
            parameters={filters.parameters(0)}
            toggle={() => set(group.label, !open)}
            change={(next: Criteria) => {
              // What one works in stays open, also when its last value goes.
              if (open) set(group.label, true);
              change(next);
            }}
            more={more}
          />
        );
      })}
      {shown.length === 0 && (
        <p className={classes.none}>
          {found.isLooking ? 'Looking among all values …' : `No filter and no value has “${find}” in it.`}
        </p>
      )}
    </div>
  );
};
