/** Searches a list: its rows, their order, the counts of the filter panel, and the patients on a page. */
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
import { asActor } from '#server/people/access/door.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { type LoadedPatient, loadRows } from '#server/work/patients/load.ts';
import { explainRisks } from '#server/work/rising-risk/explain.ts';
import { type AccessScope, LIST_PERMISSIONS, mayUseFacet, scopeOf } from './access-scope.ts';
import type { Answer, Condition } from './columns/table.ts';
import { conditionOf } from './condition.ts';
import { dayOf } from './day-ranges.ts';
import { facetOptionOf } from './facet-options.ts';
import { countPingsOfEvents, patientKeys, rowsOfPatients } from './row-keys.ts';
import { orderOf } from './row-order.ts';
import { columnOf, columnOfFacet } from './schema.ts';
import type { SearchPool } from './search-threads.ts';

export interface SearchDeps {
  db: Database;
  pool: SearchPool;
}

export interface Search {
  actor: Actor;
  context: SearchContext;
  parameters: SearchParameters;
  now: Date;
  /** A transaction whose changes the answer must include; 'now': all committed transactions. */
  after: string | null;
  /** Whether the caller takes a page from a part of the list while the rest is being loaded. */
  takesPart?: boolean;
}

export type SearchResults = PatientResults & { facets: FacetCounts };

/** The inbox shows new pings unless a status is requested. */
function withDefaults(context: SearchContext, parameters: SearchParameters): SearchParameters {
  const preferences = parameters.userDefinedFacetPreferences;
  if (context !== 'PINGS' || preferences.preferenceMap.managementStatus?.length) return parameters;
  const managementStatus = [{ field: 'managementStatus', value: 'NEW', negated: false }];
  const preferenceMap = { ...preferences.preferenceMap, managementStatus };
  return { ...parameters, userDefinedFacetPreferences: { ...preferences, preferenceMap } };
}

export interface Prepared {
  scope: AccessScope;
  condition: Condition;
}

/** Returns what to ask the search threads for a search. Errors: BAD_REQUEST with field and reason, NOT_PERMITTED. */
export async function prepare(deps: Pick<SearchDeps, 'db'>, of: Search): Promise<Prepared> {
  const base = await conditionBase(deps, of);
  return { scope: base.scope, condition: conditionIn(base, of) };
}

/** What a condition needs besides the filters. Searches that differ only in a range share it. */
interface ConditionBase {
  scope: AccessScope;
  /** Days since 1970. */
  today: number;
  ignored: Pick<Condition, 'without'>;
}

