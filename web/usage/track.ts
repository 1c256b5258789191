import type { Me } from '#contract/accounts.ts';
import type { UsageEvent, UsageEventParams } from '#contract/usage.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { locationOf } from './locations.ts';

type Name = UsageEvent['name'];
interface Extra<N extends Name> {
  params?: UsageEventParams<N>;
  routes?: string[];
  /** For those who are not signed in: from the address, or what was typed. */
  username?: string | null;
}
/** What could not be told yet, across a reload: the server was not there, or nobody had signed in. Ids and codes only. */
const WAITING = 'tidings-usage-waiting';
const MOST_WAITING = 20;

let username: string | null = null;
let current: string | null = null;
let previous: string | null = null;
let lastAt: number | null = null;
/** A link in a notification names it in the address. */
let notification: Pick<UsageEvent, 'notificationUuid' | 'notificationModality'> = {};

const waiting = (): UsageEvent[] => {
  try {
    return JSON.parse(sessionStorage.getItem(WAITING) ?? '[]') as UsageEvent[];
  } catch {
    return [];
  }
};
const keepWaiting = (events: UsageEvent[]): void => {
  try {
    sessionStorage.setItem(WAITING, JSON.stringify(events.slice(-MOST_WAITING)));
  } catch {
    // Storage is blocked: these events are lost, which nobody's work depends on.
  }
};

/** The event as the server takes it: where, since when, on what. */
const eventOf = <N extends Name>(name: N, { params, routes, username: typed }: Extra<N>): UsageEvent => {
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
    username: username ?? typed ?? null,
    params: { ...params },
  };
};

const send = async (event: UsageEvent): Promise<void> => {
  try {
    if (username) await inBackground(() => call('POST /api/user-events', { body: { ...event, username } }));
    else if (event.username)
      await call('POST /api/user-events/public', { body: { ...event, username: event.username } });
    else keepWaiting([...waiting(), event]);
  } catch (error) {
    // No answer: later. An answer that refuses is final.
    if (error instanceof TypeError) keepWaiting([...waiting(), event]);
  }
};

/** Records that somebody used something; what nobody can be named for waits for the next sign-in. Never throws. */
export const track = <N extends Name>(name: N, extra: Extra<N> = {}): void => void send(eventOf(name, extra));

/** Somebody is signed in: what waited, and is nobody else's, is sent, and a login event, once (a change of team is none). */
export const trackLogin = ({ user, previousSuccessfulLogin, numberSuccessfulLogins, mfaOptedIn }: Me): void => {
  if (username === user.username) return;
  username = user.username;
  const events = waiting();
  keepWaiting([]);
  // On a shared machine it may be what somebody else did.
  for (const event of events) if ((event.username ?? username) === username) void send(event);
  const params = { lastLogin: previousSuccessfulLogin, isFirstLogin: numberSuccessfulLogins <= 1, mfaOptedIn };
  track('login', { params });
};

/** Follows where the user is; another place is an event. */
export const trackPath = (path: string, search = ''): void => {
  const query = new URLSearchParams(search);
  const uuid = query.get('notificationUuid');
  notification = uuid ? { notificationUuid: uuid, notificationModality: query.get('notificationModality') } : {};
  if (path === '/login') username = null;
  const location = locationOf(path);
  if (location === current) return;
  previous = current;
  current = location;
  if (location) track('page-viewed');
};
