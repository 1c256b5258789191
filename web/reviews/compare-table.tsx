import { Text, VisuallyHidden } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import type { Agreement, ReviewCandidate, ReviewField, ReviewRecord } from '#contract/reviews.ts';
import { IconEqualNot, IconTilde } from '../ui/icons.ts';
import { candidateSource, FIELD_WORDS, fieldsOf, shownValue, sourceOf } from './review-words.ts';
import classes from './reviews.module.css';

const MARKS: Partial<Record<Agreement, { Icon: typeof IconTilde; word: string }>> = {
  similar: { Icon: IconTilde, word: 'Similar' },
  different: { Icon: IconEqualNot, word: 'Different' },
};

/** How a value compares. What agrees is quiet; a difference has an icon and a word. */
const Compared = ({ candidate: { record, agreement }, field }: { candidate: ReviewCandidate; field: ReviewField }) => {
  const level = agreement[field];
  const mark = MARKS[level];
  const value = record && shownValue(record, field);
  if (level === 'unknown')
    return <span className={classes.quiet}>{record ? (value ?? 'Not recorded') : 'Not compared'}</span>;
  if (!mark) {
    return (
      <span className={classes.quiet}>
        {value ?? 'Same'}
        {value !== null && <VisuallyHidden> (same)</VisuallyHidden>}
      </span>
    );
  }
  return (
    <span className={classes.marked}>
      {value !== null && <strong>{value}</strong>}
      <span className={classes.mark} data-level={level}>
        <mark.Icon size={14} stroke={2} aria-hidden /> {mark.word}
      </span>
    </span>
  );
};

/** The arriving record and its candidates side by side, one row for each field. */
export const CompareTable = ({
  label,
  record,
  candidates,
  numbers,
  compact = false,
  none,
  same,
}: {
  label: string;
  record: ReviewRecord;
  candidates: ReviewCandidate[];
  /** The number of each candidate in the review. */
  numbers: number[];
  /** Without sources and reasons, where they are above the table. */
  compact?: boolean;
  /** Below the record: the decision for none of the candidates. */
  none?: ReactNode;
  /** Below each candidate: the decision for it. */
  same?: ((candidate: ReviewCandidate) => ReactNode) | undefined;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
    <table className={classes.table} style={{ '--records': candidates.length + 1 } as CSSProperties}>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>Field</VisuallyHidden>
          </th>
          <th scope="col">
            <span>This record</span>
            {!compact && (
              <Text size="xs" c="dimmed">
                {sourceOf(record)}
              </Text>
            )}
          </th>
          {candidates.map((candidate, at) => (
            <th scope="col" key={candidate.id}>
              <span>Possible match {numbers[at]}</span>
              {!compact && (
                <>
                  <Text size="xs" c="dimmed">
                    {candidateSource(candidate)}
                  </Text>
                  <Text size="sm">{candidate.reason}</Text>
                </>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fieldsOf({ record, candidates }).map((field) => (
          <tr key={field}>
            <th scope="row">{FIELD_WORDS[field]}</th>
            <td data-missing={record.values[field] === null || undefined}>
              {shownValue(record, field) ?? 'Not recorded'}
            </td>
            {candidates.map((candidate) => (
              <td key={candidate.id} data-level={candidate.agreement[field]}>
                <Compared candidate={candidate} field={field} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {same && (
        <tfoot>
          <tr>
            <td colSpan={2}>{none}</td>
            {candidates.map((candidate) => (
              <td key={candidate.id}>{same(candidate)}</td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  </div>
);
