import { type ComponentType, createElement, type ReactElement } from 'react';
import type { HistoryState, RouterHistory } from './history.ts';
import { matcher, resolvePath } from './paths.ts';
import { type Destination, type Frame, NotFound, type ParsedLocation, Redirect, type Route } from './routes.ts';
import { formatSearch, parseSearch } from './search.ts';

/** A frame or a page on the screen, or what is in its place. */
export interface Match {
  route: Frame | Route;
  status: 'ready' | 'pending' | 'notFound' | 'error';
  element: ReactElement | null;
}

/** What is shown: the frames from the outside in, and the page. */
export interface Screen {
  location: ParsedLocation;
  params: Record<string, string>;
  matches: readonly Match[];
}

interface Options {
  routes: readonly Route[];
  history: RouterHistory;
  notFoundComponent: ComponentType<{ data?: unknown }>;
  errorComponent: ComponentType<{ error?: unknown }>;
  /** After how long something pending takes the place of the page before, in milliseconds. */
  pendingMs: number;
}

const branchOf = (route: Route | Frame): (Route | Frame)[] =>
  route.parent ? [...branchOf(route.parent), route] : [route];

/** What is shown while a page or frame loads. */
export const pendingOf = (route: Route | Frame): ComponentType | undefined => {
  for (let frame = route.parent; frame; frame = frame.parent) if (frame.pendingPage) return frame.pendingPage;
  return undefined;
};

const elementOf = (component: ComponentType | undefined): ReactElement | null =>
  component ? createElement(component) : null;

const isReady = ({ status }: Match): boolean => status === 'ready';

const isSame = (one: HistoryState, other: HistoryState): boolean => JSON.stringify(one) === JSON.stringify(other);

const START: ParsedLocation = { href: '', pathname: '/', search: {}, searchStr: '', hash: '', state: {} };

/** Leads from addresses to pages: their guards first, and then, once its code is there, the page. */
export class Router {
  readonly history: RouterHistory;
  readonly options: Options;
  /** The location that was asked for last. */
  location: ParsedLocation;
  screen: Screen;
  readonly #find: ReturnType<typeof matcher<Route>>;
  readonly #listeners = new Set<() => void>();
  readonly #resolved = new Set<(location: ParsedLocation) => void>();
  /** How many locations have been asked for: a load that isn't the latest one is over. */
  #loads = 0;
  #loading: Promise<void> | null = null;
  /** Shows that the location is pending. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.options = options;
    this.history = options.history;
    this.#find = matcher(options.routes);
    this.location = this.#here(START);
    this.screen = { location: this.location, params: {}, matches: [] };
    this.history.follow(() => void this.load());
  }

  get isIdle(): boolean {
    return this.#loading === null;
  }

  /** Calls a listener whenever another location is asked for or something else is shown. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Calls a listener with each location once it is shown. */
  onResolved = (listener: (location: ParsedLocation) => void): (() => void) => {
    this.#resolved.add(listener);
    return () => void this.#resolved.delete(listener);
  };

  /** Returns the location that a destination leads to, with the query as its page writes it. */
  locate = ({ to, search, state }: Destination, from = this.location): ParsedLocation => {
    const { pathname, query, hash } = resolvePath(to, from.pathname);
    const raw = search ? formatSearch(search) : query;
    const validate = this.#find(pathname)?.route.validateSearch;
    const searchStr = validate ? formatSearch(validate(parseSearch(raw))) : raw;
    return {
      href: pathname + searchStr + hash,
      pathname,
      // The same values stay the same object, so that what depends on them isn't made again.
      search: searchStr === from.searchStr ? from.search : parseSearch(searchStr),
      searchStr,
      hash: hash.slice(1),
      state: state === true ? from.state : (state ?? {}),
    };
  };

  /** Resolves when the destination is shown, or what it leads to. */
  navigate = async (to: Destination): Promise<void> => {
    const { href, state } = this.locate(to);
    if (href === this.location.href && isSame(state, this.location.state)) return this.load();
    await this.history[to.replace ? 'replace' : 'push'](href, state);
    return this.#latest();
  };

