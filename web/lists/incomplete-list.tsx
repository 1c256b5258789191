import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListGap } from '#contract/feed-health.ts';
import { call } from '../api/call.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { Banner } from '../ui/banner.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { Button } from '../ui/plain/button.tsx';
import classes from './incomplete-list.module.css';

/** Facilities that this team's lists don't hear from. Changes come live; the interval is for streams that are down. */
export const listGapsQuery = queryOptions({
  queryKey: ['list-gaps'],
  queryFn: () => call('GET /api/list-gaps'),
  staleTime: 60_000,
  refetchInterval: 300_000,
  retry: false,
});

const SHOWN = 3;

const gapWords = ({ facilityName, since, why }: ListGap): string =>
  why === 'PAUSED'
    ? `${facilityName}: messages on hold since ${formatDateTime(since)}`
    : `${facilityName}: no messages since ${formatDateTime(since)}`;

/** Says that the list may be incomplete while facilities aren't heard from for longer than usual; nothing otherwise. */
export const ListGaps = () => {
  const client = useQueryClient();
  const { data: gaps = [] } = useQuery(listGapsQuery);
  const [all, showAll] = useState(false);
  useLiveEvents(({ kind }) => {
    if (kind === 'feeds') void client.invalidateQueries({ queryKey: listGapsQuery.queryKey });
  });
  if (gaps.length === 0) return null;
  const shown = all ? gaps : gaps.slice(0, SHOWN);
  return (
    <Banner kind="WARNING" role="status">
      This list may be incomplete.
      <ul className={classes.gaps}>
        {shown.map((gap) => (
          <li key={gap.groupId}>{gapWords(gap)}</li>
        ))}
      </ul>
      {shown.length < gaps.length && (
        <Button size="xs" variant="default" onClick={() => showAll(true)}>
          Show {gaps.length - shown.length} more
        </Button>
      )}
    </Banner>
  );
};
