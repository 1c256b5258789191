import type { RefObject } from 'react';
import type { FilterPanelState } from '../filters/use-filter-panel.ts';
import { useCommands } from '../ui/commands.ts';
import type { FilterDialog } from './filter-dialog.ts';

/** The commands that every list has: search by name, find a filter, save the filters. */
export const useListKeys = (
  name: RefObject<HTMLInputElement | null>,
  panel: FilterPanelState,
  openDialog: (dialog: FilterDialog) => void,
): void =>
  useCommands({
    'list.search': (event) => {
      event?.preventDefault();
      name.current?.focus();
    },
    'list.filter': (event) => {
      event?.preventDefault();
      panel.openOn('finder');
    },
    'list.save': (event) => {
      event?.preventDefault();
      openDialog('save');
    },
  });
