import { useState } from 'react';
import { containsText } from '../../ui/contains-text.ts';
import { ROWS } from './paged-search.ts';

/** Pages of a list that is loaded whole, searched by a text of each row. For `PagedList`. */
export const usePagesOf = <T>(all: readonly T[], textOf: (row: T) => string) => {
  const [text, setText] = useState('');
  const [wanted, go] = useState(1);
  const [rows, setRows] = useState<number>(ROWS[0]);
  const query = text.trim();
  const found = query === '' ? all : all.filter((row) => containsText(textOf(row), query));
  // The list may have become shorter since.
  const page = Math.min(wanted, Math.max(Math.ceil(found.length / rows), 1));
  return {
    total: found.length,
    /** The rows of this page. */
    shown: found.slice((page - 1) * rows, page * rows),
    paging: {
      page,
      rows,
      go,
      resize: (to: number): void => {
        setRows(to);
        go(1);
      },
      text,
      query,
      type: (typed: string): void => {
        setText(typed);
        go(1);
      },
      clear: (): void => setText(''),
    },
  };
};
