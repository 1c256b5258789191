/** A list: which rows, in which order, how the panel counts them, and what a page of them shows. */
import { createHash } from 'node:crypto';
import { type Facet, hasFacet, type SearchContext, TERM_FACETS } from '#contract/facets.ts';
import type { ManagementStatus } from '#contract/management-status.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import {
  type FacetCounts,
  type RangeCountsQuery,
  type SearchParameters,
  searchParameters,
  TERM_FACET_SIZE,
} from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { loadPatients } from '#server/work/patients/load.ts';
import { type AccessScope, LIST_PERMISSIONS, mayUseFacet, scopeOf } from './access-scope.ts';
import type { Answer, Condition } from './columns/table.ts';
import { conditionOf } from './condition.ts';
import { dayOf } from './day-ranges.ts';
import { facetOptionOf } from './facet-options.ts';
import { orderOf } from './order.ts';
import { countPingsOfEvents, patientKeys, rowsOfPatients } from './row-keys.ts';
import { columnOf, columnOfFacet } from './schema.ts';
import type { SearchPool } from './search-threads.ts';

export interface SearchDeps {
  db: Database;
  pool: SearchPool;
}

/** Who asks, and for what list. */
export interface Search {
  actor: Actor;
  context: SearchContext;
  parameters: SearchParameters;
  now: Date;
  /** The transaction of the caller's last change; 'now': every one that has ended. */
  after: string | null;
}

export type SearchResults = PatientResults & { facets: FacetCounts };

/** The list of open pings holds the new ones unless another status is asked for (specification, second file, section 4). */
function withDefaults(context: SearchContext, parameters: SearchParameters): SearchParameters {
  const preferences = parameters.userDefinedFacetPreferences;
  if (context !== 'PINGS' || preferences.preferenceMap.managementStatus?.length) return parameters;
  const managementStatus = [{ field: 'managementStatus', value: 'NEW', negated: false }];
  const preferenceMap = { ...preferences.preferenceMap, managementStatus };
  return { ...parameters, userDefinedFacetPreferences: { ...preferences, preferenceMap } };
}

/** A search that is ready to be asked. */
export interface Prepared {
  scope: AccessScope;
  condition: Condition;
}

/** Errors: BAD_REQUEST with field and reason, NOT_PERMITTED. */
export async function prepare(deps: SearchDeps, of: Search): Promise<Prepared> {
  const base = await conditionBase(deps, of);
  return { scope: base.scope, condition: conditionIn(base, of) };
}

/** What a condition needs to know beside the filters: the same for lists that differ in a range alone. */
interface ConditionBase {
  scope: AccessScope;
  /** Days since 1970. */
  today: number;
  ignored: Pick<Condition, 'without'>;
}

async function conditionBase({ db }: SearchDeps, of: Search): Promise<ConditionBase> {
  const { actor, context, now } = of;
  const { ignoredPatientIds } = of.parameters;
  const ignored = ignoredPatientIds?.length
    ? {
        without: await asActor(db, actor, LIST_PERMISSIONS[context], (tx) =>
          rowsOfPatients(tx, context, ignoredPatientIds),
        ),
      }
    : {};
  return { scope: scopeOf(actor, context), today: todayOf(actor, now), ignored };
}

const conditionIn = ({ scope, today, ignored }: ConditionBase, { actor, context, parameters }: Search): Condition => ({
  ...conditionOf(withDefaults(context, parameters), { actor, scope, context, today }),
  ...ignored,
});

/** The user's calendar day, in days since 1970. */
const todayOf = ({ timeZone }: Actor, now: Date): number => dayOf(localDateOf(now.getTime(), timeZone)) ?? 0;

/** `shown`: told of the page within the transaction that read it. Errors as `prepare`. */
export async function search(
  deps: SearchDeps,
  of: Search,
  shown: (tx: ActorTransaction, patients: readonly Patient[]) => Promise<void> = async () => {},
): Promise<SearchResults> {
  const { actor, context, parameters, now, after } = of;
  const { scope, condition } = await prepare(deps, of);
  const { pageNumber, pageSize, termFacetSizeOverride: facetSize = TERM_FACET_SIZE } = parameters;
  const facets =
    facetSize === 0 ? [] : TERM_FACETS.filter((facet) => hasFacet(context, facet) && mayUseFacet(actor, scope, facet));
  const query = {
    ...condition,
    sort: orderOf(parameters, context),
    offset: (pageNumber - 1) * pageSize,
    limit: pageSize,
    facets: facets.map((facet) => columnOfFacet(context, facet)),
    facetSize,
  };
  const { answer, descriptions } = await deps.pool.ask<'search'>(
    scope,
    context,
    { kind: 'search', query },
    { after, now },
  );
  const patients = await asActor(
    deps.db,
    actor,
    LIST_PERMISSIONS[context],
    async (tx) => {
      const page = await loadPatients(tx, await patientKeys(tx, context, answer.keys), now);
      await shown(tx, page);
      return page;
    },
    { byKeys: true },
  );
  return {
    patients,
    total: answer.total,
    numPages: Math.ceil(answer.total / pageSize),
    facets: countsOf(facets, context, answer, descriptions),
  };
}

function countsOf(
  facets: readonly Facet[],
  context: SearchContext,
  answer: Answer,
  descriptions: Readonly<Record<string, string>>,
): FacetCounts {
  return Object.fromEntries(
    facets.flatMap((facet) => {
      const counted = answer.facets[columnOfFacet(context, facet)];
      if (!counted) return [];
      const options = counted.values.map((each) => facetOptionOf(facet, each, descriptions));
      return [[facet, { options, distinct: counted.distinct }]];
    }),
  );
}

