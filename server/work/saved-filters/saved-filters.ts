/**
 * Saved filters of a user in a team, in the user's order, those that colleagues on the team share, and the default filter of each module.
 * Other filters of other users, and those of other teams, do not exist for the user. Who may do what with a shared filter:
 * docs/decisions/0094.
 */
import type { z } from 'zod';
import {
  FIXED_FILTERS,
  type FilterUse,
  SAVED_FILTERS_LIMIT,
  type SavedFilter,
  type SearchModule,
  type SearchPreference,
  type savedFilterFields,
} from '#contract/saved-filters.ts';
import { DEFAULT_SORT, defaultSortOrder, type SearchParameters } from '#contract/search.ts';
import type { Actor, ActorCall } from '#server/people/access/actor.ts';
import { noteQuestion } from '#server/people/audit/audited-call.ts';
import { type AuditEntry, writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database, Transaction, TransactionOptions } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkFilter } from './check.ts';
import { loggableFilter } from './loggable.ts';
import * as queries from './queries.ts';
import { readStored, toStored } from './stored.ts';

type Fields = z.output<typeof savedFilterFields>;

export interface ChangeContext extends ActorCall {
  /** Connected as the app role. */
  db: Database;
}

/** Runs `fn` as the user in the team: row-level security shows the user's own filters and preferences, and what the team shares. */
function asOwner<T>(
  db: Database,
  { userId, teamId }: queries.Owner,
  fn: (tx: Transaction) => Promise<T>,
  options: Omit<TransactionOptions, 'settings'> = {},
): Promise<T> {
  return db.transaction(fn, { ...options, settings: { 'tidings.user_id': userId, 'tidings.team_id': teamId } });
}

