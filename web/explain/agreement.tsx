import type { PingExplanation } from '#contract/explanations.ts';
import { type Agreement, REVIEW_FIELDS } from '#contract/reviews.ts';
import { FIELD_WORDS } from '../reviews/review-words.ts';
import { Facts } from '../ui/facts.tsx';
import classes from './explain.module.css';

const WORDS: Record<Exclude<Agreement, 'unknown'>, string> = {
  same: 'Same',
  similar: 'Almost the same',
  different: 'Different',
};

/** How the compared details of the two records agree, or why the reader can't see that. */
export const AgreementOfRecords = ({ match, ping }: Pick<PingExplanation, 'match' | 'ping'>) => {
  if (match?.how !== 'AUTOMATIC') return null;
  const { agreement } = match;
  if (agreement === null)
    return <p className={classes.dim}>Only administrators of {ping.facility.name} can see which details matched.</p>;
  return (
    <Facts
      facts={REVIEW_FIELDS.flatMap((field) => {
        const level = agreement[field];
        return level === undefined || level === 'unknown' ? [] : [[FIELD_WORDS[field], WORDS[level]]];
      })}
    />
  );
};