/** How many rows match. Errors as `prepare`. */
export async function countRows(deps: SearchDeps, of: Search): Promise<number> {
  const { scope, condition } = await prepare(deps, of);
  const { total } = await deps.pool.ask<'count'>(scope, of.context, { kind: 'count', condition }, of);
  return total;
}

/** The same for a saved filter: null where the list or a facet of it is not the actor's, or something in it cannot be asked any more. */
export function countFound(deps: SearchDeps, clock: Clock) {
  return async (actor: Actor, parameters: SearchParameters): Promise<number | null> => {
    const { searchContext: context } = parameters;
    if (!actor.can(LIST_PERMISSIONS[context])) return null;
    try {
      return await countRows(deps, { actor, context, parameters, now: clock(), after: null });
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return null;
      throw error;
    }
  };
}

/** How many rows are in each range of a facet, which takes the place of the list's own range. Errors as `prepare`. */
export async function countRanges(
  deps: SearchDeps,
  { facet, ranges, ...of }: Search & Pick<RangeCountsQuery, 'facet' | 'ranges'>,
): Promise<number[]> {
  const preferences = of.parameters.userDefinedFacetPreferences;
  const within = (value: string): Search => {
    const preferenceMap = { ...preferences.preferenceMap, [facet]: [{ field: facet, value, negated: false }] };
    return { ...of, parameters: { ...of.parameters, userDefinedFacetPreferences: { ...preferences, preferenceMap } } };
  };
  const lists = ranges.map(within);
  const [first] = lists;
  if (!first) return [];
  const base = await conditionBase(deps, first);
  const conditions = lists.map((list) => conditionIn(base, list));
  const counts = conditions.map((condition) =>
    deps.pool.ask<'count'>(base.scope, of.context, { kind: 'count', condition }, of),
  );
  return (await Promise.all(counts)).map(({ total }) => total);
}

/** How long the stays of the list were expected to last, in whole days. Errors as `prepare`. */
export async function expectedStays(
  deps: SearchDeps,
  of: Search,
): Promise<{ stays: number; medianDays: number | null }> {
  const { scope, condition } = await prepare(deps, of);
  const number = columnOf(of.context, 'expectedDays');
  const { rows, median } = await deps.pool.ask<'median'>(scope, of.context, { kind: 'median', number, condition }, of);
  return { stays: rows, medianDays: median };
}

/** How many rows of the inbox have each status. */
export async function countByStatus(
  { pool }: Pick<SearchDeps, 'pool'>,
  { actor, now, after }: Pick<Search, 'actor' | 'now' | 'after'>,
): Promise<Record<ManagementStatus, number>> {
  const page = { sort: [], offset: 0, limit: 0, facets: ['managementStatus'], facetSize: 10 };
  const query = { filters: [], where: [], ...page };
  const { answer } = await pool.ask<'search'>(
    scopeOf(actor, 'PINGS'),
    'PINGS',
    { kind: 'search', query },
    { after, now },
  );
  const counts = { NEW: 0, IN_PROGRESS: 0, RESOLVED: 0, DISMISSED: 0 };
  for (const { value, count } of answer.facets['managementStatus']?.values ?? [])
    counts[value as ManagementStatus] = count;
  return counts;
}

/**
 * How many pings were told to the groups of `parameters.visibleTo` since then whose events match, each event of a person once, and of
 * how many persons (for the preview of a filter). The model says which events match, and PostgreSQL counts their pings.
 */
export function countPingsSince({ db, pool }: SearchDeps, clock: Clock) {
  return async (actor: Actor, parameters: SearchParameters, createdSince: Date) => {
    const scope = scopeOf(actor, 'PINGS');
    const now = clock();
    const today = todayOf(actor, now);
    const condition = conditionOf(parameters, { actor, scope, context: 'EVENTS', today });
    const { ignoredPatientIds: ignored = [] } = parameters;
    const without = await asActor(db, actor, 'canViewPings', (tx) => rowsOfPatients(tx, 'EVENTS', ignored));
    const since = { range: 'pingedAt', begin: Math.floor(createdSince.getTime() / 1000), end: null, negated: false };
    const page = { sort: [], offset: 0, limit: MOST_PREVIEWED, facets: [], facetSize: 0 };
    const query = { ...condition, without, where: [...condition.where, since], ...page };
    const { answer } = await pool.ask<'search'>(scope, 'EVENTS', { kind: 'search', query }, { after: null, now });
    const groupIds = parameters.visibleTo ?? scope.groupIds;
    return asActor(db, actor, 'canViewPings', (tx) => countPingsOfEvents(tx, answer.keys, groupIds, createdSince));
  };
}

const MOST_PREVIEWED = 1_000_000;

export const DEFAULT_PARAMETERS: SearchParameters = searchParameters.parse({});

/** One short hash a row, over all that the row shows, and one for the whole page. */
export async function resultHashes(deps: SearchDeps, of: Search): Promise<{ hashes: string[]; hash: string }> {
  const { patients, total } = await search(deps, { ...of, parameters: { ...of.parameters, termFacetSizeOverride: 0 } });
  const hashes = patients.map((patient) => hashOf(withoutClock(patient)));
  return { hashes, hash: hashOf([total, hashes]) };
}

/** What changes with the clock alone is no change of the row. */
function withoutClock(patient: Patient): unknown {
  const { currentPingEncounter: visit, ...rest } = patient;
  return { ...rest, currentPingEncounter: visit && { ...visit, lengthOfStay: null, visitDuration: null } };
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 12);
