/** The part of the audit log's state that is in the URL: the id of the account it is limited to, and the page. */
export interface ChangesSearch {
  user?: number;
  p?: number;
}

const positive = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined;

/** Reads the state from a URL, ignoring what is invalid. */
export const changesSearch = (search: Record<string, unknown>): ChangesSearch => {
  const [user, p = 1] = [positive(search['user']), positive(search['p'])];
  return { ...(user ? { user } : {}), ...(p > 1 ? { p } : {}) };
};
