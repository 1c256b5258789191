import type { Search } from '../router/search.ts';

/** Returns a `validateSearch` that keeps these keys. The page itself, whose code loads later, reads their values. */
export const onlyKeys =
  (...keys: readonly string[]) =>
  (raw: Search): Search =>
    Object.fromEntries(Object.entries(raw).filter(([key]) => keys.includes(key)));
