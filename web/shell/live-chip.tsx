import { useContext } from 'react';
import type { LiveStatus } from '../api/live.ts';
import { LiveContext, useLiveStatus } from '../api/use-live.ts';
import { useSession } from '../session/session.ts';
import { formatTime } from '../ui/format/date.ts';
import { IconBroadcast, IconClock, IconPlayerPause, IconPlug } from '../ui/icons.ts';
import { UnstyledButton } from '../ui/plain/button.tsx';
import classes from './live-chip.module.css';

const ICONS = {
  connecting: IconBroadcast,
  live: IconBroadcast,
  reconnecting: IconPlug,
  stale: IconClock,
  paused: IconPlayerPause,
};

/** "Live · 10:42 AM", "Not live since 10:40 AM". */
const textOf = ({ state, since }: LiveStatus): string => {
  const time = since === null ? null : formatTime(new Date(since).toISOString());
  if (state === 'live') return `Live · ${time}`;
  if (state === 'stale') return `Not live since ${time}`;
  if (state === 'paused') return time ? `Paused since ${time}` : 'Paused';
  return state === 'reconnecting' ? 'Reconnecting' : 'Connecting';
};

/** Whether the page is up to date. Clicking it pauses or resumes live updates. */
export const LiveChip = () => {
  const live = useContext(LiveContext);
  const status = useLiveStatus();
  const { can } = useSession();
  // Without pings there are no live events.
  if (!live || !can('canViewPings')) return null;
  const paused = status.state === 'paused';
  const Icon = ICONS[status.state];
  return (
    <UnstyledButton
      className={classes.chip}
      data-state={status.state}
      title={paused ? 'Resume live updates' : 'Pause live updates'}
      aria-pressed={paused}
      aria-label={`${textOf(status)}. Pause live updates`}
      onClick={() => live.pause(!paused)}
    >
      <Icon size={14} stroke={1.75} aria-hidden />
      <span>
        {status.state === 'live' ? 'Live' : textOf(status)}
        {status.state === 'live' && <span className={classes.time}>{textOf(status).slice('Live'.length)}</span>}
      </span>
    </UnstyledButton>
  );
};