/** Runs a change as the user. Changes of one list are serialized. Audit entries name ids, never filter values. */
function change<T>(
  { db, actor, requestId, now }: ChangeContext,
  fn: (
    tx: Transaction,
    audit: (entry: Pick<AuditEntry, 'action' | 'subjectId' | 'detail'>) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  return asOwner(db, actor, async (tx) => {
    await queries.lockList(tx, actor);
    return fn(tx, (entry) => writeAuditAs(tx, actor, { ...entry, subject: 'saved-filter', requestId, now }));
  });
}

export function list(db: Database, actor: Actor): Promise<SavedFilter[]> {
  const read = async (tx: Transaction) =>
    (await queries.listFilters(tx, actor)).map((row) => savedFilterOf(actor, row));
  return asOwner(db, actor, read, { readOnly: true });
}

/** Counts the rows that match the parameters; null if the actor may not search for them. Implemented by the search. */
export type CountFound = (actor: Actor, parameters: SearchParameters) => Promise<number | null>;

/** Returns when each of the user's filters was last used, how many rows it finds now, and how many colleagues use it. */
export async function uses(db: Database, actor: Actor, countFound: CountFound): Promise<FilterUse[]> {
  const filters = await list(db, actor);
  // A count confirms that a person with the filter's name and birth date exists, so it is a question like a search for them.
  noteQuestion(Object.fromEntries(filters.map(({ id, userDefinedFacetPreferences: asked }) => [id, asked])));
  const read = async (tx: Transaction) => ({
    lastUses: await queries.lastUses(tx, actor),
    colleagues: await queries.colleaguesUsing(tx),
  });
  const { lastUses, colleagues } = await asOwner(db, actor, read, { readOnly: true });
  return Promise.all(
    filters.map(async (filter) => ({
      filterId: filter.id,
      lastUsedAt: lastUses.get(filter.id) ?? null,
      count: await countFound(actor, filter),
      colleagues: colleagues.get(filter.id) ?? 0,
    })),
  );
}

/** Records that the user opened a list with a filter. Errors: NOT_FOUND. */
export function recordUse({ db, actor, now }: ChangeContext, id: string): Promise<void> {
  return asOwner(db, actor, async (tx) => {
    if (!(await queries.recordUse(tx, actor, id, now))) throw new ApiError('NOT_FOUND');
  });
}

/** Saves a new filter. Errors: BAD_REQUEST with fields, NAME_TAKEN, TOO_MANY_FILTERS. */
export function create(context: ChangeContext, { name, orderNum, ...parameters }: Fields): Promise<SavedFilter> {
  const { actor, now } = context;
  checkFilter(actor, { ...parameters, name });
  checkName(name);
  return change(context, async (tx, audit) => {
    const count = await queries.countFilters(tx, actor);
    if (count >= SAVED_FILTERS_LIMIT) {
      const message = `You have ${SAVED_FILTERS_LIMIT} saved filters, which is the limit. Delete one to save another.`;
      throw new ApiError('TOO_MANY_FILTERS', { message });
    }
    const filter = { name, parameters: toStored(parameters), orderNum: orderNum ?? count + 1 };
    const id = await translateNameTaken(queries.insertFilter(tx, actor, filter, now));
    await audit({ action: 'saved-filter.create', subjectId: id });
    return savedFilterOf(actor, await requireFilter(tx, actor, id));
  });
}

/**
 * Changes the parameters and the name of a filter, and with `orderNum` the position of an own one. Values of facets that the actor may not
 * use are kept. Errors: BAD_REQUEST with fields, NOT_FOUND, NOT_PERMITTED, NAME_TAKEN.
 */
export function save(
  context: ChangeContext,
  id: string,
  { name, orderNum, ...parameters }: Fields,
): Promise<SavedFilter> {
  const { actor, now } = context;
  checkFilter(actor, { ...parameters, name });
  checkName(name);
  return change(context, async (tx, audit) => {
    const row = await requireFilter(tx, actor, id);
    checkMayChange(actor, row);
    if (row.isShared) checkShareable(parameters);
    const { withheld } = readStored(row.parameters, actor);
    await translateNameTaken(queries.updateFilter(tx, id, { name, parameters: toStored(parameters, withheld) }, now));
    if (orderNum !== undefined && row.isOwn) await queries.moveFilter(tx, actor, id, orderNum);
    await audit({ action: 'saved-filter.change', subjectId: id });
    return savedFilterOf(actor, await requireFilter(tx, actor, id));
  });
}

/** Shares the user's filter with the team, or stops sharing it. Errors: NOT_FOUND, NOT_PERMITTED, BAD_REQUEST. */
export function share(context: ChangeContext, id: string, shared: boolean): Promise<SavedFilter> {
  const { actor, now } = context;
  return change(context, async (tx, audit) => {
    const row = await requireFilter(tx, actor, id);
    if (!row.isOwn) throw new ApiError('NOT_PERMITTED');
    if (shared) checkShareable(readStored(row.parameters, actor).parameters);
    if (await queries.setShared(tx, actor, id, shared ? now : null))
      await audit({ action: shared ? 'saved-filter.share' : 'saved-filter.unshare', subjectId: id });
    return savedFilterOf(actor, await requireFilter(tx, actor, id));
  });
}

/** Deletes a filter. Errors: NOT_FOUND, NOT_PERMITTED. */
export function remove(context: ChangeContext, id: string): Promise<void> {
  return change(context, async (tx, audit) => {
    const row = await requireFilter(tx, context.actor, id);
    checkMayChange(context.actor, row);
    if (row.isOwn) await queries.deleteFilter(tx, context.actor, id);
    else await queries.deleteShared(tx, context.actor, id);
    await audit({ action: 'saved-filter.delete', subjectId: id });
  });
}

export function listDefaults(db: Database, owner: queries.Owner): Promise<SearchPreference[]> {
  return asOwner(db, owner, (tx) => queries.listPreferences(tx, owner), { readOnly: true });
}

/** Makes a filter the default of a module. Errors: NOT_FOUND. */
export function makeDefault(context: ChangeContext, { filterId, moduleName }: SearchPreference): Promise<void> {
  return change(context, async (tx, audit) => {
    await requireFilter(tx, context.actor, filterId);
    await queries.setPreference(tx, context.actor, { filterId, moduleName });
    await audit({ action: 'saved-filter.default', subjectId: filterId, detail: { moduleName } });
  });
}

/** Clears the default of a module, if there is one. */
export function clearDefault(context: ChangeContext, moduleName: SearchModule): Promise<void> {
  return change(context, async (tx, audit) => {
    await queries.clearPreference(tx, context.actor, moduleName);
    await audit({ action: 'saved-filter.no-default', subjectId: null, detail: { moduleName } });
  });
}

async function requireFilter(tx: Transaction, actor: Actor, id: string): Promise<queries.FilterRow> {
  const row = await queries.findFilter(tx, actor, id);
  if (row === null) throw new ApiError('NOT_FOUND');
  return row;
}

/** A shared filter is changed and deleted by its owner and by the team's administrators, who keep those of people who left. */
const mayChange = (actor: Actor, { isOwn, isShared }: queries.FilterRow): boolean =>
  isOwn || (isShared && actor.can('canManageUsers'));

function checkMayChange(actor: Actor, row: queries.FilterRow): void {
  if (!mayChange(actor, row)) throw new ApiError('NOT_PERMITTED');
}

/** What identifies a person isn't shared: not everyone on the team may see that person. */
function checkShareable({
  userDefinedFacetPreferences: { query, dateOfBirth },
}: Pick<SearchParameters, 'userDefinedFacetPreferences'>): void {
  if (query === '' && dateOfBirth === null) return;
  const message = 'This filter looks for a name, ID or birth date, so it can’t be shared. Remove that first.';
  throw new ApiError('BAD_REQUEST', { message });
}

function savedFilterOf(actor: Actor, row: queries.FilterRow): SavedFilter {
  const { id, name, orderNum, parameters: json, isShared, isOwn, ownerName, isOwnerOnTeam } = row;
  const { parameters, ignoredFacets } = readStored(json, actor);
  const { pageNumber, pageSize, sortBy, userDefinedFacetPreferences: preferences } = parameters;
  return {
    ...parameters,
    visibleTo: parameters.visibleTo ?? [],
    ignoredPatientIds: parameters.ignoredPatientIds ?? [],
    sortOrder: parameters.sortOrder ?? defaultSortOrder(sortBy[0] ?? (preferences.query ? 'RELEVANCE' : DEFAULT_SORT)),
    id,
    name,
    teamId: actor.teamId,
    orderNum,
    isShared,
    owner: {
      name: isOwn ? actor.displayName : (ownerName ?? ''),
      isYou: isOwn,
      isOnTeam: isOwn || isOwnerOnTeam === true,
    },
    mayChange: mayChange(actor, row),
    offset: (pageNumber - 1) * pageSize,
    query: preferences.query,
    ignoredFacets,
    loggableFilterRepresentation: loggableFilter(preferences),
  };
}

const FIXED_NAMES = new Set(Object.values(FIXED_FILTERS).map(({ label }) => label.toLowerCase()));

/** Refuses the names of the built-in filters, which appear in the same list. */
function checkName(name: string): void {
  if (FIXED_NAMES.has(name.toLowerCase()))
    throw nameTaken('This name is used by a built-in filter. Choose another name.');
}

/** Turns PostgreSQL's unique_violation of names into NAME_TAKEN. */
async function translateNameTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    const isTaken = code === '23505' && constraint === 'saved_filters_name';
    throw isTaken ? nameTaken('You already have a saved filter with this name.') : error;
  }
}

const nameTaken = (message: string) => new ApiError('NAME_TAKEN', { message, fields: { name: message } });
