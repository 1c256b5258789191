import { UnstyledButton } from '@mantine/core';
import { useContext } from 'react';
import type { LiveStatus } from '../api/live.ts';
import { LiveContext, useLiveStatus } from '../api/use-live.ts';
import { useSession } from '../session/session.ts';
import { formatTime } from '../ui/format/date.ts';
import { IconBroadcast, IconClock, IconPlayerPause, IconPlugConnectedX } from '../ui/icons.ts';
import classes from './shell.module.css';

const ICONS = {
  connecting: IconBroadcast,
  live: IconBroadcast,
  reconnecting: IconPlugConnectedX,
  stale: IconClock,
  paused: IconPlayerPause,
};

/** "Live · 10:42 AM", "Not live since 10:40 AM": what the reader may believe of the page. */
const words = ({ state, since }: LiveStatus): string => {
  const time = since === null ? null : formatTime(new Date(since).toISOString());
  if (state === 'live') return `Live · ${time}`;
  if (state === 'stale') return `Not live since ${time}`;
  if (state === 'paused') return time ? `Paused since ${time}` : 'Paused';
  return state === 'reconnecting' ? 'Reconnecting' : 'Connecting';
};

/** How live the page is; a press pauses what arrives, another goes on. */
export const LiveChip = () => {
  const live = useContext(LiveContext);
  const status = useLiveStatus();
  const { can } = useSession();
  // Who sees no pings is told of none: the page is not live.
  if (!live || !can('canViewPings')) return null;
  const paused = status.state === 'paused';
  const Icon = ICONS[status.state];
  return (
    <UnstyledButton
      className={classes.chip}
      data-state={status.state}
      title={paused ? 'Go on with live updates' : 'Pause live updates'}
      aria-pressed={paused}
      aria-label={`${words(status)}. Pause live updates`}
      onClick={() => live.pause(!paused)}
    >
      <Icon size={14} stroke={1.75} aria-hidden />
      {words(status)}
    </UnstyledButton>
  );
};
