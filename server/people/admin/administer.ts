import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type AuditEntry, writeAudit } from '#server/people/audit/write-audit.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, type ApiErrorDetails } from '#server/platform/http/api-error.ts';
import { administeredOrganizations, loadScope, type Scope } from './admin-scope.ts';

export interface AdminDeps {
  /** The app role's. */
  db: Database;
  /** Where browsers reach us, without a slash at the end: mails link there. */
  publicUrl: string;
}

/** Who changes something, in which call and when. */
export interface Deed {
  actor: Actor;
  requestId: string;
  now: Date;
}

/** What a change runs in. */
export interface Change {
  readonly tx: ActorTransaction;
  readonly scope: Scope;
  readonly now: Date;
  readonly audit: (entry: Omit<AuditEntry, 'requestId' | 'now'>) => Promise<void>;
}

/** Reads as an administrator. */
export function look<T>(
  db: Database,
  actor: Actor,
  fn: (tx: ActorTransaction, scope: Scope) => Promise<T>,
): Promise<T> {
  return asActor(db, actor, 'canManageUsers', async (tx) => fn(tx, await loadScope(tx)), { readOnly: true });
}

/**
 * Runs an administrative change. Changes take turns, so that two administrators who demote each other do not both succeed.
 * Whatever `fn` did is undone with LAST_ADMINISTRATOR where an organisation would be left without anybody who can manage users, and
 * with NOT_PERMITTED where the administrator would take that right from himself or herself.
 */
export function administer<T>(
  db: Database,
  { actor, requestId, now }: Deed,
  fn: (change: Change) => Promise<T>,
): Promise<T> {
  return asActor(db, actor, 'canManageUsers', async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('tidings administration', 0))`);
    const audit: Change['audit'] = (entry) => writeAudit(tx, { ...entry, requestId, now });
    const change = { tx, scope: await loadScope(tx), now, audit };
    return guarded(change, () => fn(change));
  });
}

/** Throws, after the deed, where somebody has to be left who can manage users, and is not. Whoever calls undoes it then. */
async function guarded<T>({ tx, scope }: Change, fn: () => Promise<T>): Promise<T> {
  const before = await administeredOrganizations(tx);
  const result = await fn();
  const after = await administeredOrganizations(tx);
  if ([...before].some((id) => !after.has(id))) throw new ApiError('LAST_ADMINISTRATOR');
  const own = await loadScope(tx);
  if ([...scope.groupIds].some((id) => !own.groupIds.has(id))) {
    throw new ApiError('NOT_PERMITTED', { message: 'You cannot take the right to manage users from yourself.' });
  }
  return result;
}

/** One of several deeds of a change, judged and, where it is refused, undone by itself. Returns the refusal; null: it is done. */
export async function attempt(change: Change, fn: () => Promise<void>): Promise<ApiError | null> {
  await change.tx.query('savepoint attempt');
  try {
    await guarded(change, fn);
    await change.tx.query('release savepoint attempt');
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await change.tx.query('rollback to savepoint attempt');
    return error;
  }
}

/** Leaves word for open pages of these users: their rights have changed (`server/work/live/routes.ts` asks for them again). */
export function tellRightsChanged({ tx, now }: Change, userIds: Iterable<string>): Promise<void> {
  const changes = [...new Set(userIds)].map((subjectId) => ({
    kind: 'session' as const,
    change: 'rights',
    groupId: null,
    subjectId,
  }));
  return logChanges(tx, changes, now);
}

/** Turns the refusal of a name that is there already (PostgreSQL's unique_violation) into the error that the caller is told. */
export async function orTaken<T>(
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
