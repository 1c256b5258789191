import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { loadChunk } from '../errors/load-chunk.ts';
import { MatchReviews } from '../reviews/match-reviews.tsx';
import { reviewCountQuery } from '../reviews/review-queries.ts';
import { useNavigate, useSearch } from '../router/hooks.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { useTitle } from '../ui/use-title.ts';
import { FeedTable } from './feed-table.tsx';
import classes from './feeds.module.css';
import { type FeedsSearch, feedsSearchIn, searchOf } from './feeds-search.ts';
import { MessageDetail } from './message-detail.tsx';
import { MessageList, NO_FILTERS } from './message-list.tsx';
import { MissingPingsForm } from './missing-pings-form.tsx';

const loadTry = () => loadChunk('try-message', () => import('./try-message.tsx'));
const TryMessage = lazy(() => loadTry().then((file) => ({ default: file.TryMessage })));

/** Feeds and their health, received messages, matches to review, and the way to why a patient has no ping. */
export const FeedsPage = () => {
  useTitle('Feeds');
  const search = feedsSearchIn(useSearch());
  const { view, messageId, filters } = search;
  const navigate = useNavigate();
  const go = (part: Partial<FeedsSearch>, replace = false): void =>
    void navigate({ to: '.', search: searchOf({ ...search, ...part }), replace });
  const count = useQuery(reviewCountQuery).data?.open ?? 0;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Title order={1}>Feeds</Title>
        <ChoiceBar
          label="View"
          value={view}
          choose={(next) => go({ view: next, messageId: undefined, filters: NO_FILTERS })}
          choices={[
            { value: 'feeds', label: 'Feeds' },
            { value: 'messages', label: 'Messages' },
            { value: 'try', label: 'Try a message' },
            {
              value: 'reviews',
              label: count > 0 ? `Matches to review (${count.toLocaleString('en-US')})` : 'Matches to review',
            },
            { value: 'missing', label: 'Missing pings' },
          ]}
        />
      </div>
      {view === 'feeds' && <FeedTable />}
      {view === 'reviews' && <MatchReviews />}
      {view === 'missing' && <MissingPingsForm />}
      {view === 'try' && (
        <Suspense>
          <TryMessage />
        </Suspense>
      )}
      {view === 'messages' && (
        <>
          {/* The list stays mounted so that its filters and scroll position are kept. */}
          <div hidden={messageId !== undefined}>
            <MessageList
              filters={filters}
              // Another page is a step that Back takes; a filter replaces the one before.
              apply={(next) => go({ filters: next }, next.pageNumber === filters.pageNumber || next.pageNumber === 1)}
              open={(id) => go({ messageId: id })}
            />
          </div>
          {messageId && (
            <MessageDetail key={messageId} id={messageId} close={() => go({ messageId: undefined }, true)} />
          )}
        </>
      )}
    </div>
  );
};
