import type { UseQueryResult } from '@tanstack/react-query';
import { formatTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import classes from './list-state.module.css';

const loadGaps = () => import('./incomplete-list.tsx').then((file) => file.ListGaps);

interface Props {
  page: Pick<UseQueryResult, 'isFetching' | 'error' | 'dataUpdatedAt' | 'isPlaceholderData' | 'refetch'>;
  /** Whether the list is still being loaded. */
  isCounting?: boolean | undefined;
  /** What is waiting to be shown: "2 new pings"; null while nothing is. */
  news: string | null;
  /** Replaces when the list was last updated. */
  note?: string | undefined;
  show: () => void;
}

/** The strip above the rows: loading, failed, or out of date, or else when the list was last updated. */
export const ListState = ({
  page: { isFetching, error, dataUpdatedAt, isPlaceholderData, refetch },
  isCounting,
  news,
  note,
  show,
}: Props) => {
  const ListGaps = useLoaded(loadGaps, true, false);
  const updatedAt = formatTime(new Date(dataUpdatedAt).toISOString());
  const stateWords = isCounting ? 'Still counting. More rows may appear.' : (note ?? `Updated ${updatedAt}`);
  return (
    <>
      {isFetching && <div className={classes.progress} />}
      {error && (
        <Failed
          what="Couldn't refresh this list."
          error={error}
          safe={`It was last updated at ${updatedAt}.`}
          retry={() => void refetch()}
        />
      )}
      {/* The strip is always there, so that neither news nor a gap pushes the rows down. */}
      <div className={classes.strip}>
        {news === null ? (
          <div className={classes.asOf}>{isPlaceholderData ? 'Updating…' : stateWords}</div>
        ) : (
          <button type="button" className={classes.bar} onClick={show}>
            {news} — show
          </button>
        )}
        {ListGaps && <ListGaps />}
      </div>
    </>
  );
};
