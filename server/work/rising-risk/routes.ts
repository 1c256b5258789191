import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { organizationRules } from '#server/work/patients/organization-rules.ts';
import { previewRule } from './preview.ts';

/** `db`: the app role's. */
export function risingRiskRoutes({ db, clock }: { db: Database; clock: Clock }): RegisteredRoute[] {
  return [
    route('GET /api/rising-risk/rule', ({ actor }) =>
      asActor(
        db,
        actor,
        'canViewRiskingRisk',
        async (tx) => {
          const { riskRule, isDefaultRisk } = await organizationRules(tx);
          return { rule: riskRule, isDefault: isDefaultRisk };
        },
        { readOnly: true },
      ),
    ),
    route('POST /api/rising-risk/preview', ({ actor, body }) => {
      if (!actor.can('canViewRiskingRisk')) throw new ApiError('NOT_PERMITTED');
      return previewRule(db, actor, body, clock());
    }),
  ];
}
