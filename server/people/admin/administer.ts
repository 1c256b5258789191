import type { Actor, ActorCall } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type AuditEntry, writeAudit } from '#server/people/audit/write-audit.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, type ApiErrorDetails } from '#server/platform/http/api-error.ts';
import { administeredOrganizations, loadScope, type Scope } from './admin-scope.ts';
import { gained, type Held, heldBy } from './held-flags.ts';
import { findAdministrators, findAppointers, noteAppointments } from './own-access/appointments.ts';

export interface AdminDeps {
  /** Connects with the app role. */
  db: Database;
  /** Where browsers reach us, without a trailing slash; mails link there. */
  publicUrl: string;
}

/** What a change runs in. */
export interface Change {
  readonly tx: ActorTransaction;
  readonly scope: Scope;
  readonly now: Date;
  /** The groups that the change adds. The administrator may get canManageUsers for them without a confirmation. */
  readonly addedGroups: Set<string>;
  readonly audit: (entry: Omit<AuditEntry, 'requestId' | 'now'>) => Promise<void>;
}

/** Reads as an administrator, in a read-only transaction. */
export function readAsAdmin<T>(
  db: Database,
  actor: Actor,
  fn: (tx: ActorTransaction, scope: Scope) => Promise<T>,
): Promise<T> {
  return asActor(
    db,
    actor,
    'canManageUsers',
    async (tx) => {
      await showPendingGrants(tx);
      return fn(tx, await loadScope(tx));
    },
    { readOnly: true },
  );
}

/** Row-level security of pending_grants needs to know who acts. */
async function showPendingGrants(tx: ActorTransaction): Promise<void> {
  await tx.query(sql`select set_config('tidings.user_id', ${tx.actor.userId}, true)`);
}

/**
 * Runs an administrative change. Changes run one at a time: otherwise two administrators who demote each other could both succeed.
 * The change is rolled back with LAST_ADMINISTRATOR if it would leave an organization without anyone who can manage users, and with
 * NOT_PERMITTED if administrators would remove that right from themselves, or give a permission to themselves or someone on whom they depend
 * (`findAppointers`), in whichever way.
 */
export function administer<T>(
  db: Database,
  { actor, requestId, now }: ActorCall,
  fn: (change: Change) => Promise<T>,
): Promise<T> {
  return asActor(db, actor, 'canManageUsers', async (tx) => {
    await lockAdministration(tx, actor.isOperator ? 'every organization' : actor);
    await showPendingGrants(tx);
    const audit: Change['audit'] = (entry) => writeAudit(tx, { ...entry, requestId, now });
    const change: Change = { tx, scope: await loadScope(tx), now, addedGroups: new Set(), audit };
    return keepAdministrators(change, () => fn(change));
  });
}

/** An organization, or all of them: what operators and commands may change. */
type Concerned = { readonly organizationId: string } | 'every organization';

