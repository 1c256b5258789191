import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { LiveEvent } from '#contract/live.ts';
import { inBackground } from './background.ts';
import { Live, type LiveStatus } from './live.ts';

export const LiveContext = createContext<Live | null>(null);

/** Opens the live connection of a team while the component is mounted; null without a team. */
export const useLiveConnection = (teamId: string | null): Live | null => {
  const [live, setLive] = useState<Live | null>(null);
  useEffect(() => {
    if (!teamId) return;
    const opened = new Live(teamId);
    setLive(opened);
    return () => {
      opened.close();
      setLive(null);
    };
  }, [teamId]);
  return live;
};

/** Calls `onEvent` with each live event of the team. */
export const useLiveEvents = (onEvent: (event: LiveEvent) => void, connection?: Live | null): void => {
  const nearest = useContext(LiveContext);
  const live = connection === undefined ? nearest : connection;
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  });
  useEffect(() => live?.listen((event) => inBackground(() => latest.current(event))), [live]);
};

const NONE: LiveStatus = { state: 'connecting', since: null };

/** Whether live updates arrive. Changes less often than the whole status, which carries a time. */
export const useIsLive = (connection?: Live | null): boolean => {
  const nearest = useContext(LiveContext);
  const live = connection === undefined ? nearest : connection;
  return useSyncExternalStore(live?.watch ?? (() => () => {}), () => live?.current().state === 'live');
};

/** The state of the live connection. */
export const useLiveStatus = (): LiveStatus => {
  const live = useContext(LiveContext);
  return useSyncExternalStore(live?.watch ?? (() => () => {}), live?.current ?? (() => NONE));
};
