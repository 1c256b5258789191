/**
 * Saved filters of a user in a team, in the user's order, and the default filter of each module. Filters of other users and teams do not
 * exist for the user.
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
import type { SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { noteQuestion } from '#server/people/audit/audited-call.ts';
import { type AuditEntry, writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database, Transaction, TransactionOptions } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkFilter } from './check.ts';
import { loggableFilter } from './loggable.ts';
import * as queries from './queries.ts';
import { readStored, toStored } from './stored.ts';

type Fields = z.output<typeof savedFilterFields>;

/** Who changes something, in which request and when. */
export interface ChangeContext {
  /** Connected as the app role. */
  db: Database;
  actor: Actor;
  requestId: string;
  now: Date;
}

/** Runs `fn` as the user: row-level security shows only the user's own filters and preferences. */
function asOwner<T>(
  db: Database,
  { userId }: Actor,
  fn: (tx: Transaction) => Promise<T>,
  options: Omit<TransactionOptions, 'settings'> = {},
): Promise<T> {
  return db.transaction(fn, { ...options, settings: { 'tidings.user_id': userId } });
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

/** Returns when each of the user's filters was last used, and how many rows it finds now. */
export async function uses(db: Database, actor: Actor, countFound: CountFound): Promise<FilterUse[]> {
  const filters = await list(db, actor);
  // A count confirms that a person with the filter's name and birth date exists, so it is a question like a search for them.
  noteQuestion(Object.fromEntries(filters.map(({ id, userDefinedFacetPreferences: asked }) => [id, asked])));
  const lastUses = await asOwner(db, actor, (tx) => queries.lastUses(tx, actor), { readOnly: true });
  return Promise.all(
    filters.map(async (filter) => ({
      filterId: filter.id,
      lastUsedAt: lastUses.get(filter.id) ?? null,
      count: await countFound(actor, filter),
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
 * Changes the parameters and the name of a filter, and with `orderNum` its position. Values of facets that the actor may not use are kept.
 * Errors: BAD_REQUEST with fields, NOT_FOUND, NAME_TAKEN.
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
    const { withheld } = readStored((await requireFilter(tx, actor, id)).parameters, actor);
    await translateNameTaken(queries.updateFilter(tx, id, { name, parameters: toStored(parameters, withheld) }, now));
    if (orderNum !== undefined) await queries.moveFilter(tx, actor, id, orderNum);
    await audit({ action: 'saved-filter.change', subjectId: id });
    return savedFilterOf(actor, await requireFilter(tx, actor, id));
  });
}

/** Deletes a filter. Errors: NOT_FOUND. */
export function remove(context: ChangeContext, id: string): Promise<void> {
  return change(context, async (tx, audit) => {
    if (!(await queries.deleteFilter(tx, context.actor, id))) throw new ApiError('NOT_FOUND');
    await audit({ action: 'saved-filter.delete', subjectId: id });
  });
}

export function listDefaults(db: Database, actor: Actor): Promise<SearchPreference[]> {
  return asOwner(db, actor, (tx) => queries.listPreferences(tx, actor), { readOnly: true });
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

function savedFilterOf(actor: Actor, { id, name, orderNum, parameters: json }: queries.FilterRow): SavedFilter {
  const { parameters, ignoredFacets } = readStored(json, actor);
  const { pageNumber, pageSize, userDefinedFacetPreferences: preferences } = parameters;
  return {
    ...parameters,
    id,
    name,
    teamId: actor.teamId,
    orderNum,
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