/** Waits for the changes before this one: those of all administrators, and those of the identity providers that it may concern. */
export async function lockAdministration(tx: Queryable, concerned: Concerned): Promise<void> {
  await lockProvisioning(tx, concerned);
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('tidings administration', 0))`);
}

/**
 * Waits for the changes before this one that concern the accounts of an organization, those of its identity provider and of its administrators.
 * Providers of other organizations don't wait: they may call all day.
 */
export async function lockProvisioning(tx: Queryable, concerned: Concerned): Promise<void> {
  const all = sql`hashtextextended('tidings provisioning', 0)`;
  if (concerned === 'every organization') await tx.query(sql`select pg_advisory_xact_lock(${all})`);
  else {
    const one = sql`hashtextextended(${`tidings provisioning ${concerned.organizationId}`}, 0)`;
    await tx.query(sql`select pg_advisory_xact_lock_shared(${all})`);
    await tx.query(sql`select pg_advisory_xact_lock(${one})`);
  }
}

/**
 * Runs `fn`, then throws if an administrator who has to remain is gone, or holds more than before; the caller rolls back. Records who was made an
 * administrator.
 */
async function keepAdministrators<T>(change: Change, fn: () => Promise<T>): Promise<T> {
  const { tx, scope, now } = change;
  const before = await administeredOrganizations(tx);
  const administrators = await findAdministrators(tx);
  const held = new Map([[scope.userId, await heldBy(tx, scope.userId)]]);
  for (const id of await findAppointers(tx, scope.userId, now)) held.set(id, await heldBy(tx, id));
  const result = await fn();
  const after = await administeredOrganizations(tx);
  if ([...before].some((id) => !after.has(id))) throw new ApiError('LAST_ADMINISTRATOR');
  const own = await loadScope(tx);
  if ([...scope.groupIds].some((id) => !own.groupIds.has(id))) {
    throw new ApiError('NOT_PERMITTED', { message: "You can't remove your own right to manage users." });
  }
  await checkNothingGained(change, held);
  await noteAppointments(tx, { before: administrators, by: scope.userId, now });
  return result;
}

/** `before`: what the administrator held, and those on whom they depend. */
async function checkNothingGained({ tx, scope, addedGroups }: Change, before: Map<string, Held>): Promise<void> {
  for (const [userId, held] of before) {
    const isOwn = userId === scope.userId;
    const after = await heldBy(tx, userId);
    for (const place of after.keys()) {
      const isAdded = isOwn && addedGroups.has(place.split(' ')[1] ?? '');
      if (gained(held, after, place).some((flag) => !(isAdded && flag === 'canManageUsers'))) {
        throw new ApiError('NOT_PERMITTED', { message: isOwn ? GAINED : GAINED_BY_APPOINTER });
      }
    }
  }
}

const GAINED = 'This would give you more access than you have. Ask another administrator to make this change.';
const GAINED_BY_APPOINTER =
  'This would give more access to someone who, in the last 90 days, invited you or made you an administrator, directly or through someone else. Nothing was changed. Another administrator or an operator has to do it.';

/**
 * Runs `fn` for several items, each in a savepoint. Returns the error of each item that was refused, and undone. Which administrators remain is
 * looked up once: only a batch that would leave too few, or give them too much, is halved until it is known whose change that is.
 */
export async function tryEach<T>(
  change: Change,
  items: readonly T[],
  fn: (item: T) => Promise<void>,
): Promise<ReadonlyMap<T, ApiError>> {
  const refused = new Map<T, ApiError>();
  const refusal = await tryStep(change, () =>
    keepAdministrators(change, async () => {
      for (const item of items) {
        const error = await tryStep(change, () => fn(item));
        if (error !== null) refused.set(item, error);
      }
    }),
  );
  if (refusal === null) return refused;
  if (items.length === 1) return new Map(items.map((item) => [item, refusal]));
  const half = items.length / 2;
  const first = await tryEach(change, items.slice(0, half), fn);
  return new Map([...first, ...(await tryEach(change, items.slice(half), fn))]);
}

/** Returns the error that refused and undid the step; null if it was done. */
async function tryStep({ tx }: Change, fn: () => Promise<void>): Promise<ApiError | null> {
  await tx.query('savepoint step');
  try {
    await fn();
    await tx.query('release savepoint step');
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await tx.query('rollback to savepoint step');
    await tx.query('release savepoint step');
    return error;
  }
}

/** Notifies the open pages of these users that their rights have changed (`server/work/live/routes.ts` loads them again). */
export function publishRightsChanged(
  { tx, now }: { tx: Queryable; now: Date },
  userIds: Iterable<string>,
): Promise<void> {
  const changes = [...new Set(userIds)].map((subjectId) => ({
    kind: 'session' as const,
    change: 'rights',
    groupId: null,
    subjectId,
  }));
  return logChanges(tx, changes, now);
}

/** Turns PostgreSQL's unique_violation on a name into the error that the caller gets. */
export async function rejectDuplicate<T>(
  key: 'NAME_TAKEN' | 'USERNAME_TAKEN',
  insert: Promise<T>,
  details: ApiErrorDetails = {},
): Promise<T> {
  try {
    return await insert;
  } catch (error) {
    throw (error as { code?: string }).code === '23505' ? new ApiError(key, details) : error;
  }
}
