import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListGap } from '#contract/feed-health.ts';
import { call } from '../api/call.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { useNow } from '../ui/use-now.ts';
import classes from './incomplete-list.module.css';

/** Facilities that this team's lists don't hear from. Changes come live; the interval is for streams that are down. */
const listGapsQuery = queryOptions({
  queryKey: ['list-gaps'],
  queryFn: () => call('GET /api/list-gaps'),
  staleTime: 60_000,
  refetchInterval: 300_000,
  retry: false,
});

const WORDS: Record<ListGap['why'], string> = {
  SILENT: 'no messages',
  PARTLY_SILENT: 'no messages from one of its systems',
  PAUSED: 'messages on hold',
};

const gapWords = ({ facilityName, since, why }: ListGap): string =>
  `${facilityName}: ${WORDS[why]} since ${formatDateTime(since)}`;

/**
 * Says in the strip above a list that it may be incomplete while facilities aren't heard from for longer than usual; nothing otherwise.
 * It comes when it is known, and opens over the rows. On a phone, where it must not take the place of a row, what isn't heard from shows once it is open.
 */
export const ListGaps = () => {
  const client = useQueryClient();
  // Renders the times again for paper.
  useNow();
  const { data: gaps = [] } = useQuery(listGapsQuery);
  useLiveEvents(({ kind }) => {
    if (kind === 'feeds') void client.invalidateQueries({ queryKey: listGapsQuery.queryKey });
  });
  const [first, ...others] = gaps;
  if (!first) return null;
  return (
    <div role="status" className={classes.gaps}>
      <details>
        <summary>
          <IconAlertTriangle size={16} stroke={1.75} aria-label="Warning" role="img" />
          <span className={classes.whole}>
            This list may be incomplete. {gapWords(first)}
            {others.length > 0 && ` and ${others.length} more`}
          </span>
          <span className={classes.short}>May be incomplete</span>
        </summary>
        <ul>
          {gaps.map((gap) => (
            <li key={gap.groupId}>{gapWords(gap)}</li>
          ))}
        </ul>
      </details>
    </div>
  );
};
