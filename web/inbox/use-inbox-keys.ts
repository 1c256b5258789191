import type { FilterDialog } from '../saved-filters/filter-dialog.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import type { Inbox } from './use-inbox.ts';

/** The keys of the inbox (docs/ux.md, "Keyboard triage"). */
export const useInboxKeys = (inbox: Inbox, openDialog: (dialog: FilterDialog) => void): void => {
  const { sel, statusControl, filterPanel, openStatusControl, move } = inbox;
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
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
      else if (sel) inbox.close();
    },
  });
};
