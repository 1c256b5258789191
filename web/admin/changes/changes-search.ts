/** What of the list of changes stands in the URL: whose account, by its id, and the page. */
export interface ChangesSearch {
  user?: number;
  p?: number;
}

const positive = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined;

/** Reads it from a URL that anybody may have typed. */
export const changesSearch = (search: Record<string, unknown>): ChangesSearch => {
  const [user, p = 1] = [positive(search['user']), positive(search['p'])];
  return { ...(user ? { user } : {}), ...(p > 1 ? { p } : {}) };
};
