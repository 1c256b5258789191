import { useState } from 'react';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { DecidedList } from './decided-list.tsx';
import { ReviewList } from './review-list.tsx';
import classes from './reviews.module.css';

/** Matches to review, and what was decided about others. */
export const MatchReviews = () => {
  const [view, setView] = useState<'open' | 'decided'>('open');
  return (
    <>
      <div className={classes.views}>
        <ChoiceBar
          label="Matches"
          value={view}
          choose={setView}
          choices={[
            { value: 'open', label: 'To review' },
            { value: 'decided', label: 'Decided' },
          ]}
        />
      </div>
      {view === 'open' ? <ReviewList /> : <DecidedList />}
    </>
  );
};
