import { Button, Group, Paper, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteAnswer } from '#contract/routes.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { Pager } from '../ui/pager.tsx';
import { Empty, Failed } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { REVIEWS_KEY, REVIEWS_PER_PAGE, reviewsQuery } from './review-queries.ts';

type Review = RouteAnswer<'GET /api/feeds/reviews'>['reviews'][number];
/** `candidateId`: the candidate to link; null if it is none of them. */
type Decision = { id: string; candidateId: string | null };

/** 'dateOfBirth' → 'Date of birth'. */
const labelOf = (key: string): string => {
  const spaced = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1);
};
const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Decides a review, with an undo in the toast. */
const useDecide = () => {
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: REVIEWS_KEY });
  /** `gone`: what it means that the server doesn't find a review that the list showed, which then leaves the list. */
  const failed = (gone: string) => (error: unknown) => {
    const isGone = error instanceof ApiError && error.errorKey === 'NOT_FOUND';
    const message = error instanceof ApiError ? error.message : "Couldn't save the decision. Try again.";
    showToast({ type: 'warning', message: isGone ? gone : message });
    return isGone ? refresh() : undefined;
  };
  const undo = useMutation({
    mutationFn: (id: string) => call('POST /api/feeds/reviews/:id/undo', { params: { id } }),
    onSuccess: refresh,
    onError: failed('This decision was already undone.'),
  });
  return useMutation({
    mutationFn: ({ id, candidateId }: Decision) =>
      call('POST /api/feeds/reviews/:id', { params: { id }, body: { candidateId } }),
    onSuccess: (_, { id, candidateId }) => {
      showToast({
        type: 'success',
        message: candidateId ? 'Linked.' : 'Marked as not the same person.',
        action: { label: 'Undo', run: () => undo.mutate(id) },
      });
      return refresh();
    },
    onError: failed('This match was already decided, so your decision was not saved.'),
  });
};

const ReviewCard = ({
  review,
  disabled,
  decide,
}: {
  review: Review;
  disabled: boolean;
  decide: (decision: Decision) => void;
}) => (
  <Paper component="article" p="md" mb="md" aria-label={`Match ${review.id}`}>
    <Group justify="space-between" mb="xs">
      <Text fw={650}>{review.facilityName}</Text>
      <Text size="xs" c="dimmed" className="tabular">
        Match {review.id} · {formatDateTime(review.createdDate)}
        {review.ruleId && ` · rule ${review.ruleId}`}
      </Text>
    </Group>
    {review.candidates.map(({ id: candidateId, evidence }, index) => (
      <div key={candidateId}>
        <Group justify="space-between" mt="sm" mb={4}>
          <Text fw={550}>Possible match {index + 1}</Text>
          {!review.isOwnEntry && (
            <Button
              size="xs"
              variant="default"
              disabled={disabled}
              onClick={() => decide({ id: review.id, candidateId })}
            >
              Link to match {index + 1}
            </Button>
          )}
        </Group>
        <Facts facts={Object.entries(evidence).map(([key, value]): Fact => [labelOf(key), textOf(value)])} />
      </div>
    ))}
    {review.hasOutsideCandidate && (
      <Text size="sm" mt="sm">
        {review.candidates.length > 0 ? 'Another possible match' : 'A possible match'} exists outside your organization.
        Only Tidings support can see it and decide about it.
      </Text>
    )}
    {review.isOwnEntry && (
      <Text size="sm" mt="sm">
        You uploaded or entered this patient, so someone else has to decide.
      </Text>
    )}
    {!review.hasOutsideCandidate && !review.isOwnEntry && (
      <Button
        mt="md"
        size="xs"
        variant="default"
        disabled={disabled}
        onClick={() => decide({ id: review.id, candidateId: null })}
      >
        Not the same person
      </Button>
    )}
  </Paper>
);

/** Possible matches that a person has to decide: the same person as one of the candidates, or not. Each decision can be undone. */
export const ReviewList = () => {
  const [pageNumber, setPage] = useState(1);
  const { data, error, refetch } = useQuery(reviewsQuery(pageNumber));
  const decision = useDecide();
  if (error) return <Failed what="Couldn't load the matches to review." error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton h={120} />;
  if (data.reviews.length === 0) return <Empty title="No matches to review." />;
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {data.total.toLocaleString('en-US')} to review. Link only if the evidence is clear: a wrong link shows one
        person's stay to another person's team.
      </Text>
      {data.reviews.map((review) => (
        <ReviewCard key={review.id} review={review} disabled={decision.isPending} decide={decision.mutate} />
      ))}
      <Pager page={pageNumber} pages={Math.ceil(data.total / REVIEWS_PER_PAGE)} go={setPage} />
    </>
  );
};
