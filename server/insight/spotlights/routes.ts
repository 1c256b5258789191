import { SPOTLIGHTS } from '#contract/spotlights.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { groupNames } from './group-names.ts';
import { peopleBehind, readSpotlight } from './spotlight.ts';

export interface SpotlightsDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
}

/** Routes of the spotlights. */
export function spotlightsRoutes({ db, clock }: SpotlightsDeps): RegisteredRoute[] {
  return [
    route('GET /api/spotlights', async ({ actor }) => ({
      spotlights: [...SPOTLIGHTS],
      groups: await groupNames(db, actor),
    })),
    route('GET /api/spotlights/:subName', ({ actor, params, query }) => {
      checkGroup(actor, query.groupId);
      return readSpotlight({ db, actor, now: clock() }, { name: params.subName, ...query });
    }),
    route('GET /api/spotlights/:subName/patients', ({ actor, params, query }) => {
      checkGroup(actor, query.groupId);
      const { onlyHits, ...rest } = query;
      return peopleBehind(
        { db, actor, now: clock() },
        { name: params.subName, ...rest, onlyHits: onlyHits === 'true' },
      );
    }),
  ];
}

/** A group that doesn't exist and one of others are answered the same. */
function checkGroup(actor: Actor, groupId: string | undefined): void {
  if (groupId !== undefined && !actor.groupsWith('canViewSpotlights').includes(groupId))
    throw new ApiError('NOT_FOUND');
}
