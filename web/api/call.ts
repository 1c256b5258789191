import { AFTER_HEADER, BACKGROUND_HEADER, PART_HEADER, TEAM_HEADER, WRITTEN_HEADER } from '#contract/constants.ts';
import type { ErrorKey } from '#contract/errors.ts';
import type { RouteAnswer, RouteInput, RouteKey } from '#contract/routes.ts';
import { reportError } from '../errors/report.ts';
import { isBackground } from './background.ts';
import { type ApiError, errorFrom, isUnavailable } from './error.ts';

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** Whether the page shows a part of a list while the server is loading the rest. */
  takesPart?: boolean;
}
type Input<K extends RouteKey> = unknown extends RouteInput<K> ? [] : [input: RouteInput<K> & Pick<Parts, 'takesPart'>];

let team: string | null = null;
let sessionEnded: () => void = () => {};
let unavailable: () => void = () => {};
let askIdentity = async (): Promise<boolean> => false;
/** The latest transaction of this page: later searches wait until the read model includes it. */
let written: string | null = null;

/** A live event may reach the page before the read model has the change, so calls made within this time wait for it. In milliseconds. */
const EVENT_IS_RECENT = 5000;
let lastEventAt = Number.NEGATIVE_INFINITY;
/** Makes the next calls wait for the change that a live event has just announced. */
export const noteLiveEvent = (): void => {
  lastEventAt = Date.now();
};
const after = (): string | null => (Date.now() - lastEventAt < EVENT_IS_RECENT ? 'now' : written);

const noteWritten = (xid: string | null): void => {
  if (xid !== null && (written === null || BigInt(xid) > BigInt(written))) written = xid;
};

/** Makes every later call for this team. */
export const callForTeam = (teamId: string | null): void => {
  team = teamId;
};
/** Sets what happens when an answer says that the session has ended. */
export const onSessionEnded = (then: () => void): void => {
  sessionEnded = then;
};

/** Sets what happens when the server, or the way to it, is down. */
export const onUnavailable = (then: () => void): void => {
  unavailable = then;
};

/** Sets who asks users to confirm who they are, and returns whether they did. */
export const onIdentityNeeded = (ask: () => Promise<boolean>): void => {
  askIdentity = ask;
};

/** Returns the path of a route with its parameters filled in, and its query. */
export const pathOf = (route: RouteKey, { params = {}, query = {} }: Parts): string => {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (each === undefined ? [] : [[name, String(each)]])),
  );
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
};

/** Returns the headers that every call carries. */
export const teamHeaders = (): Record<string, string> => (team ? { [TEAM_HEADER]: team } : {});

/** A refused sign-in is an ordinary answer, not an error of the page. */
const isSignIn = (route: RouteKey): boolean => route.startsWith('POST /api/authenticate');

/** Refusals that lead the user to the next step. */
const AWAITED: ReadonlySet<ErrorKey> = new Set([
  'PASSWORD_CHANGE_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
  'REAUTHENTICATION_REQUIRED',
]);

/**
 * Ends the session on a 401, leads to the error page on a 502 or 503, and reports every other unexpected failure. A server that is only busy
 * (BUSY), and a call that the user didn't make, fail where they were made.
 */
export const actOnError = (error: ApiError, route: RouteKey, isOfUser = true): void => {
  const { status, errorKey, requestId } = error;
  if (status === 401) {
    // GET /api/me answers 401 when signed out; and a wrong password or code is a 401 too. Neither ends a session.
    if (route === 'GET /api/me' || isSignIn(route) || (errorKey !== 'NOT_SIGNED_IN' && errorKey !== 'INTERNAL')) return;
    reportError('api_unauthenticated', route, requestId);
    sessionEnded();
  } else if (isUnavailable(error)) {
    if (isOfUser && errorKey !== 'BUSY') unavailable();
  } else if (!AWAITED.has(errorKey)) reportError('api_call_failed', `${route} ${errorKey}`, requestId);
};

/**
 * Calls a route of the contract for the selected team, again once the user has confirmed who they are, if the route asks for that. Throws ApiError if the answer is not 2xx, TypeError if
 * there is none.
 */
export const call = async <K extends RouteKey>(route: K, ...[input]: Input<K>): Promise<RouteAnswer<K>> => {
  const parts = (input ?? {}) as Parts;
  const isOfUser = !isBackground();
  const answer = await fetch(pathOf(route, parts), {
    method: route.slice(0, route.indexOf(' ')),
    credentials: 'same-origin',
    headers: {
      ...teamHeaders(),
      ...(after() === null ? {} : { [AFTER_HEADER]: after() ?? '' }),
      ...(isOfUser ? {} : { [BACKGROUND_HEADER]: '1' }),
      ...(parts.takesPart ? { [PART_HEADER]: '1' } : {}),
      ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
  });
  noteWritten(answer.headers.get(WRITTEN_HEADER));
  const text = await answer.text();
  if (!answer.ok) {
    const error = errorFrom(answer.status, answer.statusText, text);
    actOnError(error, route, isOfUser);
    if (error.errorKey === 'REAUTHENTICATION_REQUIRED' && (await askIdentity()))
      return call(route, ...([input] as Input<K>));
    throw error;
  }
  return (text ? JSON.parse(text) : undefined) as RouteAnswer<K>;
};
