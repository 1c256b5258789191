import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { counted } from '#contract/counted.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import type { Criteria } from '../filters/criteria.ts';
import { parametersOf } from '../filters/search-parameters.ts';
import { formatTime } from '../ui/format/date.ts';
import { type Bin, binsOf } from './bins.ts';
import classes from './length-of-stay.module.css';

/** The number of stays per bin; null until it is known. Counted again whenever the list is loaded. */
const useStayCounts = (criteria: Criteria, visibleTo: string[] | undefined, asOf: number | null) => {
  const bins = binsOf(criteria);
  const body = {
    parameters: parametersOf(criteria, { context: 'ALL', visibleTo }),
    facet: 'lengthOfStay' as const,
    ranges: bins.map(({ begin, end }) => `${begin}:${end ?? ''}`),
  };
  const { data, isError } = useQuery({
    queryKey: ['stay-bins', body, asOf],
    // Follows from a list that refreshes by itself, so it must not count as activity that keeps the session open.
    queryFn: () => inBackground(() => call('POST /api/patients/range-counts', { body })),
    enabled: asOf !== null,
    placeholderData: (previous) => previous,
    retry: false,
  });
  const counted = data?.counts.length === bins.length ? data : null;
  return { bins, failed: isError, counts: counted?.counts ?? null, expected: counted?.expected ?? null };
};

/** Returns the main finding in one sentence. */
const findingOf = (bins: readonly Bin[], counts: readonly number[]): string => {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return 'No stays in this range.';
  const most = counts.indexOf(Math.max(...counts));
  const share = `${bins[most]?.label} days (${counts[most]} of ${all})`;
  if ((counts[most] ?? 0) * 2 > all) return `Most stays are ${share}.`;
  const ties = counts.filter((count) => count === counts[most]).length > 1;
  return ties ? `No length stands out among the ${all} stays.` : `Most common length: ${share}.`;
};

/** Returns what is known about expected stays in one sentence. */
const expectationOf = (stays: number, median: number | null): string => {
  if (stays === 0) return 'No expected stays on record.';
  const share = `${stays} ${stays === 1 ? 'has' : 'have'} an expected stay`;
  return median === null ? `${share}, too few for a median.` : `${share}, median ${counted(median, 'day')}.`;
};

const HEIGHT = 44;
const BAR = 56;
const TOP = 18;
const FOOT = 20;
/** Above the numbers of the bars, for the label of the dashed line. */
const ROOM_FOR_LABEL = 16;

/** Returns where a day is among the bars; null beyond them, and in an open last bar. */
const placeOf = (bins: readonly Bin[], day: number): number | null => {
  const at = bins.findIndex(({ begin, end }) => begin <= day && end !== null && day <= end);
  const found = bins[at];
  if (found?.end == null) return null;
  return BAR * (at + (day - found.begin + 0.5) / (found.end - found.begin + 1));
};

const MedianLine = ({ x, days, width }: { x: number; days: number; width: number }) => (
  <>
    <line className={classes.target} x1={x} x2={x} y1={-ROOM_FOR_LABEL} y2={TOP + HEIGHT} />
    <text
      className={classes.targetLabel}
      x={x < width / 2 ? x + 5 : x - 5}
      y={-4}
      textAnchor={x < width / 2 ? 'start' : 'end'}
    >
      Median expected: {counted(days, 'day')}
    </text>
  </>
);

interface ChartData {
  bins: readonly Bin[];
  counts: readonly number[];
  /** In days; null where too few stays have an expected length. */
  median: number | null;
}

const Bars = ({ bins, counts, median, label }: ChartData & { label: string }) => {
  const target = median === null ? null : placeOf(bins, median);
  const highest = Math.max(1, ...counts);
  const width = bins.length * BAR;
  return (
    <svg
      className={classes.chart}
      viewBox={`0 ${-ROOM_FOR_LABEL} ${width} ${ROOM_FOR_LABEL + TOP + HEIGHT + FOOT}`}
      role="img"
      aria-label={label}
      style={{ maxWidth: width }}
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
            <text
              className={classes.tick}
              // "100 or more" is wider than its bar, which is the last one.
              {...(bin.end === null ? { x: width, style: { textAnchor: 'end' } } : { x: middle })}
              y={TOP + HEIGHT + 15}
            >
              {bin.label}
            </text>
          </g>
        );
      })}
      {target !== null && median !== null && <MedianLine x={target} days={median} width={width} />}
      <line className={classes.axis} x1={0} x2={width} y1={TOP + HEIGHT} y2={TOP + HEIGHT} />
    </svg>
  );
};

/** The chart as a table. */
const ChartTable = ({ bins, counts, median, hidden }: ChartData & { hidden: boolean }) => (
  <table className={classes.chartTable} hidden={hidden}>
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
    {median !== null && (
      <tfoot>
        <tr>
          <th scope="row">Median expected</th>
          <td>{counted(median, 'day')}</td>
        </tr>
      </tfoot>
    )}
  </table>
);

/** How long the listed stays have lasted so far, as a chart or a table. */
export const Distribution = ({
  criteria,
  visibleTo,
  asOf,
}: {
  criteria: Criteria;
  visibleTo: string[] | undefined;
  /** When the list was loaded, in epoch milliseconds; null while it loads. */
  asOf: number | null;
}) => {
  const id = useId();
  const [table, showTable] = useState(false);
  const { bins, counts, expected, failed } = useStayCounts(criteria, visibleTo, asOf);
  if (failed) return <p className={classes.none}>Couldn't load the chart. Refresh the list to try again.</p>;
  if (!counts || asOf === null) return <div className={classes.place} aria-busy="true" />;
  const finding = findingOf(bins, counts);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const stays = expected?.stays ?? 0;
  const median = expected && stays * 2 >= all ? expected.medianDays : null;
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <figcaption className={classes.caption}>
        <span id={id} className={classes.finding}>
          {finding}
        </span>
        <span className={classes.note}>
          {counted(all, 'stay', 'stays')} by days since admission, updated {formatTime(new Date(asOf).toISOString())}.{' '}
          {expectationOf(stays, median)}
        </span>
        {all > 0 && (
          <Button size="compact-xs" variant="subtle" ml={-8} onClick={() => showTable(!table)}>
            {table ? 'View chart' : 'View table'}
          </Button>
        )}
      </figcaption>
      {!table && all > 0 && <Bars bins={bins} counts={counts} median={median} label={finding} />}
      {/* A print-out has the table, whichever is on the screen. */}
      <ChartTable bins={bins} counts={counts} median={median} hidden={!table} />
    </figure>
  );
};
