import { useCallback, useState } from 'react';

const NO_IDS: ReadonlySet<string> = new Set();

const add = (ids: ReadonlySet<string>, more: Iterable<string>): ReadonlySet<string> => new Set([...ids, ...more]);
const remove = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : ids;

/** What happened to a list since it was loaded, by patient id. */
export const useArrivals = () => {
  const [waiting, setWaiting] = useState(NO_IDS);
  const [changed, setChanged] = useState(false);
  const [justArrived, setJustArrived] = useState(NO_IDS);
  const [updated, setUpdated] = useState<ReadonlyMap<string, number>>(new Map());
  /** Forgets what waits: another list is shown, or this one is about to be loaded again. */
  const clearWaiting = useCallback((): void => {
    setWaiting(NO_IDS);
    setChanged(false);
  }, []);
  return {
    /** New rows that wait behind the bar. */
    waiting,
    /** Whether the list has changed in some way other than new rows. */
    changed,
    /** Rows that arrived while the page was open and have not been opened since. */
    justArrived,
    /** When a row was last replaced by a newer one, in epoch milliseconds. */
    updated,
    wait: (ids: Iterable<string>): void => setWaiting((all) => add(all, ids)),
    stopWaiting: (id: string): void => setWaiting((all) => remove(all, id)),
    markChanged: (): void => setChanged(true),
    markUpdated: (id: string): void => setUpdated((all) => new Map(all).set(id, Date.now())),
    clearWaiting,
    markArrived: (ids: Iterable<string>): void => setJustArrived((all) => add(all, ids)),
    /** The reader has opened a row: it is neither new nor just updated. */
    seen: (id: string): void => {
      setJustArrived((all) => remove(all, id));
      setUpdated((all) => (all.has(id) ? new Map([...all].filter(([other]) => other !== id)) : all));
    },
  };
};
