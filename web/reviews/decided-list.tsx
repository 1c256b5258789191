import { Button, Paper, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DECIDED_DAYS, type DecidedReview } from '#contract/reviews.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { IconCircleCheck, IconEqualNot } from '../ui/icons.ts';
import { Pager } from '../ui/pager.tsx';
import { Empty, Failed, RowsLoading } from '../ui/states.tsx';
import { decidedQuery, REVIEWS_PER_PAGE } from './review-queries.ts';
import { candidateSource, sourceOf, titleOf } from './review-words.ts';
import classes from './reviews.module.css';
import { useUndo } from './use-undo.ts';

const COUNT_ID = 'decided-count';

const DecidedCard = ({
  review: { id, record, candidate, isLinked, decidedBy, decidedDate, canUndo },
  disabled,
  undo,
}: {
  review: DecidedReview;
  disabled: boolean;
  undo: () => void;
}) => {
  const title = titleOf(record);
  const Icon = isLinked ? IconCircleCheck : IconEqualNot;
  return (
    <Paper component="article" className={classes.card} aria-labelledby={`decided-${id}`}>
      <div className={classes.head}>
        <h2 className={classes.title} id={`decided-${id}`}>
          {title}
        </h2>
        <Text size="xs" c="dimmed" className="tabular">
          {decidedBy} · {formatDateTime(decidedDate)}
        </Text>
      </div>
      <Text size="xs" c="dimmed">
        {sourceOf(record)}
      </Text>
      <div className={classes.decision}>
        <div>
          <Text size="sm" fw={550} className={classes.mark}>
            <Icon size={16} aria-hidden /> {isLinked ? 'Same person' : 'Not the same person'}
          </Text>
          {isLinked && (
            <Text size="sm">
              {candidate?.record
                ? `${titleOf(candidate.record)}. ${candidateSource(candidate)}`
                : 'Linked to a record at another organization.'}
            </Text>
          )}
        </div>
        {canUndo ? (
          <Button size="xs" variant="default" disabled={disabled} onClick={undo}>
            Undo<VisuallyHidden> the decision about {title}</VisuallyHidden>
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            Can't be undone: the record was linked again since, or you uploaded or entered it.
          </Text>
        )}
      </div>
    </Paper>
  );
};

/** What was decided about matches, by whom and when, with an undo for each. */
export const DecidedList = () => {
  const [pageNumber, setPage] = useState(1);
  const { data, error, refetch } = useQuery(decidedQuery(pageNumber));
  const undo = useUndo(() => document.getElementById(COUNT_ID)?.focus());
  const retry = (): void => void refetch();
  const failed = error && <Failed what="Couldn't load the decisions." error={error} retry={retry} />;
  if (!data) return failed ?? <RowsLoading rows={3} height={96} retry={retry} />;
  return (
    <>
      {failed}
      {data.total === 0 ? (
        <Empty title={`No decisions in the last ${DECIDED_DAYS} days.`} />
      ) : (
        <Text size="sm" mb="sm">
          <span id={COUNT_ID} tabIndex={-1}>
            {data.total.toLocaleString('en-US')} decided in the last {DECIDED_DAYS} days
          </span>
          <Text span c="dimmed" inherit>
            {'. '}Newest first. Undoing a decision puts the match back under To review and takes its pings back.
          </Text>
        </Text>
      )}
      {data.reviews.map((review) => (
        <DecidedCard key={review.id} review={review} disabled={undo.isPending} undo={() => undo.mutate([review.id])} />
      ))}
      {data.total > 0 && data.reviews.length === 0 && (
        <Button variant="default" onClick={() => setPage(1)}>
          Show the first page
        </Button>
      )}
      <Pager page={pageNumber} pages={Math.ceil(data.total / REVIEWS_PER_PAGE)} go={setPage} />
    </>
  );
};
