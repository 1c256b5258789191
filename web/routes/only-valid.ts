/**
 * Returns a `validateSearch` that drops what `read` doesn't return. The router adds the result to the query as it is in the URL, so what is
 * dropped must be there as undefined.
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
