import { Button, Checkbox, Group, Paper, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Review, ReviewCandidate, ReviewRecord } from '#contract/reviews.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import { useWidth } from '../ui/use-width.ts';
import { CompareTable } from './compare-table.tsx';
import { ConfirmLink } from './confirm-link.tsx';
import { candidateSource, sourceOf, titleOf } from './review-words.ts';
import classes from './reviews.module.css';
import type { Decision } from './use-decide.ts';

/** The id of a card's heading, which takes the focus when the card before it has left the list. */
export const headingId = (reviewId: string): string => `review-${reviewId}`;

interface Props {
  review: Review;
  disabled: boolean;
  selected: boolean;
  select: (selected: boolean) => void;
  /** Why the last decision about it was not saved. */
  failure: string | undefined;
  decide: (decision: Decision) => void;
}

const Notes = ({ review: { candidates, hasOutsideCandidate, isOwnEntry } }: Pick<Props, 'review'>) => (
  <>
    {hasOutsideCandidate && (
      <Text size="sm" mt="sm">
        {candidates.length > 0 ? 'Another possible match' : 'A possible match'} exists outside your organization. Only
        Tidings support can see it and decide about it.
      </Text>
    )}
    {isOwnEntry && (
      <Text size="sm" mt="sm">
        You uploaded or entered this patient, so someone else has to decide.
      </Text>
    )}
  </>
);

/** One candidate on a phone, where there is no room for all of them side by side. */
const StackedMatch = ({
  title,
  record,
  candidate,
  number,
  children,
}: {
  title: string;
  record: ReviewRecord;
  candidate: ReviewCandidate;
  number: number;
  children: ReactNode;
}) => (
  <section>
    <h3 className={classes.match}>Possible match {number}</h3>
    <Text size="sm">{candidate.reason}</Text>
    <Text size="xs" c="dimmed">
      {candidateSource(candidate)}
    </Text>
    <CompareTable
      compact
      label={`Records to compare with ${title}, possible match ${number}`}
      record={record}
      candidates={[candidate]}
      numbers={[number]}
    />
    {children}
  </section>
);

/** Who a match is about, since when it waits, and its checkbox if it is clear. */
const Head = ({
  review: { id, record, candidates, createdDate, isClear },
  disabled,
  selected,
  select,
}: Pick<Props, 'review' | 'disabled' | 'selected' | 'select'>) => {
  const narrow = useWidth() === 'narrow';
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.title} id={headingId(id)} tabIndex={-1}>
          {titleOf(record)}
        </h2>
        <Text size="xs" c="dimmed" className="tabular">
          Waiting since {formatDateTime(createdDate)}
        </Text>
      </div>
      {(narrow || candidates.length === 0) && (
        <Text size="xs" c="dimmed">
          {sourceOf(record)}
        </Text>
      )}
      {isClear && (
        <Checkbox
          mt={4}
          size="sm"
          label="Clear match: select to link"
          aria-describedby={headingId(id)}
          disabled={disabled}
          checked={selected}
          onChange={({ currentTarget }) => select(currentTarget.checked)}
        />
      )}
    </>
  );
};

/** One match: who it is about, the records to compare, and the decision. */
export const ReviewCard = ({ review, disabled, selected, select, failure, decide }: Props) => {
  const { id, record, candidates, hasOutsideCandidate, isOwnEntry } = review;
  const [asking, ask] = useState<ReviewCandidate | null>(null);
  const narrow = useWidth() === 'narrow';
  const title = titleOf(record);
  const link = (candidate: ReviewCandidate): void => {
    ask(null);
    decide({ review, candidateId: candidate.id });
  };
  const choose = (candidate: ReviewCandidate): void =>
    candidate.warnings.length > 0 ? ask(candidate) : link(candidate);
  const numberOf = (candidate: ReviewCandidate): number => candidates.indexOf(candidate) + 1;
  const same = (candidate: ReviewCandidate) => (
    <Button size="xs" variant="default" disabled={disabled} onClick={() => choose(candidate)}>
      Same person
      <VisuallyHidden> as possible match {numberOf(candidate)}</VisuallyHidden>
      {candidate.warnings.length > 0 && '…'}
    </Button>
  );
  const none = !hasOutsideCandidate && !isOwnEntry && (
    <Button size="xs" variant="default" disabled={disabled} onClick={() => decide({ review, candidateId: null })}>
      {candidates.length === 1 ? 'Not the same person' : 'None of these'}
    </Button>
  );
  return (
    <Paper component="article" className={classes.card} aria-labelledby={headingId(id)}>
      <Head review={review} disabled={disabled} selected={selected} select={select} />
      {failure && (
        <Notice role="note" color="caution" icon={<IconAlertTriangle size={18} aria-hidden />} title="Not saved">
          {failure}
        </Notice>
      )}
      {narrow
        ? candidates.map((candidate) => (
            <StackedMatch
              key={candidate.id}
              title={title}
              record={record}
              candidate={candidate}
              number={numberOf(candidate)}
            >
              {!isOwnEntry && same(candidate)}
            </StackedMatch>
          ))
        : candidates.length > 0 && (
            <CompareTable
              label={`Records to compare with ${title}`}
              record={record}
              candidates={candidates}
              numbers={candidates.map(numberOf)}
              none={none}
              same={isOwnEntry ? undefined : same}
            />
          )}
      <Notes review={review} />
      {none && (narrow || candidates.length === 0) && <Group mt="sm">{none}</Group>}
      {asking && (
        <ConfirmLink title={title} warnings={asking.warnings} link={() => link(asking)} close={() => ask(null)} />
      )}
    </Paper>
  );
};
