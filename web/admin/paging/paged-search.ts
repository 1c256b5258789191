/** The rows of a page to choose from. */
export const ROWS = [20, 50, 100] as const;

/** The part of a list's state that is in the URL: the page and its rows. A typed name is not. */
export interface PagedSearch {
  p?: number;
  rows?: number;
}

/** Reads the state from a URL, ignoring what is invalid. */
export const pagedSearch = (search: Record<string, unknown>): PagedSearch => {
  const p = Number(search['p']);
  const rows = ROWS.find((each) => each !== ROWS[0] && each === Number(search['rows']));
  return { ...(rows ? { rows } : {}), ...(Number.isInteger(p) && p > 1 ? { p } : {}) };
};
