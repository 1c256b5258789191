import type { UseQueryResult } from '@tanstack/react-query';
import { formatTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import classes from './list-state.module.css';

interface Props {
  page: Pick<UseQueryResult, 'isFetching' | 'error' | 'dataUpdatedAt' | 'refetch'>;
  /** What else there is to show than what stands, in words; null while there is nothing. */
  changed: string | null;
  show: () => void;
}

/** Above the rows of a list: that it is being read, could not be renewed or is out of date, or else as of when it is. */
export const ListState = ({ page: { isFetching, error, dataUpdatedAt, refetch }, changed, show }: Props) => {
  const asOf = formatTime(new Date(dataUpdatedAt).toISOString());
  return (
    <>
      {isFetching && <div className={classes.progress} />}
      {error && (
        <Failed
          what="The list could not be renewed."
          error={error}
          safe={`It is as of ${asOf}.`}
          retry={() => void refetch()}
        />
      )}
      {/* The strip is always there, so that what arrives does not push the rows down. */}
      {changed === null ? (
        <div className={classes.asOf}>As of {asOf}</div>
      ) : (
        <button type="button" className={classes.bar} onClick={show}>
          {changed} — show
        </button>
      )}
    </>
  );
};
