import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SearchParametersInput } from '#contract/search.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { announce } from '../ui/announcer.tsx';
import { patientsQuery, type SearchResults } from './patient-queries.ts';

/** Events that come close together ask once. */
export const ASK_AFTER = 1000;

const orderOf = ({ patients, total }: SearchResults): string =>
  JSON.stringify([total, ...patients.map(({ id }) => id)]);

/**
 * Asks for the page again behind the reader's back when something happened. What keeps its place is renewed where it stands; another
 * result waits until `show` is called, so that no row moves by itself.
 */
export const useLiveResults = (parameters: SearchParametersInput) => {
  const client = useQueryClient();
  const { queryKey } = patientsQuery(parameters);
  const view = JSON.stringify(queryKey);
  const [waiting, setWaiting] = useState<SearchResults | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const current = useRef(view);
  useEffect(() => {
    current.current = view;
    setWaiting(null);
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [view]);

  const compare = async (): Promise<void> => {
    try {
      // The first answer may be under way, and from before.
      const shown = client.getQueryData(queryKey) ?? (await client.fetchQuery(patientsQuery(parameters)));
      const next = await call('POST /api/patients/search', { body: parameters });
      if (current.current !== view) return;
      if (orderOf(next) === orderOf(shown) || shown.patients.length === 0) {
        client.setQueryData(queryKey, next);
        setWaiting(null);
      } else setWaiting(next);
    } catch {
      // What stands is still as of its time; the next event asks again.
    }
  };
  const compareNow = useRef(compare);
  useEffect(() => {
    compareNow.current = compare;
  });
  useLiveEvents(({ kind, data }) => {
    const concerns =
      kind === 'ping' || kind === 'rows' || kind === 'reload' || (kind === 'roster' && data.status === 'DONE');
    if (!concerns) return;
    // Where it never stops, it is asked for all the same.
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      inBackground(() => void compareNow.current());
    }, ASK_AFTER);
  });

  return {
    changed: waiting !== null,
    show: (): void => {
      if (!waiting) return;
      client.setQueryData(queryKey, waiting);
      setWaiting(null);
      announce('The list is up to date.');
    },
  };
};
