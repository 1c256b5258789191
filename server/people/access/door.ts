import type { Permission } from '#contract/permissions.ts';
import type { Database, Transaction, TransactionOptions } from '#server/platform/database/pool.ts';
import type { Actor } from './actor.ts';

/** A transaction in which the actor sees the rows of the groups for which he or she holds a flag, and no others. */
export interface ActorTransaction extends Transaction {
  readonly actor: Actor;
  /** Those groups; what the conditions of `policy.ts` take. */
  readonly groupIds: readonly string[];
}

/**
 * Runs `fn` as the actor, with the groups for which the actor holds `flag`: row-level security shows the listings, pings,
 * statuses and uploads of these groups. Encounters, events and persons have no group of their own to go by; a statement that
 * reads them carries a condition of `policy.ts`, or follows from `resolvePatient`.
 */
export function asActor<T>(
  db: Database,
  actor: Actor,
  flag: Permission,
  fn: (tx: ActorTransaction) => Promise<T>,
  { byKeys = false, ...options }: ActorOptions = {},
): Promise<T> {
  const groupIds = actor.groupsWith(flag);
  return db.transaction((tx) => fn({ ...tx, actor, groupIds }), {
    ...options,
    settings: { 'tidings.group_ids': `{${groupIds.join(',')}}`, ...(byKeys ? PLANNED_ONCE : {}) },
  });
}

export type ActorOptions = Omit<TransactionOptions, 'settings'> & {
  /** Every statement looks up rows by their keys, so that one plan does for all values: planning takes longer than running them. */
  byKeys?: boolean;
};

const PLANNED_ONCE = { plan_cache_mode: 'force_generic_plan' };

/** What `asGroups` runs in. */
export interface GroupsTransaction extends Transaction {
  readonly groupIds: readonly string[];
}

/**
 * For the read model, which keeps what people with the same rights may see: a transaction that sees the listings and pings of these
 * groups. Who asks the model has been authorised for them by then (`server/work/search/access-scope.ts`).
 */
export function asGroups<T>(
  db: Database,
  groupIds: readonly string[],
  fn: (tx: GroupsTransaction) => Promise<T>,
): Promise<T> {
  return db.transaction((tx) => fn({ ...tx, groupIds }), {
    readOnly: true,
    settings: { 'tidings.group_ids': `{${groupIds.join(',')}}`, ...BY_INDEX },
  });
}

/** Some hundred persons at a time are looked up by indexes, also while the statistics do not know yet how many there are. */
const BY_INDEX = { enable_hashjoin: 'off', enable_mergejoin: 'off', enable_seqscan: 'off' };
