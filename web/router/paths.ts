/** Patterns of paths: `$name` stands for one segment, `$` at the end for all that follow, also none. Case doesn't matter in the rest. */

/** The names of a pattern's parameters; `_splat` is what `$` at the end stands for. */
export type ParamName<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? ParamName<First> | ParamName<Rest>
  : Path extends '$'
    ? '_splat'
    : Path extends `$${infer Name}`
      ? Name
      : never;

export type ParamsOf<Path extends string> = Record<ParamName<Path>, string>;

/** Whether a path is that of a page, or of one below it. */
export const isWithin = (path: string, page: string): boolean => path === page || path.startsWith(`${page}/`);

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Sorts patterns. Where two first differ, a fixed segment comes before a parameter, and a parameter before the rest of the path. */
const orderOf = (segments: readonly string[]): string =>
  segments.map((segment) => (segment === '$' ? 2 : segment[0] === '$' ? 1 : 0)).join('');

const matched = (pattern: readonly string[], asked: readonly string[]): Record<string, string> | null => {
  const takesRest = pattern.at(-1) === '$';
  const fixed = takesRest ? pattern.slice(0, -1) : pattern;
  if (takesRest ? asked.length < fixed.length : asked.length !== fixed.length) return null;
  const params: Record<string, string> = {};
  for (const [at, segment] of fixed.entries()) {
    const text = asked[at] as string;
    if (segment[0] === '$') params[segment.slice(1)] = decoded(text);
    else if (segment !== text.toLowerCase()) return null;
  }
  if (takesRest) params['_splat'] = asked.slice(fixed.length).map(decoded).join('/');
  return params;
};

/** Returns a function that finds the route of a path, and its parameters; null if none fits. */
export const matcher = <T extends { path: string }>(routes: readonly T[]) => {
  const patterns = routes
    .map((route) => ({ route, segments: segmentsOf(route.path) }))
    .map((each) => ({ ...each, order: orderOf(each.segments) }))
    .toSorted((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)));
  return (path: string): { route: T; params: Record<string, string> } | null => {
    const asked = segmentsOf(path);
    for (const { route, segments } of patterns) {
      const params = matched(segments, asked);
      if (params) return { route, params };
    }
    return null;
  };
};

/** Resolves `to` as a browser does, except that it stays on this origin and that a path has no slash at the end. */
export const resolvePath = (to: string, from: string): { pathname: string; query: string; hash: string } => {
  try {
    const { origin, pathname, search, hash } = new URL(to.replace(/^[\\/]+/, '/'), `http://here${from}/`);
    // An address without an origin, such as `javascript:`, has no path.
    if (origin !== 'null') return { pathname: `/${segmentsOf(pathname).join('/')}`, query: search, hash };
  } catch {
    // No address at all.
  }
  return { pathname: '/', query: '', hash: '' };
};
