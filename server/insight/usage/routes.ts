import type { Logger } from 'pino';
import { TEAM_HEADER } from '#contract/constants.ts';
import { id } from '#contract/primitives.ts';
import { username as usernameSchema } from '#contract/users.ts';
import type { Config } from '#server/config.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { type Sessions, sessionCookieName } from '#server/people/access/session-user.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { perMinute } from '#server/platform/http/per-minute.ts';
import { trackUsage } from './events.ts';
import { insertClientError } from './queries.ts';

export interface UsageDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
  log: Logger;
  sessions: Sessions;
  config: Pick<Config, 'publicUrl'>;
}

/** Per user: a person causes a few, but a page failing in a loop, or a script, cannot fill the table, nor use up the limit of anyone else. */
const EVENTS_PER_MINUTE = 120;
/** Per IP address: enough for the browsers of a hospital behind one address, but a page failing in a loop cannot fill the table. */
const ERRORS_PER_MINUTE = 60;

/** Routes for usage events and browser errors. */
export function usageRoutes({ db, clock, log, sessions, config: { publicUrl } }: UsageDeps): RegisteredRoute[] {
  const mayTrack = perMinute(EVENTS_PER_MINUTE, clock);
  const mayReport = perMinute(ERRORS_PER_MINUTE, clock);
  const cookie = sessionCookieName(publicUrl);
  return [
    route('POST /api/user-events', ({ user, body, request }) => {
      if (!mayTrack(user.userId)) throw new ApiError('TOO_MANY_REQUESTS');
      const team = id.safeParse(request.headers[TEAM_HEADER]);
      return trackUsage(db, { ...user, teamId: team.success ? team.data : null }, body, clock());
    }),
    route('POST /api/user-events/public', ({ body, query }) => {
      const username = usernameSchema.safeParse(body.username ?? query.username ?? body.params['username']);
      if (!username.success) throw badField('username', 'Is missing.');
      return trackUsage(db, { userId: null, teamId: null, username: username.data }, body, clock());
    }),
    route('POST /api/client-errors', async ({ body, request }) => {
      if (!mayReport(request.ip)) throw new ApiError('TOO_MANY_REQUESTS');
      const token = request.cookies[cookie];
      const user = token ? await sessions.find(token, false) : null;
      const userId = user?.userId ?? null;
      const location = body.location.split(/[?#]/)[0] ?? '';
      const clientErrorId = await insertClientError(db, { ...body, location, userId }, clock());
      // The message may contain anything, so the log gets only the id of the report.
      log.warn({ clientErrorId, kind: body.kind, reqId: body.requestId, userId }, 'Error in a browser');
    }),
  ];
}
