/**
 * Who sees discharge summaries, and which a visit has. It takes canViewCcdDischargeInfo and canViewDischargeSummaries for the patient's
 * creating group (the listing in the patient's id), and a user who has not left the feature.
 */
import type { DischargeInfo } from '#contract/documents.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { type ResolvedPatient, resolvePatient } from '#server/people/access/patient.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { creatingGroupOf, type DocumentRow, documentRows, optedOut } from './queries.ts';

/** Whether the user may see discharge summaries of the patient. */
export async function seesDischargeSummaries(tx: ActorTransaction, rosterPatientId: string): Promise<boolean> {
  const flags = tx.actor.permissions.get(await creatingGroupOf(tx, rosterPatientId));
  const isPermitted = flags?.has('canViewCcdDischargeInfo') && flags.has('canViewDischargeSummaries');
  return isPermitted === true && !(await optedOut(tx));
}

/** Returns the patient. Errors: NOT_FOUND, NOT_PERMITTED. */
async function patientWithSummaries(tx: ActorTransaction, patientId: string): Promise<ResolvedPatient> {
  const patient = await resolvePatient(tx, patientId);
  if (!(await seesDischargeSummaries(tx, patient.rosterPatientId))) throw new ApiError('NOT_PERMITTED');
  return patient;
}

/** Returns the discharge documents of visits, in the order asked; a visit that is not the patient's has none. Errors: NOT_FOUND, NOT_PERMITTED. */
export async function listDischargeInfo(
  tx: ActorTransaction,
  patientId: string,
  encounterIds: readonly string[],
): Promise<DischargeInfo[]> {
  const { personId } = await patientWithSummaries(tx, patientId);
  const rows = await documentRows(
    tx,
    sql`d.person_id = ${personId} and d.encounter_id = any (${encounterIds}::bigint[])`,
  );
  return encounterIds.map((encounterId) => {
    const own = rows.filter((row) => row.encounterId === encounterId);
    return {
      encounterId,
      dischargeSummaryUuid: summaryAmong(own)?.uuid ?? null,
      ccdUuid: clinicalAmong(own.filter(({ isDischargeSummary }) => !isDischargeSummary))?.uuid ?? null,
    };
  });
}

/** Returns the newest clinical document of rows that are newest first; one that can be read before one that can't. */
export const clinicalAmong = (rows: readonly DocumentRow[]): DocumentRow | undefined => {
  const clinical = rows.filter(({ kind }) => kind === 'CCDA');
  return clinical.find(({ problem }) => problem === null) ?? clinical[0];
};

/** The newest that is no addendum: one that a system sent before one that someone uploaded by a link, a clinical document before a file. */
const summaryAmong = (rows: readonly DocumentRow[]): DocumentRow | undefined => {
  const all = rows.filter(({ isDischargeSummary, isAddendum }) => isDischargeSummary && !isAddendum);
  const sent = all.filter(({ uploadedBy }) => uploadedBy === null);
  const summaries = sent.length > 0 ? sent : all;
  return summaries.find(({ kind, problem }) => kind === 'CCDA' && problem === null) ?? summaries[0];
};

/** Returns a discharge summary of the patient. Errors: NOT_FOUND, NOT_PERMITTED. */
export async function summaryByUuid(tx: ActorTransaction, patientId: string, uuid: string): Promise<DocumentRow> {
  const { personId } = await patientWithSummaries(tx, patientId);
  const [row] = await documentRows(tx, sql`d.uuid = ${uuid} and d.person_id = ${personId} and d.is_discharge_summary`);
  if (row === undefined) throw new ApiError('NOT_FOUND');
  return row;
}

/** Returns the discharge summary of the patient's visit that a system sent; undefined if there is none that the user may open. */
export async function sentSummary(
  tx: ActorTransaction,
  { personId, encounterId, rosterPatientId }: ResolvedPatient,
): Promise<DocumentRow | undefined> {
  if (encounterId === null) return undefined;
  const groupIds = tx.groupIds.filter((groupId) => tx.actor.permissions.get(groupId)?.has('canViewCcds'));
  if (groupIds.length === 0 || !(await seesDischargeSummaries(tx, rosterPatientId))) return undefined;
  const rows = await documentRows(
    { ...tx, groupIds },
    sql`d.person_id = ${personId} and d.encounter_id = ${encounterId} and d.is_discharge_summary and d.uploaded_by is null`,
  );
  return summaryAmong(rows);
}

/** Returns the discharge summary of a visit of the patient. Errors: NOT_FOUND, also if it has none; NOT_PERMITTED. */
export async function summaryOfVisit(
  tx: ActorTransaction,
  patientId: string,
  encounterId: string,
): Promise<DocumentRow> {
  const { personId } = await patientWithSummaries(tx, patientId);
  const row = summaryAmong(await documentRows(tx, sql`d.person_id = ${personId} and d.encounter_id = ${encounterId}`));
  if (row === undefined) throw new ApiError('NOT_FOUND');
  return row;
}
