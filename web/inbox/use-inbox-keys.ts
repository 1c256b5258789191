import type { FilterDialog } from '../saved-filters/filter-dialog.ts';
import { useCommands } from '../ui/commands.ts';
import { isFocusFree } from '../ui/focus-free.ts';
import type { Inbox } from './use-inbox.ts';

/** Keeps the key out of the field that gets the focus, and from older parts of the page. */
const kept = (run: () => void) => (event?: KeyboardEvent) => {
  event?.preventDefault();
  run();
};

/** The commands of the inbox (docs/ux.md, "Keyboard triage"). */
export const useInboxKeys = (inbox: Inbox, openDialog: (dialog: FilterDialog) => void): void => {
  const { sel, statusControl, filterPanel, openStatusControl, move, picked, canPick, question, ask } = inbox;
  const hasPicks = picked.size > 0;
  const currentRow = () => {
    const id = inbox.current();
    return inbox.rows.find((row) => row.id === id);
  };
  /** While rows are selected, the keys are about them, also before their bar is loaded. */
  const askFor = (what: 'resolve' | 'assign' | 'snooze') =>
    canPick ? kept(() => (hasPicks ? ask(what) : openStatusControl(what))) : null;
  /** With Shift, the row that is left and the one that is reached are selected. */
  const step = (by: number, selects = false): void => {
    const from = currentRow();
    move(by);
    const to = currentRow();
    if (selects && canPick && from && to) inbox.pick([from, to, ...picked.values()]);
  };
  useCommands({
    'list.next': (event) => step(1, event?.shiftKey),
    'list.previous': (event) => step(-1, event?.shiftKey),
    'list.select': canPick
      ? () => {
          const row = currentRow();
          if (row) inbox.toggle(row);
        }
      : null,
    'list.open': (event) => {
      if (!event || !isFocusFree()) return;
      const id = inbox.current();
      if (id) inbox.open(id);
    },
    'ping.resolve': askFor('resolve'),
    'ping.status': canPick && !hasPicks ? kept(() => openStatusControl('menu')) : null,
    'ping.assign': askFor('assign'),
    'ping.snooze': askFor('snooze'),
    'list.save': kept(() => openDialog('save')),
    'list.filter': kept(() => filterPanel.openOn('finder')),
    'list.search': kept(() => filterPanel.openOn('name')),
    'list.undo': () => inbox.changes.undo(),
    'list.back': () => {
      if (question) ask(null);
      else if (statusControl) inbox.setStatusControl(null);
      else if (hasPicks) inbox.pick([]);
      else if (sel) inbox.close();
    },
  });
};