  /** Opens the page of the address, with its guards: also again, if it is open. */
  load = (): Promise<void> => {
    clearTimeout(this.#timer);
    this.location = this.#here(this.location);
    const { href, state } = this.location;
    if (href !== this.history.location.href) this.history.rewrite(href, state);
    this.#loading = this.#open(this.location, ++this.#loads);
    this.#emit();
    return this.#loading;
  };

  /** Opens the page of the address, once. */
  start = (): void => {
    if (this.#loads === 0) void this.load();
  };

  /** Loads what a destination needs. */
  preload = (to: Destination): void => {
    const location = this.locate(to);
    const found = this.#find(location.pathname);
    if (!found) return;
    void found.route.component?.preload?.();
    found.route.loader?.({ location, search: location.search, params: found.params });
  };

  #emit(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Where the history is. */
  #here(from: ParsedLocation): ParsedLocation {
    const { href, state } = this.history.location;
    return this.locate({ to: href, state }, from);
  }

  #latest(): Promise<void> | undefined {
    return this.#loading ?? undefined;
  }

  #show(screen: Screen): void {
    const before = this.screen.matches;
    this.screen = screen;
    this.#emit();
    const { location, params } = screen;
    const isNew = ({ route }: Match): boolean => !before.some((match) => match.route === route && isReady(match));
    for (const match of screen.matches.filter(isReady).filter(isNew))
      match.route.onEnter?.({ location, search: location.search, params });
  }

  /** Returns the match of a route: the one on the screen if it is the same, so that it isn't rendered again. */
  #ready = (route: Frame | Route, at: number): Match => {
    const shown = this.screen.matches[at];
    if (shown?.route === route && shown.status === 'ready') return shown;
    return { route, status: 'ready', element: elementOf(route.component) };
  };

  /** Runs a location's guards, then shows it. If another location is requested before they end, that one is shown instead. */
  async #open(location: ParsedLocation, load: number): Promise<void> {
    const found = this.#find(location.pathname);
    const branch = found ? branchOf(found.route) : [];
    const params = found?.params ?? {};
    const isOver = (): boolean => load !== this.#loads;
    // Code comes while the guards ask.
    for (const { component } of branch) void component?.preload?.();
    let passed = 0;
    let refused: Match[] = [];
    let isLate = false;
    this.#timer = setTimeout(() => {
      isLate = true;
      this.#showPending(location, params, branch, passed);
    }, this.options.pendingMs);
    try {
      for (const route of branch) {
        await route.beforeLoad?.({ location, search: location.search, params });
        if (isOver()) return this.#latest();
        passed += 1;
      }
      found?.route.loader?.({ location, search: location.search, params });
      if (isLate) this.#showPending(location, params, branch, passed);
    } catch (thrown) {
      if (isOver()) return this.#latest();
      if (thrown instanceof Redirect) {
        const { href, state } = this.locate(thrown.to);
        this.history.rewrite(href, state);
        return this.load();
      }
      refused = [this.#refused(branch[passed] as Frame | Route, thrown)];
    }
    const shown = branch.slice(0, passed);
    for (const { component } of shown) await component?.preload?.();
    if (isOver()) return this.#latest();
    clearTimeout(this.#timer);
    this.#loading = null;
    this.#show({ location, params, matches: [...shown.map(this.#ready), ...refused] });
    if (!location.hash) window.scrollTo(0, 0);
    for (const resolved of this.#resolved) resolved(location);
  }

  /** Shows the frames that are ready, and in the first one that isn't, that it is pending. */
  #showPending(
    location: ParsedLocation,
    params: Screen['params'],
    branch: readonly (Frame | Route)[],
    passed: number,
  ): void {
    const shown = this.screen.matches;
    const at = branch.findIndex(
      (route, index) => (index >= passed && shown[index]?.route !== route) || route.component?.preload !== undefined,
    );
    const route = branch[at];
    if (!route) return;
    const pending: Match = { route, status: 'pending', element: elementOf(pendingOf(route)) };
    this.#show({ location, params, matches: [...branch.slice(0, at).map(this.#ready), pending] });
  }

  #refused(route: Frame | Route, thrown: unknown): Match {
    const { notFoundComponent, errorComponent } = this.options;
    return thrown instanceof NotFound
      ? { route, status: 'notFound', element: createElement(notFoundComponent, { data: thrown.data }) }
      : { route, status: 'error', element: createElement(errorComponent, { error: thrown }) };
  }
}
