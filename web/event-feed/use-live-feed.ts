import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { useThrottled } from '../lists/use-throttled.ts';
import { announce } from '../ui/announcer.tsx';
import { onForget } from '../ui/forget.ts';
import { createStore } from '../ui/store.ts';
import { differenceOf, updatedInPlace } from './compare-feed.ts';
import { eventsQuery, type LoadedEvents, loadEvents } from './feed-queries.ts';

/** Events that come close together cause one comparison. In milliseconds. */
const COMPARE_AFTER = 1000;
/** Pages that are compared. What has been loaded beyond them is updated when the feed is loaded again. */
const MOST_COMPARED = 5;

/** When updates were paused; null while they come. Kept while the app is open: who opens an event comes back to the feed as they left it. */
const paused = createStore<string | null>(null);
onForget(() => paused.set(null));

/** Whether the feed stays as it is. */
export const isFeedPaused = (): boolean => paused.get() !== null;

interface Waiting {
  feed: LoadedEvents;
  arrived: number;
}

/**
 * Keeps the feed up to date while it is read: corrections replace rows in place, and new events wait until `show` is called, so that no row
 * moves by itself. Paused, nothing changes at all.
 */
export const useLiveFeed = (parameters: SearchParametersInput) => {
  const client = useQueryClient();
  const { queryKey } = eventsQuery(parameters);
  const view = JSON.stringify(queryKey);
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const pausedAt = paused.use();
  const latest = useRef(view);

  const compare = async (): Promise<void> => {
    const shown = client.getQueryData<LoadedEvents>(queryKey);
    // A part is asked for again until it is whole.
    if (!shown || shown.pages[0]?.isCounting) return;
    const compared = shown.pageParams.slice(0, MOST_COMPARED);
    const pages = await Promise.all(compared.map((page) => loadEvents(parameters, page))).catch(() => null);
    const now = client.getQueryData<LoadedEvents>(queryKey);
    // The strip above the rows says how old they are; the next event asks again.
    if (pages === null || !now || latest.current !== view || isFeedPaused()) return;
    const next = { pages, pageParams: compared };
    const part = { pages: now.pages.slice(0, MOST_COMPARED), pageParams: now.pageParams.slice(0, MOST_COMPARED) };
    const { arrived, isGone } = differenceOf(part, next);
    const isEmpty = part.pages.every(({ patients }) => patients.length === 0);
    if (isEmpty || isGone) {
      client.setQueryData(queryKey, next);
      setWaiting(null);
      return;
    }
    client.setQueryData(queryKey, updatedInPlace(now, next));
    setWaiting(arrived > 0 ? { feed: next, arrived } : null);
  };
  const { run, cancel } = useThrottled(() => void compare(), COMPARE_AFTER);
  useEffect(() => {
    latest.current = view;
    setWaiting(null);
    return cancel;
  }, [view, cancel]);
  useLiveEvents(({ kind }) => {
    if (pausedAt === null && (kind === 'ping' || kind === 'rows' || kind === 'reload')) run();
  });

  return {
    /** How many new events wait. */
    waiting: waiting?.arrived ?? 0,
    show: (): void => {
      if (!waiting) return;
      client.setQueryData(queryKey, waiting.feed);
      setWaiting(null);
      announce(`${counted(waiting.arrived, 'new event', 'new events')} shown.`);
    },
    /** When updates were paused; null while they come. */
    pausedAt,
    togglePause: (): void => {
      const isPaused = pausedAt === null;
      paused.set(isPaused ? new Date().toISOString() : null);
      announce(isPaused ? 'Live updates paused.' : 'Live updates resumed.');
      if (isPaused) cancel();
      else run();
    },
  };
};
export type LiveFeed = ReturnType<typeof useLiveFeed>;
