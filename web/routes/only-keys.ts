import type { Search } from '../router/search.ts';

/** Returns a `validateSearch` that keeps these keys. The page reads their values; its code loads later. */
export const onlyKeys =
  (...keys: readonly string[]) =>
  (raw: Search): Search =>
    Object.fromEntries(Object.entries(raw).filter(([key]) => keys.includes(key)));
