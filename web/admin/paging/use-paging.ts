import { useState } from 'react';
import { useLocation, useNavigate } from '../../router/hooks.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { pagedSearch, ROWS } from './paged-search.ts';

export type Paging = ReturnType<typeof usePaging>;

/** The page of a list, in the URL, and the text that it is searched for, which stays in memory because it may be a person's name. */
export const usePaging = () => {
  const navigate = useNavigate();
  const search = useLocation({ select: (location) => location.search as Record<string, unknown> });
  const { p: _, rows: __, ...others } = search;
  const { p: page = 1, rows = ROWS[0] } = pagedSearch(search);
  const [query, ask] = useState('');
  const navigateTo = (next: object): void => void navigate({ to: '.', search: next, replace: true });
  const kept = { ...others, ...(rows === ROWS[0] ? {} : { rows }) };
  const { text, setText } = useDebounced(query, (typed) => {
    ask(typed.trim());
    if (page > 1) navigateTo(kept);
  });
  return {
    page,
    rows,
    text,
    type: (typed: string): void => setText(typed),
    /** The text that is searched for, once typing pauses. */
    query: text.trim() === '' ? '' : query,
    /** For a call of the API. */
    filters: { pageNumber: page, pageSize: rows, ...(query ? { query } : {}) },
    go: (to: number): void => navigateTo({ ...kept, ...(to > 1 ? { p: to } : {}) }),
    /** Another number of rows starts at the first page. */
    resize: (to: number): void => navigateTo({ ...others, ...(to === ROWS[0] ? {} : { rows: to }) }),
    /** Shows the first page with other parts of the URL's state. */
    limit: (to: object): void => navigateTo({ ...(rows === ROWS[0] ? {} : { rows }), ...to }),
    clear: (): void => {
      setText('');
      ask('');
      navigateTo(rows === ROWS[0] ? {} : { rows });
    },
  };
};
