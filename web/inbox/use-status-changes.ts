import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { loadChunk } from '../errors/load-chunk.ts';
import { useSession } from '../session/session.ts';
import type { InboxList } from './inbox-search.ts';
import type { Sender } from './send-change.ts';
import type { Change, Unsaved } from './status-change.ts';

type SendChange = typeof import('./send-change.ts');
let loaded: SendChange | undefined;
/** The detail, from which changes are sent, loads it too. */
const loadSend = async (): Promise<SendChange> => {
  loaded ??= await loadChunk('send-change', () => import('./send-change.ts'));
  return loaded;
};

/** Changes that were not saved, by patient id. */
const useUnsaved = () => {
  const [unsaved, setAll] = useState<ReadonlyMap<string, Unsaved>>(new Map());
  const setUnsaved = useCallback((id: string, why: Unsaved | null): void => {
    setAll((all) => {
      if (!why && !all.has(id)) return all;
      const next = new Map(all);
      if (why) next.set(id, why);
      else next.delete(id);
      return next;
    });
  }, []);
  return { unsaved, setUnsaved };
};

/**
 * Changes the status of pings. A change shows in the same frame and is put back if the server refuses it. It can be undone from the
 * toast for ten seconds, and with `undo` until the next change, also while it is being saved. Between two open statuses a row keeps its place.
 */
export const useStatusChanges = (list: InboxList) => {
  const client = useQueryClient();
  const { user } = useSession();
  const { unsaved, setUnsaved } = useUnsaved();
  const lastUndo = useRef<(() => void) | null>(null);

  const send = useCallback(
    async (change: Change, onLeave = (): void => {}, comeBack: Sender['comeBack'] = null): Promise<void> => {
      // In the same task once it is loaded, so that all that changes is rendered together.
      const { sendChange } = loaded ?? (await loadSend());
      await sendChange(change, { client, list, user, setUnsaved, onLeave, comeBack, lastUndo });
    },
    [client, setUnsaved, list, user],
  );

  /** Shows what is saved on the server and drops the change that was not saved, with what was typed for it. */
  const takeTheirs = async (id: string): Promise<void> => {
    await (await loadSend()).takeTheirs(client, id);
    setUnsaved(id, null);
  };

  /** Sends the change that was not saved again, over the ping's status as it is now. */
  const keepMine = async (id: string): Promise<void> => {
    const mine = unsaved.get(id);
    const change = mine && (await (await loadSend()).changeAgain(client, id, mine));
    if (change) await send(change);
  };

  /** What `undo` takes back until the next change. */
  const noteUndo = (undo: () => void): void => {
    lastUndo.current = undo;
  };

  return { send, takeTheirs, keepMine, unsaved, undo: useCallback(() => lastUndo.current?.(), []), noteUndo };
};
