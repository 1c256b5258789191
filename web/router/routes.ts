import type { ComponentType } from 'react';
import type { HistoryState } from './history.ts';
import type { ParamsOf } from './paths.ts';
import type { Search } from './search.ts';

/** An address of the application. */
export interface ParsedLocation {
  /** The address without the origin. */
  href: string;
  pathname: string;
  search: Search;
  /** The query as text, with its question mark; empty without one. */
  searchStr: string;
  /** Without the `#`. */
  hash: string;
  state: HistoryState;
}

/** Where to go. */
export interface Destination {
  /** A path, with a query if `search` isn't given; `.` is the current path, `../name` a path beside it. */
  to: string;
  search?: object;
  /** What the entry of the history keeps; `true` keeps what there is. Without it, nothing. */
  state?: HistoryState | true;
  /** Takes the place of the current entry of the history. */
  replace?: boolean;
}

/** A component. `preload` loads its code, if it has code of its own, before it is first shown. */
export type PageComponent = ComponentType & { preload?: () => Promise<unknown> };

export interface Requested<Path extends string = string> {
  location: ParsedLocation;
  search: Search;
  params: ParamsOf<Path>;
}

interface Parts<Path extends string> {
  /** Runs before anything of the page loads; throws `redirect()` or `notFound()` to refuse. Parents come first. */
  beforeLoad?: (requested: Requested<Path>) => Promise<void> | void;
  /** Runs when the page is about to be opened, or perhaps will be. */
  loader?: (requested: Requested<Path>) => void;
  /** Called each time the page appears, or the frame of pages. */
  onEnter?: (requested: Requested<Path>) => void;
  component?: PageComponent;
  /** Returns the query as it should be; the URL is rewritten if it is another one. */
  validateSearch?: (raw: Search) => object;
}

/** A frame around pages. */
export interface Frame extends Parts<string> {
  parent: Frame | null;
  /** Shown while a page or frame in it loads. */
  pendingPage?: ComponentType;
}

/** A page, with the pattern of its whole path. */
export interface Route extends Parts<string> {
  parent: Frame;
  path: string;
}

/** Returns a page. Its functions know the parameters in its path. */
export const createRoute = <const Path extends string>(route: Parts<Path> & { parent: Frame; path: Path }): Route =>
  route as Parts<string> as Route;

/** Thrown to go elsewhere; takes the place of the entry in the history. */
export class Redirect {
  readonly to: Destination;
  constructor(to: Destination) {
    this.to = to;
  }
}
export const redirect = (to: Omit<Destination, 'replace'>): Redirect => new Redirect({ ...to, replace: true });

/** Thrown to show, in place of the page, that there is none. */
export class NotFound {
  readonly data: unknown;
  constructor(data: unknown) {
    this.data = data;
  }
}
export const notFound = ({ data }: { data?: unknown } = {}): NotFound => new NotFound(data);
