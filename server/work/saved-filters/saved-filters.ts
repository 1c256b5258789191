/**
 * Saved filters of one user in one team, in the user's order, and which of them is the default of a module (specification, second
 * file, section 4). A filter of another user or team is not there.
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
import { type AuditEntry, writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database, Transaction, TransactionOptions } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkFilter } from './check.ts';
import { loggableFilter } from './loggable.ts';
import * as queries from './queries.ts';
import { readStored, toStored } from './stored.ts';

type Fields = z.output<typeof savedFilterFields>;

/** Who changes something, in which call and when. */
export interface ChangeContext {
  /** The app role's. */
  db: Database;
  actor: Actor;
  requestId: string;
  now: Date;
}

/** Runs `fn` as the user: row-level security shows the filters and preferences that are his or hers, and no others. */
function asOwner<T>(
  db: Database,
  { userId }: Actor,
  fn: (tx: Transaction) => Promise<T>,
  options: Omit<TransactionOptions, 'settings'> = {},
): Promise<T> {
  return db.transaction(fn, { ...options, settings: { 'tidings.user_id': userId } });
}

/** The same for a change: those of one list take turns. What is written down of it names ids, never what is filtered. */
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

/** How many rows of its list match the parameters now; null where the actor may not ask for it. The read model answers it. */
export type CountFound = (actor: Actor, parameters: SearchParameters) => Promise<number | null>;

/** When each of one's filters was last used, and what it finds now. */
export async function uses(db: Database, actor: Actor, countFound: CountFound): Promise<FilterUse[]> {
  const filters = await list(db, actor);
  const lastUses = await asOwner(db, actor, (tx) => queries.lastUses(tx, actor), { readOnly: true });
  return Promise.all(
    filters.map(async (filter) => ({
      filterId: filter.id,
      lastUsedAt: lastUses.get(filter.id) ?? null,
      count: await countFound(actor, filter),
    })),
  );
}

/** Errors: NOT_FOUND. */
export function recordUse({ db, actor, now }: ChangeContext, id: string): Promise<void> {
  return asOwner(db, actor, async (tx) => {
    if (!(await queries.recordUse(tx, actor, id, now))) throw new ApiError('NOT_FOUND');
  });
}

/** Errors: BAD_REQUEST with fields, NAME_TAKEN, TOO_MANY_FILTERS. */
export function create(context: ChangeContext, { name, orderNum, ...parameters }: Fields): Promise<SavedFilter> {
  const { actor, now } = context;
  checkFilter(actor, { ...parameters, name });
  checkName(name);
  return change(context, async (tx, audit) => {
    const count = await queries.countFilters(tx, actor);
    if (count >= SAVED_FILTERS_LIMIT) {
      const message = `You have ${SAVED_FILTERS_LIMIT} saved filters, and there can be no more. Delete one to save another.`;
      throw new ApiError('TOO_MANY_FILTERS', { message });
    }
    const filter = { name, parameters: toStored(parameters), orderNum: orderNum ?? count + 1 };
    const id = await translateNameTaken(queries.insertFilter(tx, actor, filter, now));
    await audit({ action: 'saved-filter.create', subjectId: id });
    return savedFilterOf(actor, await requireFilter(tx, actor, id));
  });
}

/**
 * Changes what a filter is, its name, and with `orderNum` its place. Values that were withheld from the actor stay as they are. Errors:
 * BAD_REQUEST with fields, NOT_FOUND, NAME_TAKEN.
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

/** Errors: NOT_FOUND. */
export function remove(context: ChangeContext, id: string): Promise<void> {
  return change(context, async (tx, audit) => {
    if (!(await queries.deleteFilter(tx, context.actor, id))) throw new ApiError('NOT_FOUND');
    await audit({ action: 'saved-filter.delete', subjectId: id });
  });
}

export function listDefaults(db: Database, actor: Actor): Promise<SearchPreference[]> {
  return asOwner(db, actor, (tx) => queries.listPreferences(tx, actor), { readOnly: true });
}

/** Errors: NOT_FOUND. */
export function makeDefault(context: ChangeContext, { filterId, moduleName }: SearchPreference): Promise<void> {
  return change(context, async (tx, audit) => {
    await requireFilter(tx, context.actor, filterId);
    await queries.setPreference(tx, context.actor, { filterId, moduleName });
    await audit({ action: 'saved-filter.default', subjectId: filterId, detail: { moduleName } });
  });
}

/** Where there is no default it changes nothing. */
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

/** The fixed filters stand in the same list: a second one of their name could not be told from them. */
function checkName(name: string): void {
  if (FIXED_NAMES.has(name.toLowerCase())) throw nameTaken('This is the name of a filter that everybody has.');
}

/** Turns PostgreSQL's unique_violation of the names into the error that the caller is told. */
async function translateNameTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    const isTaken = code === '23505' && constraint === 'saved_filters_name';
    throw isTaken ? nameTaken('You have a saved filter with this name already.') : error;
  }
}

const nameTaken = (message: string) => new ApiError('NAME_TAKEN', { message, fields: { name: message } });
