import type { Me } from '#contract/accounts.ts';
import type { UsageEvent, UsageEventName, UsageEventParams } from '#contract/usage.ts';
import { locationOf } from '#contract/usage-locations.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';

interface Extra<N extends UsageEventName> {
  params?: UsageEventParams<N>;
  routes?: string[];
  /** For an event before sign-in: from the address, or as typed. */
  username?: string | null;
}
/** Events that could not be sent yet (no server, or nobody signed in), kept across a reload. They contain ids and codes only. */
const WAITING = 'tidings-usage-waiting';
const MAX_WAITING = 20;

let username: string | null = null;
let current: string | null = null;
let previous: string | null = null;
let lastAt: number | null = null;
/** The notification whose link was followed; the address names it. */
let notification: Pick<UsageEvent, 'notificationUuid' | 'notificationModality'> = {};
/** That of a link which is about to lead to another page. */
let followed: typeof notification | null = null;

const waiting = (): UsageEvent[] => {
  try {
    return JSON.parse(sessionStorage.getItem(WAITING) ?? '[]') as UsageEvent[];
  } catch {
    return [];
  }
};
const keepWaiting = (events: UsageEvent[]): void => {
  try {
    sessionStorage.setItem(WAITING, JSON.stringify(events.slice(-MAX_WAITING)));
  } catch {
    // Storage is blocked: the events are lost, which is acceptable.
  }
};

/** Returns the event in the form that the server accepts. */
const eventOf = <N extends UsageEventName>(name: N, { params, routes, username: given }: Extra<N>): UsageEvent => {
  const now = Date.now();
  const elapsed = lastAt === null ? null : Math.max(0, now - lastAt);
  lastAt = now;
  return {
    name,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    currentLocation: current,
    previousLocation: previous,
    msElapsedSinceLastEvent: elapsed,
    viewportResolution: `${window.innerWidth}x${window.innerHeight}`,
    ...notification,
    routes: routes ?? null,
    username: username ?? given ?? null,
    params: { ...params },
  };
};

const send = async (event: UsageEvent): Promise<void> => {
  try {
    if (username) await inBackground(() => call('POST /api/user-events', { body: { ...event, username } }));
    else if (event.username)
      await call('POST /api/user-events/public', { query: {}, body: { ...event, username: event.username } });
    else keepWaiting([...waiting(), event]);
  } catch (error) {
    // Without an answer the event is sent later; a refusal is final.
    if (error instanceof TypeError) keepWaiting([...waiting(), event]);
  }
};

/** Sends a usage event; without a username it waits for the next sign-in. Never throws. */
export const track = <N extends UsageEventName>(name: N, extra: Extra<N> = {}): void => void send(eventOf(name, extra));

/** Sends the waiting events and a login event. A change of team is not a login. */
export const trackLogin = ({ user, previousSuccessfulLogin, numberSuccessfulLogins, mfaOptedIn }: Me): void => {
  if (username === user.username) return;
  username = user.username;
  const events = waiting();
  keepWaiting([]);
  // On a shared computer they may be another user's, which are dropped.
  for (const event of events) if ((event.username ?? username) === username) void send(event);
  const params = { lastLogin: previousSuccessfulLogin, isFirstLogin: numberSuccessfulLogins <= 1, mfaOptedIn };
  track('login', { params });
};

/** Notes the notification whose link leads to the next page. */
export const noteNotification = (notificationUuid: string, notificationModality: string | null): void => {
  followed = { notificationUuid, notificationModality };
};

/** What waits for the first page to be known; null once it is. */
let waitingForPage: (() => void)[] | null = [];
/** Runs something once the page is known on which it happens. */
export const whenPageIsKnown = (run: () => void): void => {
  if (waitingForPage) waitingForPage.push(run);
  else run();
};

/** Sets the current location, and sends an event when it changes. */
export const trackPath = (path: string, search = ''): void => {
  setPath(path, search);
  const waited = waitingForPage ?? [];
  waitingForPage = null;
  for (const run of waited) run();
};

const setPath = (path: string, search: string): void => {
  const query = new URLSearchParams(search);
  const uuid = query.get('notificationUuid');
  notification =
    followed ?? (uuid ? { notificationUuid: uuid, notificationModality: query.get('notificationModality') } : {});
  followed = null;
  if (path === '/login') username = null;
  const location = locationOf(path);
  if (location === current) return;
  previous = current;
  current = location;
  if (location) track('page-viewed');
};
