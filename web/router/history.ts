/** What an entry of the history keeps besides its address. Whoever needs something there adds it to this type. */
export interface HistoryState {}

/** An entry of the history. */
export interface Entry {
  /** The address without the origin. */
  href: string;
  state: HistoryState;
  /** Where in the history it is; 0 is the entry that the application was opened with. */
  index: number;
  /** Whether it is the second entry of the first page, or comes after that. */
  isDoubled: boolean;
}

/** How many entries are before this one. */
const placeOf = ({ index, isDoubled }: Entry): number => index + Number(isDoubled);

/** The parts of a window that a history needs. Tests have one of their own. */
export interface View {
  location: Pick<Location, 'pathname' | 'search' | 'hash'>;
  history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'go'>;
  addEventListener: (type: 'popstate', listener: () => void) => void;
}

/** Where the page would be left for. `isMove`: back or forward through the history, and not by a link or by the page itself. */
export type Leaving = Pick<Entry, 'href'> & { isMove: boolean };

/** Returns, perhaps after asking the user, whether the page may be left for another address. */
export type Blocker = (next: Leaving) => boolean | Promise<boolean>;

/** Reads the entry that the window is at. One that we didn't write, such as that of a link to `#main`, gets its place. */
const read = (view: View, index: number, isDoubled: boolean): Entry => {
  const { pathname, search, hash } = view.location;
  const kept = view.history.state as { index?: number; isDoubled?: boolean } | null;
  if (kept?.index === undefined) view.history.replaceState({ ...kept, index, isDoubled }, '');
  const { index: at = index, isDoubled: doubled = isDoubled, ...state } = kept ?? {};
  return { href: pathname + search + hash, state, index: at, isDoubled: doubled };
};

export type RouterHistory = ReturnType<typeof createHistory>;

/** The history of a window, with the place of each entry in it, and blockers, which are asked before the page is left. */
export const createHistory = (view: View = window) => {
  const blockers = new Set<Blocker>();
  /** The blockers that are layers over the page. */
  const layers = new Set<Blocker>();
  let notify = (): void => {};
  let entry = read(view, 0, false);
  const write = (how: 'pushState' | 'replaceState', { href, state, index, isDoubled }: Entry): void => {
    view.history[how]({ ...state, index, isDoubled }, '', href);
    entry = read(view, index, isDoubled);
  };
  /** Gives the first page a second entry, so that Back doesn't leave the application. Later, Back passes over the first entry. */
  const double = (): void => {
    if (entry.index === 0 && !entry.isDoubled) write('pushState', { ...entry, isDoubled: true });
  };
  const mayLeave = async (next: Leaving): Promise<boolean> => {
    // The layer on top first. Asking renders the page, which may put a blocker in place of another.
    const asked = [...blockers].reverse();
    for (const mayGo of asked) if (!(await mayGo(next))) return false;
    return true;
  };
  /** What the next move through the history is: one that was allowed, or one of ours, back to the page, after which this is called. */
  let move: 'allowed' | (() => void) | null = null;
  view.addEventListener('popstate', () => {
    const kind = move;
    move = null;
    if (typeof kind === 'function') return kind();
    const next = read(view, entry.index + 1, entry.isDoubled);
    const by = placeOf(next) - placeOf(entry);
    if (by < 0 && next.index === entry.index && layers.size === 0) {
      // If there is nothing before it, the page stays as it is.
      write('replaceState', { ...entry, isDoubled: false });
      return view.history.go(-1);
    }
    if (blockers.size === 0 || kind === 'allowed' || by === 0) {
      entry = next;
      return notify();
    }
    // The address stays that of the page while the user is asked, and a layer that writes its end into it must find its own entry.
    move = () =>
      void mayLeave({ href: next.href, isMove: true }).then((may) => {
        if (!may) return;
        move = 'allowed';
        view.history.go(by);
      });
    view.history.go(-by);
  });
  /** At once, unless the user has to be asked. */
  const navigate = async (href: string, state: HistoryState, by: 0 | 1): Promise<void> => {
    if (blockers.size > 0 && !(await mayLeave({ href, isMove: false }))) return;
    write(by ? 'pushState' : 'replaceState', { href, state, index: entry.index + by, isDoubled: entry.isDoubled });
    notify();
  };
  return {
    get location(): Entry {
      return entry;
    },
    push: (href: string, state: HistoryState = {}) => navigate(href, state, 1),
    replace: (href: string, state: HistoryState = {}) => navigate(href, state, 0),
    /** Writes the address of a page differently, without asking or telling anyone. */
    rewrite: (href: string, state: HistoryState): void => write('replaceState', { ...entry, href, state }),
    go: (by: number): void => view.history.go(by),
    back: (): void => view.history.go(-1),
    canGoBack: (): boolean => entry.index > 0,
    /** Calls `changed` whenever the window is at another entry. */
    follow: (changed: () => void): void => {
      notify = changed;
    },
    block: (blocker: Blocker, { isLayer = false } = {}): (() => void) => {
      blockers.add(blocker);
      if (isLayer) layers.add(blocker);
      if (isLayer) double();
      return () => {
        blockers.delete(blocker);
        layers.delete(blocker);
      };
    },
  };
};
