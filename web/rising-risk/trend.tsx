import type { RiskExplanation } from '#contract/rising-risk.ts';
import classes from './rising-risk.module.css';
import { useInWords } from './risk-words.ts';

const BAR = 7;
const HEIGHT = 24;

/** Returns the change to 60 days ago in words: two spans of 30 days. */
const changeOf = (trend: readonly number[]): string => {
  const [before = 0, now = 0] = [trend.at(-3), trend.at(-1)];
  if (before === now) return 'same as 60 days ago';
  return `${now > before ? 'up' : 'down'} from ${before}`;
};

/** How many visits there were over the past year, as bars and in words. */
export const Trend = ({ risk, days }: { risk: RiskExplanation; days: number }) => {
  const { trend } = risk;
  const most = Math.max(1, ...trend);
  return (
    <div className={classes.trend}>
      <svg
        viewBox={`0 0 ${trend.length * BAR} ${HEIGHT}`}
        className={classes.spark}
        role="img"
        aria-label={`Visits in ${days} days, month by month over a year: ${trend.join(', ')}`}
      >
        {trend.map((count, at) => {
          const height = Math.max(1, (count / most) * HEIGHT);
          return (
            <rect
              // The place of a bar is its month.
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              className={at === trend.length - 1 ? classes.last : classes.bar}
              x={at * BAR}
              y={HEIGHT - height}
              width={BAR - 2}
              height={height}
            />
          );
        })}
      </svg>
      <span className={classes.line}>{useInWords(risk, days)}</span>
      <span className={classes.dim}>{changeOf(trend)}</span>
    </div>
  );
};
