import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RESOLUTION_LABELS } from '#contract/management-status.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import { historyQuery } from './inbox-queries.ts';
import { StatusBadge } from './ping-badges.tsx';
import classes from './ping-detail.module.css';

/** The status changes of a ping, newest first: who set which status, when and why. */
export const StatusHistory = ({ patientId, eventIdentifier }: { patientId: string; eventIdentifier: string }) => {
  const { data, error, refetch } = useQuery(historyQuery(patientId, eventIdentifier));
  if (error) return <Failed what="Couldn't load the status history." error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton h={20} w="60%" />;
  if (data.length === 0)
    return (
      <Text c="dimmed" size="sm">
        No status changes yet.
      </Text>
    );
  return (
    <ol className={classes.timeline}>
      {data.map(({ id, status, resolutions, username, displayName, otherText, date }) => (
        <li key={id}>
          <div className={classes.historyLine}>
            <StatusBadge status={status} />
            <span>{resolutions.map((code) => RESOLUTION_LABELS[code]).join(', ')}</span>
          </div>
          {otherText && <p className={classes.quote}>{otherText}</p>}
          <span className={classes.dim}>
            <span title={username}>{displayName ?? username}</span> ·{' '}
            <time dateTime={date}>{formatDateTime(date)}</time>
          </span>
        </li>
      ))}
    </ol>
  );
};
