import { ActionIcon, Button } from '@mantine/core';
import { useId, useState } from 'react';
import { FACETS, type Facet } from '#contract/facets.ts';
import type { FilterGroup } from '#contract/filter-groups.ts';
import type { FacetCounts, SearchParametersInput } from '#contract/search.ts';
import { IconChevronDown, IconChevronRight, IconX } from '../ui/icons.ts';
import { type Criteria, without, withToggled } from './criteria.ts';
import { FacetValues } from './facet-values.tsx';
import classes from './filter-panel.module.css';
import { isRange, summaryOf } from './filter-words.ts';
import { RangeFilter } from './range-filter.tsx';
import { ValueTypeahead } from './value-typeahead.tsx';

interface GroupProps {
  group: FilterGroup;
  /** Those of its facets that are offered to this user. */
  facets: readonly Facet[];
  criteria: Criteria;
  counts: FacetCounts | undefined;
  failed: boolean;
  open: boolean;
  /** Shows only values with this text, from "Find a filter…". */
  valueText: string;
  parameters: SearchParametersInput;
  toggle: () => void;
  change: (criteria: Criteria) => void;
  more: () => void;
}

/** A facet with more values than this gets a typeahead even if its group asks for none. */
const MAX_WITHOUT_TYPEAHEAD = 30;

/** One facet: a range, or values with a typeahead where it helps. */
const FacetFilter = (props: GroupProps & { facet: Facet; searching: boolean }) => {
  const { facet, group, criteria, counts, change, parameters, searching } = props;
  const label = FACETS[facet].label;
  if (isRange(facet)) return <RangeFilter facet={facet} label={label} criteria={criteria} change={change} />;
  const isLong = (counts?.[facet]?.distinct ?? 0) > MAX_WITHOUT_TYPEAHEAD;
  const hasTypeahead = group.typeahead === 'always' || searching || (group.typeahead === undefined && isLong);
  return (
    <>
      {hasTypeahead && (
        <ValueTypeahead
          facet={facet}
          label={label}
          parameters={parameters}
          takesFocus={searching}
          choose={({ value }) => {
            if (!criteria.filters[facet]?.some((one) => one.value === value))
              change(withToggled(criteria, facet, value));
          }}
        />
      )}
      <FacetValues
        facet={facet}
        label={label}
        counts={counts?.[facet]}
        failed={props.failed}
        criteria={criteria}
        valueText={props.valueText}
        change={change}
        more={props.more}
      />
    </>
  );
};

const GroupBody = (props: GroupProps) => {
  const { group, facets } = props;
  const [searching, setSearching] = useState(false);
  const several = facets.length > 1 || group.facets.length > 1;
  return (
    <>
      {group.typeahead === 'on demand' && !searching && (
        <Button size="compact-xs" variant="subtle" ml={-8} onClick={() => setSearching(true)}>
          Search
        </Button>
      )}
      {facets.map((facet) => (
        <div key={facet} className={classes.facet}>
          {several && <h4 className={classes.facetName}>{FACETS[facet].label}</h4>}
          <FacetFilter {...props} facet={facet} searching={searching} />
        </div>
      ))}
    </>
  );
};

/** A group of the panel: its name, a summary of what is chosen, and its facets while it is open. */
export const FilterGroupItem = (props: GroupProps) => {
  const { group, facets, criteria, open, toggle, change } = props;
  const id = useId();
  const chosen = facets.filter((facet) => criteria.filters[facet]);
  const summary = chosen
    .map((facet) => {
      const words = summaryOf(facet, criteria.filters[facet] ?? []);
      return group.facets.length > 1 && !isRange(facet) ? `${FACETS[facet].label}: ${words}` : words;
    })
    .join('; ');
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <section className={classes.group}>
      <div className={classes.groupHead}>
        <h3>
          <button type="button" aria-expanded={open} aria-controls={id} onClick={toggle}>
            <Chevron size={16} stroke={1.75} aria-hidden />
            <span>
              {group.label}
              {summary && <span className={classes.summary}> {summary}</span>}
            </span>
          </button>
        </h3>
        {chosen.length > 0 && (
          <ActionIcon
            size={24}
            aria-label={`Clear ${group.label}`}
            title={`Clear ${group.label}`}
            onClick={() => change(chosen.reduce(without, criteria))}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <div id={id} hidden={!open} className={classes.groupBody}>
        {open && <GroupBody {...props} />}
      </div>
    </section>
  );
};
