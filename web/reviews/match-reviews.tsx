import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { DecidedList } from './decided-list.tsx';
import { ReviewList } from './review-list.tsx';

/** Matches to review, and what was decided about others. */
export const MatchReviews = () => {
  const [view, setView] = useState<'open' | 'decided'>('open');
  return (
    <>
      <SegmentedControl
        size="xs"
        mb="sm"
        aria-label="Matches"
        value={view}
        onChange={setView}
        data={[
          { value: 'open', label: 'To review' },
          { value: 'decided', label: 'Decided' },
        ]}
      />
      {view === 'open' ? <ReviewList /> : <DecidedList />}
    </>
  );
};
