/**
 * Returns a `validateSearch` that keeps only what `read` returns. The router adds the result to the query of the URL, so every other key has
 * to be undefined in it.
 */
export const onlyValid =
  <T extends object>(read: (raw: Record<string, unknown>) => T) =>
  (raw: Record<string, unknown>): T => ({
    ...Object.fromEntries(Object.keys(raw).map((key) => [key, undefined])),
    ...read(raw),
  });

/** Returns a `validateSearch` that keeps these keys. The page itself, whose code loads later, reads their values. */
export const onlyKeys = (...keys: readonly string[]) =>
  onlyValid((raw) => Object.fromEntries(Object.entries(raw).filter(([key]) => keys.includes(key))));
