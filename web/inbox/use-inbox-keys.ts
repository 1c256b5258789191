import type { FilterDialog } from '../saved-filters/filter-dialog.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import type { Inbox } from './use-inbox.ts';

/** The keys of the inbox (docs/ux.md, "Keyboard triage"). */
export const useInboxKeys = (inbox: Inbox, openDialog: (dialog: FilterDialog) => void): void => {
  const { sel, statusControl, filterPanel, openStatusControl, move, picked, canPick } = inbox;
  /** With Shift, the row that is left and the one that is reached are selected. */
  const step = (by: number, { shiftKey }: KeyboardEvent): void => {
    const from = inbox.current();
    move(by);
    const to = inbox.current();
    if (shiftKey && canPick && from && to) inbox.pick([...picked, from, to]);
  };
  useShortcuts({
    j: (event) => step(1, event),
    k: (event) => step(-1, event),
    x: () => {
      const id = inbox.current();
      if (id && canPick) inbox.toggle(id);
    },
    Enter: (event) => {
      if (event.target !== document.body) return;
      const id = inbox.current();
      if (id) inbox.open(id);
    },
    e: (event) => {
      event.preventDefault();
      openStatusControl('resolve');
    },
    s: (event) => {
      event.preventDefault();
      if (event.shiftKey) openDialog('save');
      else openStatusControl('menu');
    },
    f: (event) => {
      event.preventDefault();
      filterPanel.openOn('finder');
    },
    '/': (event) => {
      event.preventDefault();
      filterPanel.openOn('name');
    },
    z: () => inbox.changes.undo(),
    Escape: () => {
      if (statusControl) inbox.setStatusControl(null);
      else if (picked.size > 0) inbox.pick([]);
      else if (sel) inbox.close();
    },
  });
};
