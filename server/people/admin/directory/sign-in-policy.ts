import type { RouteAnswer, RouteInput } from '#contract/routes.ts';
import type { Config } from '#server/config.ts';
import type { Actor, ActorCall } from '#server/people/access/actor.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import { isUsable, signedInElsewhere } from '#server/people/sso/queries.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { checkCoversAll } from '../admin-scope.ts';
import { administer, readAsAdmin } from '../administer.ts';
import { oneRow } from './one-row.ts';

type Policy = RouteAnswer<'GET /api/admin/sign-in-policy'>;
type Rules = RouteInput<'PUT /api/admin/sign-in-policy'>['body'];

/** Returns how people of the administrator's organization sign in, and for how long. */
export function signInPolicy(
  db: Database,
  actor: Actor,
  { isProduction, sessionHours }: Pick<Config, 'isProduction' | 'sessionHours'>,
): Promise<Policy> {
  return readAsAdmin(db, actor, async (tx, { organizationId }) => ({
    ...(await rulesOf(tx, organizationId)),
    ...(await reachOf(tx, organizationId)),
    requiresOfAdministrators: isProduction,
    mostSessionHours: sessionHours,
  }));
}

const rulesOf = (db: Queryable, organizationId: string): Promise<Rules> =>
  oneRow(
    db,
    sql`select requires_second_factor as "requiresSecondFactor", requires_sso as "requiresSso", session_hours as "sessionHours",
        inactivity_minutes as "inactivityMinutes"
      from organizations where id = ${organizationId}`,
  );

/** Whether single sign-on could be demanded, and of whom it would be too much. */
const reachOf = (db: Queryable, organizationId: string): Promise<Pick<Policy, 'withoutSso' | 'hasSso'>> =>
  oneRow(
    db,
    sql`select exists (
        select from sso_connections c where c.organization_id = ${organizationId} and ${isUsable}) as "hasSso",
      (select count(*)::int from users u
        where u.organization_id = ${organizationId} and u.disabled_at is null and not u.is_operator
          and not ${signedInElsewhere}) as "withoutSso"`,
  );

/**
 * Decides it, from each user's next sign-in on; a shorter session also ends those that have lasted longer. It concerns every account, so it
 * throws NOT_PERMITTED unless the administrator manages all groups of the organization. Single sign-on can be demanded only where an identity
 * provider is enabled and has a verified domain (BAD_REQUEST), and signs in someone who manages users (LAST_ADMINISTRATOR). A session cannot last
 * longer than the installation lets it (BAD_REQUEST).
 */
export function changeSignInPolicy(
  { db, sessionHours: mostHours }: { db: Database } & Pick<Config, 'sessionHours'>,
  call: ActorCall,
  rules: Rules,
): Promise<void> {
  return administer(db, call, async ({ tx, scope, audit }) => {
    const message = 'Only an administrator who manages every group of the organization can change how people sign in.';
    await checkCoversAll(tx, scope, message);
    const { organizationId } = scope;
    const before = await rulesOf(tx, organizationId);
    const changes = changedValues(before, rules, [
      'requiresSecondFactor',
      'requiresSso',
      'sessionHours',
      'inactivityMinutes',
    ]);
    if (Object.keys(changes).length === 0) return;
    if ('sessionHours' in changes && (rules.sessionHours ?? 0) > mostHours) {
      const message = `Enter ${mostHours} hours at most: no session lasts longer here.`;
      throw badField('sessionHours', message);
    }
    if (rules.requiresSso && !(await reachOf(tx, organizationId)).hasSso) {
      throw new ApiError('BAD_REQUEST', {
        fields: { requiresSso: 'Enable a connection with a verified email domain first, under Single sign-on.' },
      });
    }
    await tx.query(sql`
      update organizations set requires_second_factor = ${rules.requiresSecondFactor}, requires_sso = ${rules.requiresSso},
        session_hours = ${rules.sessionHours}, inactivity_minutes = ${rules.inactivityMinutes}
      where id = ${organizationId}`);
    const entry = { subject: 'organization', subjectId: organizationId, detail: { changes } } as const;
    await audit({ action: 'organization.change', ...entry });
  });
}
