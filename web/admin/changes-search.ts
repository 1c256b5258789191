/** What of the list of changes stands in the URL: whose account, by its id, and the page. */
export interface ChangesSearch {
  user?: string;
  p?: number;
}

/** Reads it from a URL that anybody may have typed. */
export const changesSearch = (search: Record<string, unknown>): ChangesSearch => {
  const user = String(search['user'] ?? '');
  const p = Number(search['p']);
  return { ...(/^\d{1,18}$/.test(user) ? { user } : {}), ...(Number.isInteger(p) && p > 1 ? { p } : {}) };
};
