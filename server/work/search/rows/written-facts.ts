/** What was written about a person, for the facets "Discharge Summary" and "Patient Story Information". Pure, except for the statements. */
import type { Permission } from '#contract/permissions.ts';
import type { GroupsTransaction } from '#server/people/access/door.ts';
import { discloses } from '#server/people/access/policy.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { AccessScope } from '../access-scope.ts';

/** A current document. */
export interface DocumentFacts {
  personId: string;
  /** Null for a document that belongs to no visit. */
  encounterId: string | null;
  facilityId: string;
  isPart2: boolean;
  isRestricted: boolean;
  isDischargeSummary: boolean;
}

/** An instruction, or a record with a care plan, of one of the transaction's groups. */
export interface CareFacts {
  personId: string;
  groupId: string;
  kind: 'CARE_INSTRUCTIONS' | 'CARE_PLAN';
}

/** SQL: the columns of `DocumentFacts`. `asked`: condition on a person's id. */
export const documentColumns = (asked: Sql): Sql => sql`
  select json_build_object('personId', json_agg(d.person_id::text), 'encounterId', json_agg(d.encounter_id::text),
    'facilityId', json_agg(d.group_id::text), 'isPart2', json_agg(g.is_part2_facility),
    'isRestricted', json_agg(d.is_restricted), 'isDischargeSummary', json_agg(d.is_discharge_summary))
  from documents d join groups g on g.id = d.group_id
  where d.person_id = ${asked} and d.status = 'CURRENT' and d.act <> 'CANCEL'`;

/** SQL: the columns of `CareFacts`. */
export const careColumns = (tx: GroupsTransaction, asked: Sql): Sql => sql`
  select json_build_object('personId', json_agg(r.person_id::text), 'groupId', json_agg(r.group_id::text), 'kind', json_agg(care.kind))
  from roster_patients r cross join lateral (
    select 'CARE_INSTRUCTIONS' as kind from care_instructions i where i.roster_patient_id = r.id and i.ended_at is null
    union
    select 'CARE_PLAN' from care_team_records t where t.roster_patient_id = r.id and t.ended_at is null and t.content is not null) care
  where r.person_id = ${asked} and r.group_id = any (${tx.groupIds}::bigint[])`;

export interface WrittenContext {
  scope: AccessScope;
  /** Consents in force, each as 'facility recipient'. */
  consents: ReadonlySet<string>;
  /** Ids of the visits that the scope's groups may read. */
  readable: ReadonlyMap<string, unknown>;
  /** Oldest first. */
  listings: readonly { groupId: string; hasLeft: boolean }[];
}

/** Returns the groups of the scope that have the permission. */
const groupsWith = ({ groupIds, partialGrants }: AccessScope, permission: Permission): readonly string[] =>
  partialGrants[permission] ?? groupIds;

/** `mayReadDocument` of server/people/access/policy.ts for the groups, for facts already in memory. */
function mayRead(
  of: DocumentFacts,
  groupIds: readonly string[],
  { consents, readable, listings }: WrittenContext,
): boolean {
  if (groupIds.includes(of.facilityId)) return true;
  const isConsented = (groupId: string) => consents.has(`${of.facilityId} ${groupId}`);
  if (of.isRestricted && !groupIds.some(isConsented)) return false;
  if (of.encounterId !== null) return readable.has(of.encounterId);
  return listings.some(
    ({ groupId, hasLeft }) =>
      !hasLeft &&
      groupIds.includes(groupId) &&
      discloses({ id: of.facilityId, isPart2: of.isPart2 }, consents, groupId),
  );
}

/** Whether discharge summaries of the person are shown: by the oldest listing, which the patient's id names. */
function seesSummaries({ scope, listings }: WrittenContext): boolean {
  const creating = listings[0]?.groupId ?? '';
  return (['canViewDischargeSummaries', 'canViewCcdDischargeInfo'] as const).every((permission) =>
    groupsWith(scope, permission).includes(creating),
  );
}

/** Returns the ids of the visits with a discharge summary that the scope's users may see. */
export function visitsWithSummary(documents: readonly DocumentFacts[], context: WrittenContext): Set<string> {
  if (!seesSummaries(context)) return new Set();
  const groupIds = groupsWith(context.scope, 'canViewDischargeSummaries');
  const shown = documents.filter((each) => each.isDischargeSummary && mayRead(each, groupIds, context));
  return new Set(shown.flatMap(({ encounterId }) => encounterId ?? []));
}

/** Returns which of instructions, care plan and documents there are. */
export function storyInformation(
  { documents, care }: { documents: readonly DocumentFacts[]; care: readonly CareFacts[] },
  context: WrittenContext,
): string[] {
  const [ccds, plans] = [groupsWith(context.scope, 'canViewCcds'), groupsWith(context.scope, 'canViewCarePlans')];
  const hasDocument = documents.some(
    (each) => mayRead(each, ccds, context) && (!each.isDischargeSummary || seesSummaries(context)),
  );
  const kinds = new Set(care.filter(({ groupId }) => plans.includes(groupId)).map(({ kind }) => kind));
  return [...[...kinds].sort(), ...(hasDocument ? ['CCD'] : [])];
}
