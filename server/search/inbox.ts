/**
 * The inbox: one row a person and encounter with pings, by its newest ping (decisions, "Rows"). A row has the status of that
 * ping: what came before it in the same encounter is told by the newest.
 */
import { createHash } from 'node:crypto';
import { MANAGEMENT_STATUSES, type ManagementStatus } from '#contract/management-status.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import type { SearchParameters, SortKey } from '#contract/search.ts';
import type { ActorTransaction } from '#server/access/door.ts';
import { ApiError } from '#server/api-error.ts';
import { join, type Sql, sql } from '#server/database/sql.ts';
import { loadPatients, type PatientKey } from '#server/patients/load.ts';

const OPEN: ManagementStatus[] = ['NEW', 'IN_PROGRESS'];
const RESOLVED: ManagementStatus[] = ['RESOLVED', 'DISMISSED'];

export async function searchInbox(
  tx: ActorTransaction,
  parameters: SearchParameters,
  now: Date,
): Promise<PatientResults> {
  const { keys, total } = await pageOf(tx, parameters);
  return { patients: await loadPatients(tx, keys, now), total, numPages: Math.ceil(total / parameters.pageSize) };
}

/** One short hash a row, over all that the row shows, and one for the whole page. */
export async function inboxHashes(
  tx: ActorTransaction,
  parameters: SearchParameters,
  now: Date,
): Promise<{ hashes: string[]; hash: string }> {
  const { patients, total } = await searchInbox(tx, parameters, now);
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

async function countInbox(tx: ActorTransaction, statuses: readonly ManagementStatus[]): Promise<number> {
  const { rows } = await tx.query<{ count: string }>(
    sql`select count(*) from (${rowsWith(tx.groupIds, statuses)}) as rows`,
  );
  return Number(rows[0]?.count);
}

export const countOpen = (tx: ActorTransaction): Promise<number> => countInbox(tx, OPEN);
export const countResolved = (tx: ActorTransaction): Promise<number> => countInbox(tx, RESOLVED);

/**
 * How many rows have each status. In one go over all current pings: where a team has several groups, looking for a newer one of
 * each ping takes several times as long.
 */
export async function countByStatus(tx: ActorTransaction): Promise<Record<ManagementStatus, number>> {
  const current = sql`p.group_id = any(${tx.groupIds}::bigint[]) and p.is_current`;
  const newest = isOneGroup(tx.groupIds)
    ? sql`select p.management_status as status from pings p where ${current}`
    : sql`
      select distinct on (r.person_id, p.encounter_id) p.management_status as status
      from pings p join roster_patients r on r.id = p.roster_patient_id where ${current}
      order by r.person_id, p.encounter_id, p.state = 'CANCELLED', p.event_at desc, p.event_id desc,
        p.status_id desc nulls last, p.id desc`;
  const { rows } = await tx.query<{ status: ManagementStatus; count: number }>(
    sql`select status, count(*)::int as count from (${newest}) as newest group by status`,
  );
  const counts = { NEW: 0, IN_PROGRESS: 0, RESOLVED: 0, DISMISSED: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/** Then a current ping is a row: there is one a person and encounter. */
const isOneGroup = (groupIds: readonly string[]): boolean => groupIds.length < 2;

/**
 * The rows of some groups in some statuses, each with its newest ping. A group's own newest ping is marked (`is_current`);
 * where several groups of the team have one, the newest of those counts, and of equal ones the status that was set last.
 */
function rowsWith(groupIds: readonly string[], statuses: readonly ManagementStatus[]): Sql {
  const isNewest = isOneGroup(groupIds)
    ? sql`true`
    : sql`not exists (
        select from pings q join roster_patients s on s.id = q.roster_patient_id
        where q.encounter_id = p.encounter_id and q.group_id = any(${groupIds}::bigint[]) and q.id <> p.id
          and s.person_id = r.person_id and q.is_current
          and (q.state <> 'CANCELLED', q.event_at, q.event_id, coalesce(q.status_id, 0), q.id)
            > (p.state <> 'CANCELLED', p.event_at, p.event_id, coalesce(p.status_id, 0), p.id))`;
  return sql`
    select r.person_id, p.encounter_id, p.event_at, p.status_at, r.sort_last, r.sort_first
    from pings p join roster_patients r on r.id = p.roster_patient_id
    where p.group_id = any(${groupIds}::bigint[]) and p.is_current and p.management_status = any(${statuses}::text[])
      and ${isNewest}`;
}

async function pageOf(
  tx: ActorTransaction,
  parameters: SearchParameters,
): Promise<{ keys: PatientKey[]; total: number }> {
  const { pageNumber, pageSize } = parameters;
  const groups = groupsOf(tx, parameters);
  const { rows } = await tx.query<PatientKey & { total: string }>(sql`
    with matching as materialized (${rowsWith(groups, statusesOf(parameters))})
    select m.person_id as "personId", m.encounter_id as "encounterId", (select count(*) from matching) as total
    from matching m join encounters e on e.id = m.encounter_id
    order by ${orderOf(parameters)}
    limit ${pageSize} offset ${(pageNumber - 1) * pageSize}`);
  if (rows.length === 0 && pageNumber > 1)
    return { keys: [], total: await countInbox({ ...tx, groupIds: groups }, statusesOf(parameters)) };
  return { keys: rows, total: Number(rows[0]?.total ?? 0) };
}

function groupsOf(
  tx: ActorTransaction,
  { visibleTo, userDefinedFacetPreferences }: SearchParameters,
): readonly string[] {
  const wanted = userDefinedFacetPreferences.preferenceMap.group;
  return tx.groupIds
    .filter((id) => !visibleTo?.length || visibleTo.includes(id))
    .filter((id) => !wanted?.length || selects(wanted, id));
}

function statusesOf({ userDefinedFacetPreferences }: SearchParameters): ManagementStatus[] {
  const wanted = userDefinedFacetPreferences.preferenceMap.managementStatus;
  // The default filter of the open list (specification, second file, section 4).
  if (!wanted?.length) return ['NEW'];
  const unknown = wanted.find(({ value }) => !(MANAGEMENT_STATUSES as readonly string[]).includes(value));
  if (unknown)
    throw new ApiError('BAD_REQUEST', { fields: { managementStatus: 'There is no such management status.' } });
  return MANAGEMENT_STATUSES.filter((status) => selects(wanted, status));
}

/** OR among the values that are wanted, none of the negated ones. */
function selects(filters: readonly { value: string; negated: boolean }[], value: string): boolean {
  const positive = filters.filter(({ negated }) => !negated);
  const isExcluded = filters.some((filter) => filter.negated && filter.value === value);
  return !isExcluded && (positive.length === 0 || positive.some((filter) => filter.value === value));
}

const SORTS: Record<SortKey, Sql> = {
  FIRST_NAME: sql`m.sort_first`,
  LAST_NAME: sql`m.sort_last`,
  MANAGEMENT_STATUS_DATE: sql`coalesce(m.status_at, m.event_at)`,
  PING_ENCOUNTER_DATE: sql`m.event_at`,
  VISIT_DURATION: sql`e.discharged_at - e.admitted_at`,
  LENGTH_OF_STAY: sql`e.admitted_at`,
};

/** Stable: equal rows stand in the order of their ids. */
function orderOf({ sortBy, sortOrder }: SearchParameters): Sql {
  const direction = (key: SortKey) => {
    // A long stay began early.
    const isDescending = (sortOrder === 'DESC') !== (key === 'LENGTH_OF_STAY');
    return isDescending ? sql`${SORTS[key]} desc nulls last` : sql`${SORTS[key]} asc nulls last`;
  };
  const keys = sortBy.length > 0 ? sortBy : (['PING_ENCOUNTER_DATE'] as const);
  return join([...keys.map(direction), sql`m.encounter_id desc`, sql`m.person_id desc`], ', ');
}
