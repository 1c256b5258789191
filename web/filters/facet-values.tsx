import { Button, Checkbox } from '@mantine/core';
import { useEffect, useState } from 'react';
import { FLAG_LABELS } from '#contract/facet-labels.ts';
import type { Facet } from '#contract/facets.ts';
import type { FacetCounts } from '#contract/search.ts';
import { containsText } from '../ui/contains-text.ts';
import { type Criteria, isNegated, withNegation, withToggled } from './criteria.ts';
import classes from './filter-panel.module.css';
import { rememberLabel, valueLabel } from './filter-words.ts';

/** A facet with more values than `MAX_SHOWN` shows the first `FIRST_SHOWN` and "Show n more". */
const MAX_SHOWN = 8;
const FIRST_SHOWN = 6;

interface Value {
  value: string;
  label: string;
  /** Null until it is counted. */
  count: number | null;
}
type Counts = NonNullable<FacetCounts[Facet]>;

const URGENT_FIRST = Object.keys(FLAG_LABELS.dueWork);

/** Returns the values, due work by its urgency, others in the order in which they first appeared: new counts do not move them while the group is open. */
const useValues = (facet: Facet, counts: Counts | undefined, chosen: readonly string[]): Value[] => {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const present = [...(counts?.options.map((one) => one.value) ?? []), ...chosen];
  const added = [...new Set(present)].filter((value) => !seen.includes(value));
  // Set during rendering, as React recommends for state that is derived from earlier renders.
  if (added.length > 0) setSeen([...seen, ...added]);
  const order = URGENT_FIRST.filter((value) => facet === 'dueWork' && present.includes(value));
  for (const value of [...seen, ...added]) if (!order.includes(value)) order.push(value);
  useEffect(() => {
    for (const { value, label } of counts?.options ?? []) rememberLabel(facet, value, label);
  }, [facet, counts]);
  return order.map((value) => {
    const option = counts?.options.find((one) => one.value === value);
    return {
      value,
      label: option && option.label !== value ? option.label : valueLabel(facet, value),
      count: option?.count ?? (counts ? 0 : null),
    };
  });
};

interface Props {
  facet: Facet;
  /** The name of the facet, for screen readers. */
  label: string;
  counts: Counts | undefined;
  /** The list could not be loaded, so that nothing is counted until it is. */
  failed: boolean;
  criteria: Criteria;
  /** Shows only values with this text, from "Find a filter…". */
  valueText: string;
  change: (criteria: Criteria) => void;
  /** Asks for more values than are counted at first. */
  more: () => void;
}

/** Switches all chosen values of a facet between "is" and "is not". */
const Negation = ({ facet, label, criteria, change }: Pick<Props, 'facet' | 'label' | 'criteria' | 'change'>) => {
  const negated = isNegated(criteria.filters, facet);
  return (
    <div className={classes.negation} role="radiogroup" aria-label={`${label}: include or exclude`}>
      {(['is', 'is not'] as const).map((word) => {
        const checked = negated === (word === 'is not');
        return (
          <label key={word} data-checked={checked || undefined}>
            <input
              type="radio"
              name={`negation-${facet}`}
              checked={checked}
              onChange={() => change(withNegation(criteria, facet, word === 'is not'))}
            />
            {word}
          </label>
        );
      })}
      <span className={classes.dim}>{negated ? 'none of these' : 'any of these'}</span>
    </div>
  );
};

/** The values of a facet with their counts. A click filters at once. Chosen values stay, even with a count of 0. */
export const FacetValues = ({ facet, label, counts, failed, criteria, valueText, change, more }: Props) => {
  const chosen = criteria.filters[facet]?.map(({ value }) => value) ?? [];
  const values = useValues(facet, counts, chosen);
  const [all, showAll] = useState(false);
  const distinct = Math.max(counts?.distinct ?? 0, values.length);
  const matching = values.filter((one) => containsText(one.label, valueText));
  const cut = !all && !valueText && distinct > MAX_SHOWN;
  const shown = cut ? matching.filter((one, at) => at < FIRST_SHOWN || chosen.includes(one.value)) : matching;
  const toggle = (value: string): void => change(withToggled(criteria, facet, value));
  if (values.length === 0) {
    const waiting = failed ? "Couldn't load values. Retry the list." : 'Loading…';
    return <p className={classes.dim}>{counts ? 'No values in this list.' : waiting}</p>;
  }
  return (
    <>
      {chosen.length > 0 && <Negation facet={facet} label={label} criteria={criteria} change={change} />}
      <div role="group" aria-label={label} className={classes.values}>
        {shown.map(({ value, label: words, count }) => (
          <Checkbox
            key={value}
            size="xs"
            classNames={{ root: classes.value, body: classes.valueBody, labelWrapper: classes.valueLabel }}
            checked={chosen.includes(value)}
            onChange={() => toggle(value)}
            label={
              <>
                <span className={classes.words}>{words}</span>
                <span className={classes.count}>{count === null ? '' : count.toLocaleString('en-US')}</span>
              </>
            }
          />
        ))}
      </div>
      {!valueText && distinct > MAX_SHOWN && (
        <Button
          size="compact-xs"
          variant="subtle"
          ml={-8}
          aria-expanded={all}
          onClick={() => {
            if (!all && counts && counts.options.length < counts.distinct) more();
            showAll(!all);
          }}
        >
          {all ? 'Show fewer' : `Show ${distinct - shown.length} more`}
        </Button>
      )}
      {all && counts && counts.options.length < counts.distinct && (
        <p className={classes.dim}>
          Showing the {counts.options.length} most common of {counts.distinct.toLocaleString('en-US')} values.
        </p>
      )}
    </>
  );
};
