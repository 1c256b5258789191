import { Button, Checkbox } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Facet } from '#contract/facets.ts';
import type { FacetCounts } from '#contract/search.ts';
import { type Criteria, isNegated, withNegation, withToggled } from './criteria.ts';
import classes from './filter-panel.module.css';
import { rememberLabel, valueLabel } from './filter-words.ts';

/** Up to so many values are all shown; of more, the first ones and "Show n more". */
const ALL_UP_TO = 8;
const FIRST = 6;

interface Value {
  value: string;
  label: string;
  /** Null while it has not been counted. */
  count: number | null;
}
type Counts = NonNullable<FacetCounts[Facet]>;

/** The values in the order in which they first stood: no count moves them while the group is open. */
const useValues = (facet: Facet, counts: Counts | undefined, chosen: readonly string[]): Value[] => {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const present = [...(counts?.options.map((one) => one.value) ?? []), ...chosen];
  const added = [...new Set(present)].filter((value) => !seen.includes(value));
  // While rendering, as React recommends for state that follows from what was there before.
  if (added.length > 0) setSeen([...seen, ...added]);
  const order = [...seen, ...added];
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
  /** What the values belong to, for screen readers. */
  label: string;
  counts: Counts | undefined;
  criteria: Criteria;
  /** Only values with this text are shown, by "Find a filter…". */
  found: string;
  change: (criteria: Criteria) => void;
  /** Asks for more values than are counted at first. */
  more: () => void;
}

const contains = (text: string, part: string): boolean => text.toLocaleLowerCase().includes(part.toLocaleLowerCase());

/** "Any of these" or "none of these", of all that is chosen. */
const Negation = ({ facet, label, criteria, change }: Pick<Props, 'facet' | 'label' | 'criteria' | 'change'>) => {
  const negated = isNegated(criteria.filters, facet);
  return (
    <div className={classes.negation} role="radiogroup" aria-label={`${label}: how it is filtered`}>
      {(['is', 'is not'] as const).map((word) => {
        const holds = negated === (word === 'is not');
        return (
          <label key={word} data-checked={holds || undefined}>
            <input
              type="radio"
              name={`negation-${facet}`}
              checked={holds}
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

/** The values of a facet with their counts: one press filters. What is chosen stays, with any count. */
export const FacetValues = ({ facet, label, counts, criteria, found, change, more }: Props) => {
  const chosen = criteria.filters[facet]?.map(({ value }) => value) ?? [];
  const values = useValues(facet, counts, chosen);
  const [all, showAll] = useState(false);
  const distinct = Math.max(counts?.distinct ?? 0, values.length);
  const matching = values.filter((one) => contains(one.label, found));
  const cut = !all && !found && distinct > ALL_UP_TO;
  const shown = cut ? matching.filter((one, at) => at < FIRST || chosen.includes(one.value)) : matching;
  const toggle = (value: string): void => change(withToggled(criteria, facet, value));
  if (values.length === 0)
    return <p className={classes.dim}>{counts ? 'No values in this list.' : 'Not counted yet.'}</p>;
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
      {!found && distinct > ALL_UP_TO && (
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
          The {counts.options.length} most frequent of {counts.distinct.toLocaleString('en-US')} values.
        </p>
      )}
    </>
  );
};
