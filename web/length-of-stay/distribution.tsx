import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import type { Criteria } from '../filters/criteria.ts';
import { parametersOf } from '../filters/search-parameters.ts';
import { counted } from '../filters/use-announced.ts';
import { formatTime } from '../ui/format/date.ts';
import { type Bin, binsOf } from './bins.ts';
import classes from './length-of-stay.module.css';

/** How many stays each part of the range has; null while they are counted. Counted again whenever the list is read anew. */
const useCounts = (criteria: Criteria, visibleTo: string[] | undefined, asOf: number | null) => {
  const bins = binsOf(criteria);
  const body = {
    parameters: parametersOf(criteria, { context: 'ALL', visibleTo }),
    facet: 'lengthOfStay' as const,
    ranges: bins.map(({ begin, end }) => `${begin}:${end ?? ''}`),
  };
  const { data, isError } = useQuery({
    queryKey: ['stay-bins', body, asOf],
    // It follows from the list, which is renewed also where nobody watches it.
    queryFn: () => inBackground(() => call('POST /api/patients/range-counts', { body })),
    enabled: asOf !== null,
    placeholderData: (previous) => previous,
    retry: false,
  });
  return { bins, failed: isError, counts: data?.counts.length === bins.length ? data.counts : null };
};

/** The finding in one sentence. */
const findingOf = (bins: readonly Bin[], counts: readonly number[]): string => {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return 'No stay is in this range.';
  const most = counts.indexOf(Math.max(...counts));
  const share = `${bins[most]?.label} days: ${counts[most]} of ${all}`;
  if ((counts[most] ?? 0) * 2 > all) return `Most stays are in the range of ${share}.`;
  const ties = counts.filter((count) => count === counts[most]).length > 1;
  return ties
    ? `The ${all} stays are spread over the range; no part of it stands out.`
    : `The largest part is in the range of ${share}.`;
};

const HEIGHT = 120;
const BAR = 56;
const TOP = 18;
const FOOT = 20;

const Bars = ({ bins, counts, label }: { bins: readonly Bin[]; counts: readonly number[]; label: string }) => {
  const highest = Math.max(1, ...counts);
  const width = bins.length * BAR;
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${width} ${TOP + HEIGHT + FOOT}`}
      role="img"
      aria-label={label}
      style={{ maxWidth: width * 1.2 }}
    >
      {bins.map((bin, at) => {
        const count = counts[at] ?? 0;
        const height = (count / highest) * HEIGHT;
        const middle = at * BAR + BAR / 2;
        return (
          <g key={bin.label}>
            <rect
              className={classes.bar}
              x={at * BAR + 0.5}
              y={TOP + HEIGHT - height}
              width={BAR - 1}
              height={height}
            />
            <text className={classes.value} x={middle} y={TOP + HEIGHT - height - 5}>
              {count}
            </text>
            <text className={classes.tick} x={middle} y={TOP + HEIGHT + 15}>
              {bin.label}
            </text>
          </g>
        );
      })}
      <line className={classes.axis} x1={0} x2={width} y1={TOP + HEIGHT} y2={TOP + HEIGHT} />
    </svg>
  );
};

const Twin = ({ bins, counts, hidden }: { bins: readonly Bin[]; counts: readonly number[]; hidden?: boolean }) => (
  <table className={classes.twin} hidden={hidden}>
    <thead>
      <tr>
        <th scope="col">Days since admission</th>
        <th scope="col">Stays</th>
      </tr>
    </thead>
    <tbody>
      {bins.map(({ label }, at) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td>{counts[at]}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** How long the stays of the list have lasted so far: a picture, and the same as a table. */
export const Distribution = ({
  criteria,
  visibleTo,
  asOf,
}: {
  criteria: Criteria;
  visibleTo: string[] | undefined;
  /** When the list was read, in epoch milliseconds; null while it has not been. */
  asOf: number | null;
}) => {
  const id = useId();
  const [table, showTable] = useState(false);
  const { bins, counts, failed } = useCounts(criteria, visibleTo, asOf);
  if (failed) return <p className={classes.none}>How the stays are distributed could not be counted.</p>;
  if (!counts || asOf === null) return <div className={classes.place} aria-busy="true" />;
  const finding = findingOf(bins, counts);
  const all = counts.reduce((sum, count) => sum + count, 0);
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <figcaption className={classes.caption}>
        <span id={id} className={classes.finding}>
          {finding}
        </span>
        <span className={classes.note}>
          {counted(all, 'stay', 'stays')} by days since admission, as of {formatTime(new Date(asOf).toISOString())}. No
          benchmark of expected stays is on record.
        </span>
        <Button size="compact-xs" variant="subtle" onClick={() => showTable(!table)}>
          {table ? 'View as a picture' : 'View as a table'}
        </Button>
      </figcaption>
      {!table && <Bars bins={bins} counts={counts} label={finding} />}
      {/* What is printed is the table, whichever stands on the screen. */}
      <Twin bins={bins} counts={counts} hidden={!table} />
    </figure>
  );
};
