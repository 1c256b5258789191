import type { FilterDialog } from '../saved-filters/filter-dialog.ts';
import { useCommands } from '../ui/commands.ts';
import { isFocusFree } from '../ui/focus-free.ts';
import type { Inbox } from './use-inbox.ts';

/** Keeps the key out of the field that gets the focus, and from older parts of the page. */
export const kept = (run: () => void) => (event?: KeyboardEvent) => {
  event?.preventDefault();
  run();
};

/** The commands of the inbox (docs/ux.md, "Keyboard triage"). */
export const useInboxKeys = (inbox: Inbox, openDialog: (dialog: FilterDialog) => void): void => {
  const { sel, statusControl, filterPanel, openStatusControl, move, picked, canPick } = inbox;
  /** With Shift, the row that is left and the one that is reached are selected. */
  const step = (by: number, selects = false): void => {
    const from = inbox.current();
    move(by);
    const to = inbox.current();
    if (selects && canPick && from && to) inbox.pick([...picked, from, to]);
  };
  useCommands({
    'list.next': (event) => step(1, event?.shiftKey),
    'list.previous': (event) => step(-1, event?.shiftKey),
    'list.select': canPick
      ? () => {
          const id = inbox.current();
          if (id) inbox.toggle(id);
        }
      : null,
    'list.open': (event) => {
      if (!event || !isFocusFree()) return;
      const id = inbox.current();
      if (id) inbox.open(id);
    },
    'ping.resolve': canPick ? kept(() => openStatusControl('resolve')) : null,
    'ping.status': canPick ? kept(() => openStatusControl('menu')) : null,
    'ping.assign': canPick ? kept(() => openStatusControl('assign')) : null,
    'ping.snooze': canPick ? kept(() => openStatusControl('snooze')) : null,
    'list.save': kept(() => openDialog('save')),
    'list.filter': kept(() => filterPanel.openOn('finder')),
    'list.search': kept(() => filterPanel.openOn('name')),
    'list.undo': () => inbox.changes.undo(),
    'list.back': () => {
      if (statusControl) inbox.setStatusControl(null);
      else if (picked.size > 0) inbox.pick([]);
      else if (sel) inbox.close();
    },
  });
};
