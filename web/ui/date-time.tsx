import classes from './date-time.module.css';
import { formatDate, formatTime } from './format/date.ts';

/** An instant in a narrow place, such as a cell: the line breaks between the date and the time, never within the time. */
export const DateTime = ({ value }: { value: string }) => (
  <time dateTime={value} className={classes.parts}>
    <span>{formatDate(value)}</span> <span>{formatTime(value)}</span>
  </time>
);
