import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DAY } from '#contract/durations.ts';
import { MOST_SNOOZE_DAYS } from '#contract/worklist-words.ts';
import { formatDate, readingZone } from '../ui/format/date.ts';
import { focusOnce } from '../ui/keep-focus.ts';
import { useNow } from '../ui/use-now.ts';
import classes from './work.module.css';

/** Returns the day so many days from now, where the user is, as YYYY-MM-DD. */
const dayIn = (now: Date, days: number): string => {
  const today = Date.parse(now.toLocaleDateString('en-CA', { timeZone: readingZone() }));
  return new Date(today + days * DAY).toISOString().slice(0, 10);
};

const SOON: readonly (readonly [days: number, label: string])[] = [
  [1, 'Tomorrow'],
  [3, 'In 3 days'],
  [7, 'In a week'],
];

/** Asks until when stays wait: a day, or a new event. */
export const ChooseWait = ({ choose, cancel }: { choose: (until: string) => void; cancel: () => void }) => {
  const now = useNow();
  const [day, setDay] = useState('');
  const [least, most] = [dayIn(now, 1), dayIn(now, MOST_SNOOZE_DAYS)];
  return (
    <div
      className={classes.chooser}
      role="group"
      aria-label="Wait until"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        cancel();
      }}
    >
      <div className={classes.line}>
        <Button size="compact-sm" variant="light" ref={focusOnce} onClick={() => choose('EVENT')}>
          Until a new event
        </Button>
        {SOON.map(([days, label]) => (
          <Button key={days} size="compact-sm" variant="default" onClick={() => choose(dayIn(now, days))}>
            {label}
          </Button>
        ))}
      </div>
      <form
        className={classes.line}
        onSubmit={(event) => {
          event.preventDefault();
          if (day >= least && day <= most) choose(day);
        }}
      >
        <TextInput
          size="xs"
          type="date"
          label={`Until a date (by ${formatDate(most)})`}
          min={least}
          max={most}
          value={day}
          error={day !== '' && (day < least || day > most) && `Choose a day within the next ${MOST_SNOOZE_DAYS} days.`}
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
        />
        <Button size="xs" variant="default" type="submit" disabled={day === ''}>
          Wait
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={cancel}>
          Cancel
        </Button>
      </form>
      <p className={classes.dim}>Stays in the list. A new event ends the wait.</p>
    </div>
  );
};
