import { TEAM_HEADER } from '#contract/constants.ts';
import type { ErrorKey } from '#contract/errors.ts';
import type { RouteAnswer, RouteInput, RouteKey } from '#contract/routes.ts';
import { errorFrom } from './error.ts';

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}
type Input<K extends RouteKey> = unknown extends RouteInput<K> ? [] : [input: RouteInput<K>];

let team: string | null = null;
let sessionEnded: () => void = () => {};

/** Every later call is made for this team. */
export const callForTeam = (teamId: string | null): void => {
  team = teamId;
};
/** What happens when a call is told that the session has ended. */
export const onSessionEnded = (then: () => void): void => {
  sessionEnded = then;
};

/** The path of a route with its parameters filled in, and its query. */
export const pathOf = (route: RouteKey, { params = {}, query = {} }: Parts): string => {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
};

/** The headers that each call carries. */
export const teamHeaders = (): Record<string, string> => (team ? { [TEAM_HEADER]: team } : {});

/** Acts on the statuses that mean the same for every call (specification, "Responses"). */
export const actOnStatus = (status: number, route: RouteKey, errorKey: ErrorKey = 'NOT_SIGNED_IN'): void => {
  // A 401 on the current-user call only says that nobody is signed in; one with another key is about a password or a code.
  if (status === 401 && errorKey === 'NOT_SIGNED_IN' && route !== 'GET /api/me' && route !== 'POST /api/authenticate')
    sessionEnded();
  if ((status === 502 || status === 503) && location.pathname !== '/error') location.assign('/error');
};

/**
 * Calls a route of the contract for the selected team. Throws ApiError for an answer that is not 2xx, TypeError where no
 * answer came.
 */
export const call = async <K extends RouteKey>(route: K, ...[input]: Input<K>): Promise<RouteAnswer<K>> => {
  const parts = (input ?? {}) as Parts;
  const answer = await fetch(pathOf(route, parts), {
    method: route.slice(0, route.indexOf(' ')),
    credentials: 'same-origin',
    headers: { ...teamHeaders(), ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
  });
  const text = await answer.text();
  if (!answer.ok) {
    const error = errorFrom(answer.status, answer.statusText, text);
    actOnStatus(answer.status, route, answer.status === 401 && error.requestId === null ? undefined : error.errorKey);
    throw error;
  }
  return (text ? JSON.parse(text) : undefined) as RouteAnswer<K>;
};
