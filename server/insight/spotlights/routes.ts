import type { z } from 'zod';
import { SPOTLIGHTS, type spotlightQuery } from '#contract/spotlights.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { callAt, type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import type { SearchPool } from '#server/work/search/search-threads.ts';
import { type CustomContext, changeCustom, createCustom, deleteCustom, listCustom } from './custom.ts';
import { embeddedPage } from './embedded-page.ts';
import { peopleFoundBy } from './found-people.ts';
import { groupNames } from './group-names.ts';
import { type Period, quarterBefore } from './periods.ts';
import { peopleBehind, readSpotlight } from './spotlight.ts';

type SpotlightQuery = z.infer<typeof spotlightQuery>;

export interface SpotlightsDeps {
  /** Connected as the app role. */
  db: Database;
  pool: SearchPool;
  clock: Clock;
  /** Hosts whose pages may be embedded. */
  embedHosts?: readonly string[];
}

/** Routes of the spotlights. */
export function spotlightsRoutes({ db, pool, clock, embedHosts = [] }: SpotlightsDeps): RegisteredRoute[] {
  const callOf = callAt(clock);
  const by = (context: Parameters<typeof callOf>[0]): CustomContext => ({ db, ...callOf(context) });
  const questionOf = async <T extends SpotlightQuery>(actor: Actor, { filterId, ...query }: T) => {
    checkGroup(actor, query.groupId);
    const personIds = filterId === undefined ? null : await peopleFoundBy({ db, pool }, actor, filterId, clock());
    return { ...query, ...periodOf(query, localDateOf(clock().getTime(), actor.timeZone)), personIds };
  };
  return [
    route('GET /api/spotlights', async ({ actor }) => ({
      spotlights: [...SPOTLIGHTS],
      groups: await groupNames(db, actor),
    })),
    route('GET /api/spotlights/custom', ({ actor }) => listCustom({ db, actor })),
    route('POST /api/spotlights/custom', (call) => createCustom(by(call), call.body)),
    route('PUT /api/spotlights/custom/:id', (call) => changeCustom(by(call), call.params.id, call.body)),
    route('DELETE /api/spotlights/custom/:id', (call) => deleteCustom(by(call), call.params.id)),
    route('GET /api/spotlights/embedded', async ({ actor }) => ({ url: await embeddedPage(db, actor, embedHosts) })),
    route('GET /api/spotlights/:subName', async ({ actor, params, query }) => {
      const question = await questionOf(actor, query);
      return readSpotlight({ db, actor, now: clock() }, { name: params.subName, ...question });
    }),
    route('GET /api/spotlights/:subName/patients', async ({ actor, params, query }) => {
      const { onlyHits, ...question } = await questionOf(actor, query);
      return peopleBehind(
        { db, actor, now: clock() },
        { name: params.subName, ...question, onlyHits: onlyHits === 'true' },
      );
    }),
  ];
}

/** The days that were asked for, or the last whole quarter, which the page shows first. */
function periodOf({ from, to, calendar }: SpotlightQuery, today: string): Period & Pick<SpotlightQuery, 'calendar'> {
  if (from !== undefined && to !== undefined) return { from, to, calendar };
  if (from !== undefined) throw badField('to', 'Choose a date.');
  if (to !== undefined) throw badField('from', 'Choose a date.');
  return { ...quarterBefore(today), calendar: 'QUARTER' };
}

/** A group that doesn't exist and one of others are answered the same. */
function checkGroup(actor: Actor, groupId: string | undefined): void {
  if (groupId !== undefined && !actor.groupsWith('canViewSpotlights').includes(groupId))
    throw new ApiError('NOT_FOUND');
}
