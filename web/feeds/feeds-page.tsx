import { SegmentedControl, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { loadChunk } from '../errors/load-chunk.ts';
import { MatchReviews } from '../reviews/match-reviews.tsx';
import { reviewCountQuery } from '../reviews/review-queries.ts';
import { useTitle } from '../ui/use-title.ts';
import { FeedTable } from './feed-table.tsx';
import classes from './feeds.module.css';
import { MessageDetail } from './message-detail.tsx';
import { MessageList } from './message-list.tsx';
import { MissingPingsForm } from './missing-pings-form.tsx';

type View = 'feeds' | 'messages' | 'try' | 'reviews' | 'missing';

const loadTry = () => loadChunk('try-message', () => import('./try-message.tsx'));
const TryMessage = lazy(() => loadTry().then((file) => ({ default: file.TryMessage })));

const ReviewsLabel = ({ count }: { count: number }) => (
  <>
    <span>Matches to review</span>
    {count > 0 && <span className="tabular"> ({count.toLocaleString('en-US')})</span>}
  </>
);

/** Feeds and their health, received messages, matches to review, and the way to why a patient has no ping. */
export const FeedsPage = () => {
  useTitle('Feeds');
  const [view, setView] = useState<View>('feeds');
  const count = useQuery(reviewCountQuery).data?.open ?? 0;
  const [messageId, open] = useState<string | null>(null);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Title order={1}>Feeds</Title>
        <div className={classes.views}>
          <SegmentedControl
            size="xs"
            aria-label="View"
            value={view}
            onChange={(value) => {
              setView(value);
              open(null);
            }}
            data={[
              { value: 'feeds', label: 'Feeds' },
              { value: 'messages', label: 'Messages' },
              { value: 'try', label: 'Try a message' },
              { value: 'reviews', label: <ReviewsLabel count={count} /> },
              { value: 'missing', label: 'Missing pings' },
            ]}
          />
        </div>
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
          <div hidden={messageId !== null}>
            <MessageList open={open} />
          </div>
          {messageId && <MessageDetail key={messageId} id={messageId} close={() => open(null)} />}
        </>
      )}
    </div>
  );
};
