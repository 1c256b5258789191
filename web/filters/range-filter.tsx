import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { DATE_FIELDS, type DateField, type Facet, facetDefinition } from '#contract/facets.ts';
import { readRange } from '#contract/ranges.ts';
import { formatDate } from '../ui/format/date.ts';
import { Select } from '../ui/select.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { type Criteria, isNegated, withNegation, withRange } from './criteria.ts';
import classes from './filter-panel.module.css';
import { readTypedDate, TYPED_DATE } from './typed-date.ts';

interface Props {
  facet: Facet;
  label: string;
  criteria: Criteria;
  change: (criteria: Criteria) => void;
}

const PRESETS: Partial<Record<Facet | DateField, [label: string, range: string][]>> = {
  age: [
    ['Under 18', ':17'],
    ['18 to 64', '18:64'],
    ['65 and older', '65:'],
    ['85 and older', '85:'],
  ],
  visitDuration: [
    ['Up to 2 days', '0:2'],
    ['3 to 7 days', '3:7'],
    ['8 to 30 days', '8:30'],
    ['Over 30 days', '31:'],
  ],
  lengthOfStay: [
    ['Up to 20 days', '0:20'],
    ['21 to 100 days', '21:100'],
  ],
  eventDaysAgo: [
    ['Today', '0:0'],
    ['Last 7 days', '0:7'],
    ['Last 30 days', '0:30'],
  ],
  eventWeekdaysAgo: [
    ['Last 2 weekdays', '0:2'],
    ['Last 5 weekdays', '0:5'],
  ],
};

/** Returns what is wrong with the ends of a range, or null. An end is as `readEnd` returns it. */
const problemOf = (begin: string | null, end: string | null, dates: boolean): string | null => {
  if (begin === null || end === null) return dates ? 'Not a valid date. Use MM/DD/YYYY.' : 'Enter whole numbers.';
  if (begin !== '' && end !== '' && (dates ? begin > end : Number(begin) > Number(end)))
    return dates ? "The start can't be after the end." : "The first number can't be greater than the second.";
  return null;
};

/** Returns an end as the filter writes it; '' for an empty field, null where it cannot be read. */
const readEnd = (typed: string, dates: boolean): string | null => {
  if (typed.trim() === '') return '';
  if (dates) return readTypedDate(typed, new Date());
  return /^\d{1,5}$/.test(typed.trim()) ? typed.trim() : null;
};

/** The two ends of a range, either of which may be empty, and some presets. */
const RangeEnds = ({ facet, label, field, unit, criteria, change }: Props & { field: string; unit: string }) => {
  const dates = field === 'eventDate';
  const current = criteria.filters[facet]?.find((one) => one.field === field);
  const ends = current ? readRange(facet, current) : null;
  const written = (end: string | null | undefined): string => (end && dates ? formatDate(end) : (end ?? ''));
  const [error, setError] = useState<string | null>(null);
  const typed = useRef({ begin: '', end: '' });
  const settle = (part: { begin?: string; end?: string }): void => {
    const both = { ...typed.current, ...part };
    const [begin, end] = [readEnd(both.begin, dates), readEnd(both.end, dates)];
    const problem = problemOf(begin, end, dates);
    setError(problem);
    if (!problem) change(withRange(criteria, facet, `${begin}:${end}`, field));
  };
  const typing = dates ? TYPED_DATE : undefined;
  const begin = useDebounced(written(ends?.begin), (text) => settle({ begin: text }), typing);
  const end = useDebounced(written(ends?.end), (text) => settle({ end: text }), typing);
  useEffect(() => {
    typed.current = { begin: begin.text, end: end.text };
  });
  const input = (name: string, one: typeof begin) => (
    <TextInput
      size="xs"
      className={classes.end}
      label={name}
      aria-label={`${label}, ${name.toLocaleLowerCase('en-US')}${dates ? ', MM/DD/YYYY' : `, ${unit}`}`}
      placeholder={dates ? 'MM/DD/YYYY' : undefined}
      inputMode={dates ? undefined : 'numeric'}
      autoComplete="off"
      maxLength={10}
      error={error !== null}
      value={one.text}
      onChange={({ currentTarget }) => one.setText(currentTarget.value)}
      onBlur={one.flush}
      onKeyDown={({ key }) => key === 'Enter' && one.flush()}
    />
  );
  return (
    <>
      <div className={classes.ends}>
        {input('From', begin)}
        {input('To', end)}
        {unit && <span className={classes.unit}>{unit}</span>}
      </div>
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
      <div className={classes.presets}>
        {(PRESETS[field as Facet | DateField] ?? []).map(([words, range]) => (
          <Button
            key={range}
            size="compact-xs"
            variant={current?.value === range ? 'light' : 'default'}
            aria-pressed={current?.value === range}
            onClick={() => {
              setError(null);
              change(withRange(criteria, facet, current?.value === range ? '' : range, field));
            }}
          >
            {words}
          </Button>
        ))}
      </div>
    </>
  );
};

const NegatedRange = ({ facet, label, criteria, change }: Props) =>
  criteria.filters[facet] && (
    <label className={classes.outside}>
      <input
        type="checkbox"
        checked={isNegated(criteria.filters, facet)}
        onChange={({ currentTarget }) => change(withNegation(criteria, facet, currentTarget.checked))}
      />
      Exclude this range
      <span className={classes.hidden}> ({label})</span>
    </label>
  );

/** A range of numbers, or of dates in one of three units. */
export const RangeFilter = (props: Props) => {
  const { facet, label, criteria } = props;
  const { kind, unit = '' } = facetDefinition(facet);
  const current = criteria.filters[facet]?.[0]?.field as DateField | undefined;
  const [chosen, setField] = useState<DateField>('eventDaysAgo');
  if (kind !== 'date')
    return (
      <>
        <RangeEnds {...props} field={facet} unit={unit} />
        <NegatedRange {...props} />
      </>
    );
  const field = current ?? chosen;
  return (
    <>
      <Select
        aria-label={`${label}: unit`}
        value={field}
        onChange={({ currentTarget }) => {
          setField(currentTarget.value as DateField);
          if (current) props.change(withRange(criteria, facet, ''));
        }}
        data={Object.entries(DATE_FIELDS).map(([value, words]) => ({
          value,
          label: words.slice(0, 1).toLocaleUpperCase('en-US') + words.slice(1),
        }))}
      />
      <RangeEnds key={field} {...props} field={field} unit={field === 'eventDate' ? '' : DATE_FIELDS[field]} />
      <NegatedRange {...props} />
    </>
  );
};
