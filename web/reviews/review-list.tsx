import { Button, Group, Paper, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { reviewsQuery } from '../feeds/feed-queries.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { Pager } from '../ui/pager.tsx';
import { Empty, Failed } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';

/** 'dateOfBirth' → 'Date of birth'. */
const words = (key: string): string => {
  const spaced = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1);
};
const value = (given: unknown): string | null => {
  if (given === null || given === undefined || given === '') return null;
  return typeof given === 'string' ? given : JSON.stringify(given);
};

/** Identities that wait for a person to decide: link to one of the candidates, or keep apart. Each decision can be taken back. */
export const ReviewList = () => {
  const client = useQueryClient();
  const [pageNumber, setPage] = useState(1);
  const { data, error, refetch } = useQuery(reviewsQuery(pageNumber));
  const renew = (): Promise<void> => client.invalidateQueries({ queryKey: ['feed-reviews'] });
  const failed = (failure: unknown): void => {
    showToast({
      type: 'warning',
      message: failure instanceof ApiError ? failure.message : 'Not saved. Please try again.',
    });
  };
  const undo = useMutation({
    mutationFn: (id: string) => call('POST /api/feeds/reviews/:id/undo', { params: { id } }),
    onSuccess: renew,
    onError: failed,
  });
  const decide = useMutation({
    mutationFn: ({ id, personId }: { id: string; personId: string | null }) =>
      call('POST /api/feeds/reviews/:id', { params: { id }, body: { personId } }),
    onSuccess: (_, { id, personId }) => {
      showToast({
        type: 'success',
        message: personId ? 'Linked.' : 'Kept apart.',
        action: { label: 'Undo', run: () => undo.mutate(id) },
      });
      return renew();
    },
    onError: failed,
  });
  if (error) return <Failed what="The reviews could not be loaded." error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton h={120} />;
  if (data.reviews.length === 0) return <Empty title="No identity waits for a decision." />;
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {data.total.toLocaleString('en-US')} waiting. Link only what the evidence proves: a wrong link shows one
        person's stay to another person's team.
      </Text>
      {data.reviews.map((review) => (
        <Paper key={review.id} component="article" p="md" mb="md" aria-label={`Review ${review.id}`}>
          <Group justify="space-between" mb="xs">
            <Text fw={650}>{review.facilityName}</Text>
            <Text size="xs" c="dimmed" className="tabular">
              Review {review.id} · {formatDateTime(review.createdDate)}
              {review.ruleId && ` · rule ${review.ruleId}`}
            </Text>
          </Group>
          {review.candidates.map(({ personId, evidence }) => (
            <div key={personId}>
              <Group justify="space-between" mt="sm" mb={4}>
                <Text fw={550}>Candidate {personId}</Text>
                <Button
                  size="xs"
                  variant="default"
                  disabled={decide.isPending}
                  onClick={() => decide.mutate({ id: review.id, personId })}
                >
                  Link to {personId}
                </Button>
              </Group>
              <Facts facts={Object.entries(evidence).map(([key, given]): Fact => [words(key), value(given)])} />
            </div>
          ))}
          <Button
            mt="md"
            size="xs"
            variant="default"
            disabled={decide.isPending}
            onClick={() => decide.mutate({ id: review.id, personId: null })}
          >
            Keep apart
          </Button>
        </Paper>
      ))}
      <Pager page={pageNumber} pages={Math.ceil(data.total / 20)} go={setPage} />
    </>
  );
};
