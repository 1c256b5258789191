import { counted } from '#contract/counted.ts';
import type { Encounter } from '#contract/patients.ts';
import { isOngoing } from '../patient/stay.ts';
import classes from './variance.module.css';

/** Returns how a stay compares with its expected length, in words; null where either is unknown. */
export const varianceInWords = (stay: Encounter): string | null => {
  const { lengthOfStay: days, expectedLengthOfStay: expected } = stay;
  if (days === null || expected === null) return null;
  if (days > expected) return `+${counted(days - expected, 'day')} over expected ${expected}`;
  const ongoing = isOngoing(stay);
  if (days === expected) return ongoing ? 'On the expected day' : `As expected, ${counted(expected, 'day')}`;
  return ongoing
    ? `${counted(expected - days, 'day')} left of ${expected}`
    : `${counted(expected - days, 'day')} under expected ${expected}`;
};

const WIDTH = 120;
/** The expected day is at the same place in each row, so that stays beyond it are seen at a glance. */
const EXPECTED_AT = 80;
const TOP = 3;
const HEIGHT = 10;

/** The part beyond the mark is never too narrow to be seen. */
const MIN_OVER = 6;

/** Returns where the bar of a stay ends, from 0 to `WIDTH`. A stay of 1.5 times the expected length or more fills it. */
export const endOfBar = (days: number, expected: number): number => {
  if (days === expected) return EXPECTED_AT;
  if (days < expected) return (EXPECTED_AT * days) / expected;
  const end = expected === 0 ? WIDTH : (EXPECTED_AT * days) / expected;
  return Math.min(WIDTH, Math.max(EXPECTED_AT + MIN_OVER, end));
};

/** Compares the days so far with the expected days: a bar, striped beyond the mark, and the same in words. */
export const Variance = ({ stay }: { stay: Encounter }) => {
  const words = varianceInWords(stay);
  const { lengthOfStay: days, expectedLengthOfStay: expected } = stay;
  if (words === null || days === null || expected === null)
    return <span className={classes.none}>No expected stay</span>;
  const end = endOfBar(days, expected);
  const over = days > expected;
  return (
    <span className={classes.variance} data-over={over || undefined}>
      <svg
        className={classes.bar}
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 2 * TOP}`}
        width={WIDTH}
        height={HEIGHT + 2 * TOP}
        aria-hidden
      >
        <rect className={classes.track} x={0.5} y={TOP + 0.5} width={WIDTH - 1} height={HEIGHT - 1} />
        <rect className={classes.days} x={0} y={TOP} width={Math.min(end, EXPECTED_AT)} height={HEIGHT} />
        {over && (
          <>
            <rect className={classes.over} x={EXPECTED_AT} y={TOP} width={end - EXPECTED_AT} height={HEIGHT} />
            {stripes(end).map((x) => (
              <line key={x} className={classes.stripe} x1={x} x2={x} y1={TOP} y2={TOP + HEIGHT} />
            ))}
          </>
        )}
        <line className={classes.mark} x1={EXPECTED_AT} x2={EXPECTED_AT} y1={0} y2={HEIGHT + 2 * TOP} />
      </svg>
      <span className={classes.words}>{words}</span>
    </span>
  );
};

const stripes = (end: number): number[] => {
  const found: number[] = [];
  for (let x = EXPECTED_AT + 4; x < end; x += 4) found.push(x);
  return found;
};
