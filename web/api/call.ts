import { AFTER_HEADER, BACKGROUND_HEADER, TEAM_HEADER, WRITTEN_HEADER } from '#contract/constants.ts';
import type { RouteAnswer, RouteInput, RouteKey } from '#contract/routes.ts';
import { reportError } from '../errors/report.ts';
import { isBackground } from './background.ts';
import { type ApiError, errorFrom } from './error.ts';

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}
type Input<K extends RouteKey> = unknown extends RouteInput<K> ? [] : [input: RouteInput<K>];

let team: string | null = null;
let sessionEnded: () => void = () => {};
/** The last transaction of ours that changed something: what is asked from now on knows of it. */
let written: string | null = null;

/** The read model may hear of a change a moment after the page did: what is asked soon after an event waits for it. */
const HEARD_LATELY = 5000;
let heardAt = Number.NEGATIVE_INFINITY;
/** A live event came: the next calls want to see what it tells of. */
export const noteHeard = (): void => {
  heardAt = Date.now();
};
const after = (): string | null => (Date.now() - heardAt < HEARD_LATELY ? 'now' : written);

const noteWritten = (xid: string | null): void => {
  if (xid !== null && (written === null || BigInt(xid) > BigInt(written))) written = xid;
};

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

/** Where a failure of any kind shows itself as the answer, and is none of the page's. */
const isSignIn = (route: RouteKey): boolean => route.startsWith('POST /api/authenticate');

/** Acts on, and reports, the answers that mean the same for every call (specification, "Responses"). */
export const actOnError = (error: ApiError, route: RouteKey): void => {
  const { status, errorKey, requestId } = error;
  if (status === 401) {
    // On the current-user call it only says that nobody is signed in; otherwise a wrong password or code is one too.
    if (route === 'GET /api/me' || isSignIn(route) || (errorKey !== 'NOT_SIGNED_IN' && errorKey !== 'INTERNAL')) return;
    reportError('api_unauthenticated', route, requestId);
    sessionEnded();
  } else if ((status === 502 || status === 503) && errorKey !== 'EMAIL_NOT_SENT') {
    if (location.pathname !== '/error') location.assign('/error');
  } else if (errorKey !== 'PASSWORD_CHANGE_REQUIRED') reportError('api_call_failed', `${route} ${errorKey}`, requestId);
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
    headers: {
      ...teamHeaders(),
      ...(after() === null ? {} : { [AFTER_HEADER]: after() ?? '' }),
      ...(isBackground() ? { [BACKGROUND_HEADER]: '1' } : {}),
      ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
  });
  noteWritten(answer.headers.get(WRITTEN_HEADER));
  const text = await answer.text();
  if (!answer.ok) {
    const error = errorFrom(answer.status, answer.statusText, text);
    actOnError(error, route);
    throw error;
  }
  return (text ? JSON.parse(text) : undefined) as RouteAnswer<K>;
};