async function conditionBase({ db }: Pick<SearchDeps, 'db'>, of: Search): Promise<ConditionBase> {
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

/** Returns the user's current date, in days since 1970. */
const todayOf = ({ timeZone }: Actor, now: Date): number => dayOf(localDateOf(now.getTime(), timeZone)) ?? 0;

/** Runs a search. Errors as `prepare`. */
export async function search(deps: SearchDeps, of: Search): Promise<SearchResults> {
  const { actor, context, parameters, now, after, takesPart } = of;
  const { scope, condition } = await prepare(deps, of);
  const { pageNumber, pageSize, termFacetSizeOverride: facetSize = TERM_FACET_SIZE } = parameters;
  const facets =
    facetSize === 0 ? [] : TERM_FACETS.filter((facet) => hasFacet(context, facet) && mayUseFacet(actor, scope, facet));
  const query = {
    ...condition,
    sort: orderOf(parameters, context, now),
    offset: (pageNumber - 1) * pageSize,
    limit: pageSize,
    facets: facets.map((facet) => columnOfFacet(context, facet)),
    facetSize,
  };
  const { answer, descriptions, isWhole } = await deps.pool.ask<'search'>(
    scope,
    context,
    { kind: 'search', query },
    { after, takesPart, now },
  );
  const rows = await asActor(
    deps.db,
    actor,
    LIST_PERMISSIONS[context],
    async (tx) => loadRows(tx, await patientKeys(tx, context, answer.keys), now),
    { byKeys: true, readOnly: true },
  );
  const isRiskList = (parameters.userDefinedFacetPreferences.preferenceMap.riskList?.length ?? 0) > 0;
  return {
    patients: isRiskList ? await withRisks(deps.db, actor, rows, now) : rows.map(({ patient }) => patient),
    total: answer.total,
    numPages: Math.ceil(answer.total / pageSize),
    ...(!isWhole && { isCounting: true }),
    facets: countsOf(facets, context, answer, descriptions),
  };
}

/** Returns the patients, each with the reasons for being on the list of rising risk. */
async function withRisks(db: Database, actor: Actor, rows: readonly LoadedPatient[], now: Date): Promise<Patient[]> {
  const personIds = rows.map(({ personId }) => personId);
  const risks = await asActor(db, actor, 'canViewRiskingRisk', (tx) => explainRisks(tx, personIds, now), {
    readOnly: true,
  });
  return rows.map(({ patient, personId }) => {
    const risk = risks.get(personId);
    return risk ? { ...patient, risk } : patient;
  });
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

/** Returns how many rows match. Errors as `prepare`. */
export async function countRows(deps: SearchDeps, of: Search): Promise<number> {
  const { scope, condition } = await prepare(deps, of);
  const { total } = await deps.pool.ask<'count'>(scope, of.context, { kind: 'count', condition }, of);
  return total;
}

/** Counts the rows of a saved filter. Returns null if the actor may no longer use the list or a facet, or if a value is no longer valid. */
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

/** Counts the rows in each range of a facet, instead of the list's own range. Errors as `prepare`. */
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

/** Returns the median expected length of the list's stays, in whole days. Errors as `prepare`. */
export async function expectedStays(
  deps: SearchDeps,
  of: Search,
): Promise<{ stays: number; medianDays: number | null }> {
  const { scope, condition } = await prepare(deps, of);
  const number = columnOf(of.context, 'expectedDays');
  const { rows, median } = await deps.pool.ask<'median'>(scope, of.context, { kind: 'median', number, condition }, of);
  return { stays: rows, medianDays: median };
}

/** Counts the rows of the inbox by status, and those that need action. */
export async function countInbox(
  { pool }: Pick<SearchDeps, 'pool'>,
  { actor, now, after }: Pick<Search, 'actor' | 'now' | 'after'>,
): Promise<{ byStatus: Record<ManagementStatus, number>; needsAction: number }> {
  const page = { sort: [], offset: 0, limit: 0, facets: ['managementStatus', 'needsAction'], facetSize: 10 };
  const query = { filters: [], where: [], ...page };
  const { answer } = await pool.ask<'search'>(
    scopeOf(actor, 'PINGS'),
    'PINGS',
    { kind: 'search', query },
    { after, now },
  );
  const byStatus = { NEW: 0, IN_PROGRESS: 0, RESOLVED: 0, DISMISSED: 0 };
  for (const { value, count } of answer.facets['managementStatus']?.values ?? [])
    byStatus[value as ManagementStatus] = count;
  const [needed] = answer.facets['needsAction']?.values ?? [];
  return { byStatus, needsAction: needed?.count ?? 0 };
}

/**
 * Counts the pings that the groups of `parameters.visibleTo` got since then for events that match, each event once per person, and the
 * persons. Used to preview a filter: the search finds the events, and PostgreSQL counts their pings.
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

/** The parameters of a list without filters. */
export const DEFAULT_PARAMETERS: SearchParameters = searchParameters.parse({});

interface ResultHashes {
  hashes: string[];
  hash: string;
}

/** Returns the hashes of a search's page. */
export const resultHashes = async (deps: SearchDeps, of: Search): Promise<ResultHashes> =>
  hashesOf(await search(deps, { ...of, parameters: { ...of.parameters, termFacetSizeOverride: 0 } }));

/** Returns a short hash of each row, over everything the row shows, and one of the whole page. */
export function hashesOf({ patients, total }: PatientResults): ResultHashes {
  const hashes = patients.map((patient) => hashOf(withoutClock(patient)));
  return { hashes, hash: hashOf([total, hashes]) };
}

/** Leaves out what changes only because time passes. */
function withoutClock(patient: Patient): unknown {
  const { currentPingEncounter: visit, ...rest } = patient;
  return { ...rest, currentPingEncounter: visit && { ...visit, lengthOfStay: null, visitDuration: null } };
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 12);
