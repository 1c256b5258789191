import { ActionIcon, Button, Checkbox, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { Review, ReviewOrder } from '#contract/reviews.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { formatMinutes } from '../ui/format/date.ts';
import { IconAlertTriangle, IconX } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import { Pager } from '../ui/pager.tsx';
import { Empty, Failed, RowsLoading } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import { headingId, ReviewCard } from './review-card.tsx';
import { REVIEWS_PER_PAGE, reviewCountQuery, reviewsQuery } from './review-queries.ts';
import classes from './reviews.module.css';
import { type Failure, useDecide } from './use-decide.ts';

const COUNT_ID = 'review-count';

/** How many matches wait, and how long the oldest has. */
const Waiting = ({ page: { total, oldestDate } }: { page: RouteAnswer<'GET /api/feeds/reviews'> }) => {
  const now = useNow();
  const minutes = oldestDate ? Math.max(0, Math.floor((now.getTime() - new Date(oldestDate).getTime()) / 60_000)) : 0;
  return (
    <Text size="sm" mb="sm">
      <span id={COUNT_ID} tabIndex={-1}>
        {total.toLocaleString('en-US')} to review
        {oldestDate && ` · oldest waiting ${minutes < 1 ? 'less than a minute' : formatMinutes(minutes)}`}
      </span>
      <Text span c="dimmed" inherit>
        {'. '}Link only if the records clearly show one person: a wrong link shows one person's stays to another
        person's team.
      </Text>
    </Text>
  );
};

/** Selects clear matches of the page, and links those that are selected. */
const ClearMatches = ({
  reviews,
  selected,
  select,
  disabled,
  link,
}: {
  reviews: Review[];
  selected: Review[];
  select: (ids: string[]) => void;
  disabled: boolean;
  link: () => void;
}) => (
  <div className={classes.selection} role="group" aria-label="Clear matches">
    <Checkbox
      size="sm"
      label={`Select ${counted(reviews.length, 'clear match', 'clear matches')} on this page`}
      disabled={disabled}
      checked={selected.length === reviews.length}
      indeterminate={selected.length > 0 && selected.length < reviews.length}
      onChange={({ currentTarget }) => select(currentTarget.checked ? reviews.map(({ id }) => id) : [])}
    />
    {selected.length > 0 && (
      <>
        <Text size="sm" role="status">
          {selected.length} selected
        </Text>
        <Button size="xs" loading={disabled} onClick={link}>
          Link selected
        </Button>
        <Button size="xs" variant="subtle" disabled={disabled} onClick={() => select([])}>
          Clear
        </Button>
      </>
    )}
  </div>
);

/** Which of the selected matches were not linked, and why. */
const NotLinked = ({ failed, dismiss }: { failed: readonly Failure[]; dismiss: () => void }) =>
  failed.length > 0 && (
    <Notice
      role="alert"
      color="caution"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={`${counted(failed.length, "match wasn't", "matches weren't")} linked`}
      action={
        <ActionIcon aria-label="Dismiss" onClick={dismiss}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      }
    >
      <ul className={classes.failures}>
        {failed.map(({ title, why }) => (
          <li key={title}>
            <strong>{title}</strong>: {why}
          </li>
        ))}
      </ul>
    </Notice>
  );

/** Moves the focus to a card, or to the count if the card is not there. Returns whether it is. */
const focusCard = (id: string | null): boolean => {
  const heading = id === null ? null : document.getElementById(headingId(id));
  (heading ?? document.getElementById(COUNT_ID))?.focus();
  return heading !== null;
};

/** Cards of matches. Once one has left the list, the focus moves to the card that follows it. */
const Cards = ({ reviews }: { reviews: Review[] }) => {
  const [next, setNext] = useState<string | null>(null);
  const [chosen, choose] = useState<string[]>([]);
  const [returned, setReturned] = useState<string | null>(null);
  useEffect(() => {
    // It may come with a later render, or not at all if nothing speaks for it anymore.
    if (returned !== null && reviews.some(({ id }) => id === returned) && focusCard(returned)) setReturned(null);
  }, [returned, reviews]);
  const { decide, linkAll, isBusy, failures, failed, dismiss } = useDecide({
    left: () => focusCard(next),
    returned: (id) => setReturned(id ?? null),
  });
  const clear = reviews.filter(({ isClear }) => isClear);
  const selected = clear.filter(({ id }) => chosen.includes(id));
  const link = (): void => {
    setNext(null);
    linkAll(selected);
    choose([]);
  };
  return (
    <>
      <NotLinked failed={failed} dismiss={dismiss} />
      {clear.length > 0 && (
        <ClearMatches reviews={clear} selected={selected} select={choose} disabled={isBusy} link={link} />
      )}
      {reviews.map((review, at) => (
        <ReviewCard
          key={review.id}
          review={review}
          disabled={isBusy}
          selected={chosen.includes(review.id)}
          select={(on) => choose(on ? [...chosen, review.id] : chosen.filter((id) => id !== review.id))}
          failure={failures.get(review.id)?.why}
          decide={(decision) => {
            setNext((reviews[at + 1] ?? reviews[at - 1])?.id ?? null);
            decide(decision);
          }}
        />
      ))}
    </>
  );
};

/** Possible matches that a person has to decide: the same person as one of the candidates, or not. Each decision can be undone. */
export const ReviewList = () => {
  const [pageNumber, setPage] = useState(1);
  const [order, setOrder] = useState<ReviewOrder>('likeliest');
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...reviewsQuery(pageNumber, order),
    placeholderData: keepPreviousData,
  });
  const count = useQuery(reviewCountQuery);
  const retry = (): void => void refetch();
  const failed = error && <Failed what="Couldn't load the matches to review." error={error} retry={retry} />;
  if (!data) return failed ?? <RowsLoading rows={3} height={240} retry={retry} />;
  const pages = Math.ceil(data.total / REVIEWS_PER_PAGE);
  // Matches don't move under the pointer: a list that changed elsewhere is shown when asked for.
  const isOutdated =
    count.data !== undefined && count.dataUpdatedAt > dataUpdatedAt && count.data.revision !== data.revision;
  return (
    <>
      {failed}
      {isOutdated && (
        <button type="button" className={classes.news} onClick={retry}>
          List updated — show
        </button>
      )}
      {data.total === 0 ? (
        <Empty title="No matches to review." />
      ) : (
        <div className={classes.toolbar}>
          <Waiting page={data} />
          <ChoiceBar
            label="Order"
            value={order}
            choose={(value) => {
              setOrder(value);
              setPage(1);
            }}
            choices={[
              { value: 'likeliest', label: 'Likeliest first' },
              { value: 'oldest', label: 'Oldest first' },
            ]}
          />
        </div>
      )}
      <Cards reviews={data.reviews} />
      {data.total > 0 && data.reviews.length === 0 && (
        <Button variant="default" onClick={() => setPage(1)}>
          Show the first page
        </Button>
      )}
      <Pager page={pageNumber} pages={pages} go={setPage} />
    </>
  );
};
