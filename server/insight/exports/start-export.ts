/** What a user may export, and the start of an export. */
import {
  EXPORT_FIELD_IDS,
  EXPORTS_AT_ONCE,
  EXPORTS_KEPT,
  type ExportFieldId,
  exportFieldWords,
} from '#contract/export-fields.ts';
import type { EncountersExportQuery, ExportField, ExportJob } from '#contract/exports.ts';
import type { SearchContext } from '#contract/facets.ts';
import type { SearchParameters } from '#contract/search.ts';
import type { Actor, CallStamp } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { usDate } from '#server/platform/calendar/us-dates.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { countJobs, type ExportParameters, lockStarts, type NewExport, storeJob } from './queries.ts';
import { permissionOf } from './run-export.ts';

const TOO_MANY_RUNNING = `You already have ${EXPORTS_AT_ONCE} exports in progress, so this one wasn't started. Wait until one of them is finished or cancel one in Recent Exports, then try again.`;
const TOO_MANY_KEPT = `You have ${EXPORTS_KEPT} exports, so this one wasn't started. Delete some in Recent Exports, then try again.`;

/** Returns the groups to export for. Errors: NOT_PERMITTED if the actor may not view the patients of one of them. */
function groupsFor(actor: Actor, asked: readonly string[]): string[] {
  const held = actor.groupsWith('canViewPatients');
  if (!asked.every((id) => held.includes(id))) throw new ApiError('NOT_PERMITTED');
  return asked.length > 0 ? [...new Set(asked)] : held;
}

/** A field needs its permission in one of the groups. Its values then come only from the groups where the actor has it. */
const mayExport = (actor: Actor, groupIds: readonly string[]) => (id: ExportFieldId) => {
  const { permission } = exportFieldWords(id);
  return permission === undefined || groupIds.some((group) => actor.permissions.get(group)?.has(permission));
};

/** Returns the fields that an export for these groups can have. Errors as `groupsFor`. */
export function fieldsFor(actor: Actor, asked: readonly string[]): ExportField[] {
  return EXPORT_FIELD_IDS.filter(mayExport(actor, groupsFor(actor, asked))).map((id) => {
    const { label, section, isDefault = false } = exportFieldWords(id);
    return { id, label, section, isDefault };
  });
}

/** Returns the export that a query asks for. Errors: NOT_PERMITTED for a group or a field. */
export function encountersExport(actor: Actor, query: EncountersExportQuery): NewExport {
  const groupIds = groupsFor(actor, query.groupIds);
  const mayHave = mayExport(actor, groupIds);
  if (!query.fields.every(mayHave)) throw new ApiError('NOT_PERMITTED');
  const isChosen = (id: ExportFieldId) =>
    query.fields.length > 0 ? query.fields.includes(id) : exportFieldWords(id).isDefault === true && mayHave(id);
  const { beginDate = null, endDate = null } = query;
  return {
    name: `Encounters, ${datesInWords(beginDate, endDate)}`,
    exportType: query.exportType,
    parameters: {
      kind: 'ENCOUNTERS',
      fields: EXPORT_FIELD_IDS.filter(isChosen),
      statuses: query.statuses,
      beginDate,
      endDate,
    },
    groupIds,
    keys: null,
  };
}

function datesInWords(begin: string | null, end: string | null): string {
  const [from, to] = [begin, end].map((day) => usDate(day, 'UTC'));
  if (from && to) return `${from} to ${to}`;
  return from ? `since ${from}` : to ? `until ${to}` : 'all dates';
}

const LIST_NAMES: Record<SearchContext, string> = { ALL: 'Patients list', PINGS: 'Pings list', EVENTS: 'Events list' };

/** Returns the export of a list that was searched with these parameters. */
export const listExport = (
  context: SearchContext,
  { userDefinedFacetPreferences: searched, ignoredPatientIds = [], visibleTo = [] }: SearchParameters,
  { filterName, ...of }: Pick<NewExport, 'exportType' | 'groupIds' | 'keys'> & { filterName: string | null },
): NewExport => {
  const { preferenceMap, openPatientsOnly, query, dateOfBirth } = searched;
  const typed = { hasText: query.trim() !== '', hasBirthDate: dateOfBirth !== null };
  const limits = { filterName, preferenceMap, openPatientsOnly, ...typed, hidden: ignoredPatientIds.length };
  return {
    ...of,
    name: LIST_NAMES[context],
    parameters: { kind: 'LIST', context, limits: { ...limits, groupIds: visibleTo.length > 0 ? visibleTo : null } },
  };
};

/** Returns whether a file has less than everything of its kind, which its name says. */
export function isLimited(parameters: ExportParameters): boolean {
  if (parameters.kind === 'ENCOUNTERS')
    return parameters.statuses.length > 0 || parameters.beginDate !== null || parameters.endDate !== null;
  const { limits } = parameters;
  if (!limits) return false;
  const { preferenceMap, openPatientsOnly, hasText, hasBirthDate, hidden, groupIds } = limits;
  return (
    openPatientsOnly ||
    hasText ||
    hasBirthDate ||
    hidden > 0 ||
    groupIds !== null ||
    Object.keys(preferenceMap).length > 0
  );
}

/** Starts an export. Errors: TOO_MANY_REQUESTS. */
export function startExport(
  db: Database,
  actor: Actor,
  of: NewExport,
  { requestId, now }: CallStamp,
): Promise<ExportJob> {
  return asActor(db, actor, permissionOf(of.parameters), async (tx) => {
    await lockStarts(tx, actor.userId);
    const { running, kept } = await countJobs(tx, actor.userId, now);
    if (running >= EXPORTS_AT_ONCE) throw new ApiError('TOO_MANY_REQUESTS', { message: TOO_MANY_RUNNING });
    if (kept >= EXPORTS_KEPT) throw new ApiError('TOO_MANY_REQUESTS', { message: TOO_MANY_KEPT });
    const job = await storeJob(tx, of, now);
    // The limits of a list are values of filters.
    const { limits: _, ...asked } = { limits: undefined, ...of.parameters };
    const detail = { ...asked, exportType: of.exportType, groupIds: of.groupIds, total: job.total };
    await writeAudit(tx, { action: 'export.start', subject: 'export', subjectId: job.id, detail, requestId, now });
    return job;
  });
}
