import { SegmentedControl, Title } from '@mantine/core';
import { useState } from 'react';
import { ReviewList } from '../reviews/review-list.tsx';
import { useTitle } from '../ui/use-title.ts';
import { FeedTable } from './feed-table.tsx';
import classes from './feeds.module.css';
import { MessageDetail } from './message-detail.tsx';
import { MessageList } from './message-list.tsx';

type Part = 'feeds' | 'messages' | 'reviews';

/** Feeds and their health, received messages, and identities to decide. */
export const FeedsPage = () => {
  useTitle('Feeds');
  const [part, setPart] = useState<Part>('feeds');
  const [message, open] = useState<string | null>(null);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Title order={1}>Feeds</Title>
        <SegmentedControl
          size="xs"
          aria-label="Part"
          value={part}
          onChange={(value) => {
            setPart(value);
            open(null);
          }}
          data={[
            { value: 'feeds', label: 'Health' },
            { value: 'messages', label: 'Messages' },
            { value: 'reviews', label: 'Reviews' },
          ]}
        />
      </div>
      {part === 'feeds' && <FeedTable />}
      {part === 'reviews' && <ReviewList />}
      {part === 'messages' && (
        <>
          {/* The list stays mounted, so that its filters and place are still there on the way back. */}
          <div hidden={message !== null}>
            <MessageList open={open} />
          </div>
          {message && <MessageDetail key={message} id={message} close={() => open(null)} />}
        </>
      )}
    </div>
  );
};
