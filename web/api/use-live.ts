import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { LiveEvent } from '#contract/live.ts';
import { inBackground } from './background.ts';
import { Live, type LiveStatus } from './live.ts';

export const LiveContext = createContext<Live | null>(null);

/** The live connection of a team for as long as the component stands; null without a team. */
export const useConnection = (teamId: string | null): Live | null => {
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

/** Calls `hear` with each live event of the team. */
export const useLiveEvents = (hear: (event: LiveEvent) => void, connection?: Live | null): void => {
  const nearest = useContext(LiveContext);
  const live = connection === undefined ? nearest : connection;
  const latest = useRef(hear);
  useEffect(() => {
    latest.current = hear;
  });
  useEffect(() => live?.listen((event) => inBackground(() => latest.current(event))), [live]);
};

const NONE: LiveStatus = { state: 'connecting', since: null };

/** Whether the page hears of what happens; unlike the whole status it changes seldom. */
export const useIsLive = (): boolean => {
  const live = useContext(LiveContext);
  return useSyncExternalStore(live?.watch ?? (() => () => {}), () => live?.current().state === 'live');
};

/** How the connection stands. */
export const useLiveStatus = (): LiveStatus => {
  const live = useContext(LiveContext);
  return useSyncExternalStore(live?.watch ?? (() => () => {}), live?.current ?? (() => NONE));
};
