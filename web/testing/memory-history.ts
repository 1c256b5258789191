import { createHistory, type RouterHistory, type View } from '../router/history.ts';

/** Returns a history in memory, at a path. `isLate`: it moves after the call, as that of a browser does. */
export const memoryHistory = (path = '/', state: object = {}, { isLate = false } = {}): RouterHistory => {
  const entries: { url: URL; state: unknown }[] = [{ url: new URL(path, location.origin), state }];
  let at = 0;
  const listeners: (() => void)[] = [];
  const view: View = {
    get location() {
      return (entries[at] as (typeof entries)[0]).url;
    },
    history: {
      get state() {
        return entries[at]?.state;
      },
      pushState: (kept: unknown, _: string, href: string) => {
        entries.splice(at + 1, Number.POSITIVE_INFINITY, { url: new URL(href, location.origin), state: kept });
        at += 1;
      },
      replaceState: (kept: unknown, _: string, href?: string) => {
        entries[at] = {
          url: new URL(href ?? view.location.pathname + view.location.search, location.origin),
          state: kept,
        };
      },
      go: (by = 0) => {
        const move = (): void => {
          if (!entries[at + by]) return;
          at += by;
          for (const listener of listeners) listener();
        };
        if (isLate) setTimeout(move);
        else move();
      },
    },
    addEventListener: (_, listener) => void listeners.push(listener),
  };
  return createHistory(view);
};
