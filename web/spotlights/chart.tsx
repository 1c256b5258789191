import {
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  Line,
  LineChart,
  ReferenceLine,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts';
import classes from './spotlights.module.css';

export interface Point {
  label: string;
  /** Null if there are too few cases. */
  value: number | null;
  /** The label of the value. */
  text: string;
}

interface Props {
  points: readonly Point[];
  /** What the axis counts. */
  unit: string;
  /** The figure of the whole, as a dashed line with its label. */
  whole: { value: number; label: string } | null;
}

const HEIGHT = 240;
const ROW = 34;
/** On the right, for the label of the dashed line. */
const ROOM_FOR_LABEL = 104;
const MARGIN = { top: 24, right: 24, bottom: 4, left: 4 };
/** On both sides of the points, so that their labels don't lie on those of the axis. */
const ROOM = 28;
/** In pixels: no time at all is a value, too. */
const LEAST = 2;
/** Labels have a gray of their own otherwise, which is too light. */
const TEXT = 'var(--mantine-color-text)';
/** The library draws ticks outside of their axis, so that no class of the axis reaches them. */
const TICK = { fill: 'var(--mantine-color-dimmed)', fontSize: 12 };
/** As many labels fit. */
const MOST_LABELS = 12;

/** Small numbers need parts of one on their axis: up to 0.36 of 4, bars would be too short to compare. */
const FEW = 2;
const isSmall = (points: readonly Point[], whole: Props['whole']): boolean =>
  Math.max(whole?.value ?? 0, ...points.map(({ value }) => value ?? 0)) < FEW;

const grouped = (tick: number): string => tick.toLocaleString('en-US');

/** Two lines beside a bar; the table has the whole name. */
const LONGEST_NAME = 36;
const shortName = (name: string): string =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1).trimEnd()}…` : name;

const Whole = ({ whole, axis }: { whole: Props['whole']; axis: 'x' | 'y' }) =>
  whole && (
    <ReferenceLine
      {...{ [axis]: whole.value }}
      className={classes.whole}
      strokeDasharray="5 3"
      label={{
        value: whole.label,
        position: axis === 'y' ? 'right' : 'top',
        className: classes.wholeLabel,
        fill: TEXT,
      }}
    />
  );

/** A number over time, from zero. The table beside it says the same. */
export const TrendChart = ({ points, unit, whole }: Props) => (
  <ResponsiveContainer width="100%" height={HEIGHT}>
    <LineChart data={[...points]} margin={{ ...MARGIN, right: ROOM_FOR_LABEL }} accessibilityLayer>
      <CartesianGrid vertical={false} className={classes.grid} />
      <XAxis dataKey="label" tickLine={false} padding={{ left: ROOM, right: ROOM }} tick={TICK} />
      <YAxis
        width={48}
        tickLine={false}
        axisLine={false}
        domain={[0, 'auto']}
        allowDecimals={isSmall(points, whole)}
        tickFormatter={grouped}
        tick={TICK}
        name={unit}
      />
      <Whole whole={whole} axis="y" />
      <Line
        dataKey="value"
        name={unit}
        className={classes.line}
        stroke="var(--chart-1)"
        strokeWidth={2}
        dot={{ r: 4, fill: 'var(--chart-1)' }}
        isAnimationActive={false}
      >
        {points.length <= MOST_LABELS && (
          <LabelList dataKey="text" position="top" offset={10} className={classes.value} fill={TEXT} />
        )}
      </Line>
    </LineChart>
  </ResponsiveContainer>
);

/** A number by facility, from zero. */
export const FacilityChart = ({ points, unit, whole }: Props) => (
  <ResponsiveContainer width="100%" height={points.length * ROW + MARGIN.top + MARGIN.bottom + ROW}>
    <BarChart data={[...points]} layout="vertical" margin={{ ...MARGIN, right: 48 }} accessibilityLayer>
      <CartesianGrid horizontal={false} className={classes.grid} />
      <XAxis
        type="number"
        tickLine={false}
        axisLine={false}
        domain={[0, 'auto']}
        allowDecimals={isSmall(points, whole)}
        tickFormatter={grouped}
        tick={TICK}
        name={unit}
      />
      <YAxis type="category" dataKey="label" tickFormatter={shortName} width={140} tickLine={false} tick={TICK} />
      <Whole whole={whole} axis="x" />
      <Bar
        dataKey="value"
        name={unit}
        fill="var(--chart-1)"
        barSize={18}
        minPointSize={LEAST}
        isAnimationActive={false}
      >
        {points.length <= MOST_LABELS && (
          <LabelList dataKey="text" position="right" offset={10} className={classes.value} fill={TEXT} />
        )}
      </Bar>
    </BarChart>
  </ResponsiveContainer>
);
