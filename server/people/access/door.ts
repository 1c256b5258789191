import type { Permission } from '#contract/permissions.ts';
import type { Database, Transaction, TransactionOptions } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Actor } from './actor.ts';

/** A transaction that sees only the rows of the groups for which the actor holds a flag. */
export interface ActorTransaction extends Transaction {
  readonly actor: Actor;
  /** Those groups, as the conditions of `policy.ts` take them. */
  readonly groupIds: readonly string[];
}

/**
 * Runs `fn` in a transaction in which row-level security shows the listings, pings, statuses and uploads of the groups for which the actor
 * holds `flag`, the visits of everyone whom they list, have listed or were pinged about, and the actor's own account; with
 * `canManageUsers` also the accounts of the organization, and with `canViewRouteAuditReport` who of them opened which page. Who may read a visit depends on more than that, so a statement that reads visits
 * or events needs a condition of `policy.ts`, or ids that came from `resolvePatient`. Audit entries can name no other user than the actor.
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
    settings: {
      'tidings.user_id': actor.userId,
      'tidings.group_ids': `{${groupIds.join(',')}}`,
      'tidings.team_id': actor.teamId,
      ...(actor.emergencies?.length ? { 'tidings.emergencies': `{${actor.emergencies.join(',')}}` } : {}),
      ...(flag === 'canManageUsers' ? { 'tidings.administers': organizationFor(actor, flag) } : {}),
      ...(flag === 'canViewRouteAuditReport' ? { 'tidings.reads_usage': organizationFor(actor, flag) } : {}),
      ...(byKeys ? PLANNED_ONCE : {}),
    },
  });
}

/** The organization whose accounts the actor administers, or whose page use they read; an operator's is every one. */
function organizationFor({ isOperator, organizationId, can }: Actor, flag: Permission): string {
  if (isOperator) return 'everything';
  return can(flag) ? organizationId : '';
}

export type ActorOptions = Omit<TransactionOptions, 'settings'> & {
  /** Every statement looks up rows by key, so one generic plan fits all values; planning each time would take longer than running it. */
  byKeys?: boolean;
};

const PLANNED_ONCE = { plan_cache_mode: 'force_generic_plan' };

/**
 * Says whom the transaction's next statements are about, until it is called again. Row-level security then looks up these people instead of
 * everyone whom the groups list, which for a list of 100,000 takes 30 ms a statement. It shows no more than without.
 */
export async function askAbout(tx: ActorTransaction, personIds: readonly string[]): Promise<void> {
  await tx.query(sql`select set_config('tidings.person_ids', ${`{${personIds.join(',')}}`}, true)`);
}

/** The transaction of `asGroups`: it has groups but no actor. */
export interface GroupsTransaction extends Transaction {
  readonly groupIds: readonly string[];
}

/** For whom rows of the read model are read. */
export interface Readers {
  readonly groupIds: readonly string[];
  /** The team whose own rows, such as tags, are read. */
  readonly teamId: string;
}

/**
 * Runs `fn` in a read-only transaction that sees the listings and pings of these groups, and the tags of the team. For what users share: the search's read model
 * (`server/work/search/access-scope.ts` authorizes each of them before it answers from it), and whose lists have changed
 * (`server/work/live/changed-rows.ts`, which gives each only what concerns the own groups).
 * `personIds`: whom it will read, which makes row-level security cheap for many rows.
 */
export function asGroups<T>(
  db: Pick<Database, 'transaction'>,
  { groupIds, teamId }: Readers,
  fn: (tx: GroupsTransaction) => Promise<T>,
  personIds: readonly string[] = [],
): Promise<T> {
  return db.transaction((tx) => fn({ ...tx, groupIds }), {
    readOnly: true,
    settings: {
      'tidings.group_ids': `{${groupIds.join(',')}}`,
      'tidings.team_id': teamId,
      'tidings.person_ids': `{${personIds.join(',')}}`,
      ...BY_INDEX,
    },
  });
}

/**
 * The model loads some hundreds of persons at a time. Indexes are right for that even while the table statistics are stale, so one plan fits all
 * chunks: planning each took a fifth of PostgreSQL's time.
 */
const BY_INDEX = { ...PLANNED_ONCE, enable_hashjoin: 'off', enable_mergejoin: 'off', enable_seqscan: 'off' };
