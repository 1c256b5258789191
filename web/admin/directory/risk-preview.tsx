import { Text } from '@mantine/core';
import { counted } from '#contract/counted.ts';
import { DAY } from '#contract/durations.ts';
import type { RulePreview } from '#contract/rising-risk.ts';
import type { RisingRiskRule } from '#contract/rising-risk-words.ts';
import { call } from '../../api/call.ts';
import { useSession } from '../../session/session.ts';
import { formatDate } from '../../ui/format/date.ts';
import classes from '../admin.module.css';
import { checkedOf, Preview } from '../preview.tsx';

const TWO_YEARS = 730 * DAY;
/** A day's count compares with the year before it, which may be from before the first message. */
const knownSince = ({ firstVisitAt, weeks }: RulePreview): string | null =>
  firstVisitAt !== null && Date.parse(weeks.at(-1)?.at ?? '') - Date.parse(firstVisitAt) < TWO_YEARS
    ? `The first known visit was on ${formatDate(firstVisitAt)}, so the earliest days may count too few.`
    : null;

const Counts = ({ preview }: { preview: RulePreview }) => {
  const { now, year, weeks } = preview;
  return (
    <>
      <Text size="sm" role="status">
        Today: {counted(now.both + now.added, 'patient')} on the list instead of {now.both + now.dropped} ({now.added}{' '}
        added, {now.dropped} dropped). Over the past year: {counted(year.wanted, 'patient')} instead of {year.current}.{' '}
        {checkedOf(preview)} {knownSince(preview)}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div className={classes.weeks} tabIndex={0} role="region" aria-label="Counts of each week">
        <table className={classes.counts} aria-label="On the list over the past year">
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Rule in use</th>
              <th scope="col">These numbers</th>
            </tr>
          </thead>
          <tbody>
            {weeks.toReversed().map(({ at, current, wanted }) => (
              <tr key={at}>
                <td>{formatDate(at)}</td>
                <td>{current}</td>
                <td>{wanted}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

interface Props {
  /** Null while a number is invalid. */
  rule: RisingRiskRule | null;
  /** Shows what is wrong at the fields. */
  check: (within: HTMLFormElement | null) => void;
}

/** Who the rule would have listed among the team's patients, on request. */
export const RiskPreview = ({ rule, check }: Props) => {
  const { team } = useSession();
  return (
    <Preview
      body={rule}
      load={(body) => call('POST /api/rising-risk/preview', { body })}
      check={check}
      hint={`Counts the patients of ${team.name} that these numbers would have listed. Nothing is saved.`}
      failure="Couldn't preview these numbers."
    >
      {(counts) => <Counts preview={counts} />}
    </Preview>
  );
};
