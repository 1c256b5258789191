import type { Asked } from '../saved-filters/filter-bar.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import type { Inbox } from './use-inbox.ts';

/** The keys of the inbox (ux.md, "Keyboard triage"). */
export const useInboxKeys = (inbox: Inbox, ask: (tool: Asked) => void): void => {
  const { sel, panel, filterPanel, act, move } = inbox;
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
      act('resolve');
    },
    s: (event) => {
      event.preventDefault();
      if (event.shiftKey) ask('save');
      else act('menu');
    },
    f: (event) => {
      event.preventDefault();
      filterPanel.find('finder');
    },
    '/': (event) => {
      event.preventDefault();
      filterPanel.find('name');
    },
    z: () => inbox.changes.undo(),
    Escape: () => {
      if (panel) inbox.setPanel(null);
      else if (sel) inbox.close();
    },
  });
};
