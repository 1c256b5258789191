import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SearchParametersInput } from '#contract/search.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { useThrottled } from '../lists/use-throttled.ts';
import { announce } from '../ui/announcer.tsx';
import { patientsQuery, type SearchResults } from './patient-queries.ts';

/** Events that come close together cause one request. In milliseconds. */
export const ASK_AFTER = 1000;

const orderOf = ({ patients, total }: SearchResults): string =>
  JSON.stringify([total, ...patients.map(({ id }) => id)]);

/**
 * Loads the page again in the background after live events. Rows that keep their place are replaced; a result with other rows waits
 * until `show` is called, so that no row moves by itself.
 */
export const useLiveResults = (parameters: SearchParametersInput) => {
  const client = useQueryClient();
  const { queryKey } = patientsQuery(parameters);
  const view = JSON.stringify(queryKey);
  const [waiting, setWaiting] = useState<SearchResults | null>(null);
  const latestView = useRef(view);

  const compare = async (): Promise<void> => {
    try {
      // The first answer may still be under way, from before the event.
      const shown = client.getQueryData(queryKey) ?? (await client.fetchQuery(patientsQuery(parameters)));
      const next = await inBackground(() => call('POST /api/patients/search', { body: parameters }));
      if (latestView.current !== view) return;
      if (orderOf(next) === orderOf(shown) || shown.patients.length === 0) {
        client.setQueryData(queryKey, next);
        setWaiting(null);
      } else setWaiting(next);
    } catch {
      // The strip above the rows says how old they are; the next event asks again.
    }
  };
  const { run, cancel } = useThrottled(() => void compare(), ASK_AFTER);
  useEffect(() => {
    latestView.current = view;
    setWaiting(null);
    return cancel;
  }, [view, cancel]);
  useLiveEvents(({ kind, data }) => {
    const concerned =
      kind === 'ping' || kind === 'rows' || kind === 'reload' || (kind === 'roster' && data.status === 'DONE');
    if (concerned) run();
  });

  return {
    changed: waiting !== null,
    show: (): void => {
      if (!waiting) return;
      client.setQueryData(queryKey, waiting);
      setWaiting(null);
      announce('List updated.');
    },
  };
};
