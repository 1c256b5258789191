/**
 * A patient's care team: people to call, and the care plan of each program (docs/decisions/0055). A group changes its own records only. Row-level
 * security shows those of other groups to a group that lists the person now, but not what a 42 CFR Part 2 facility wrote.
 */
import { type CareTeamEntry, type CareTeamRecord, MOST_CARE_RECORDS, type ProgramOfPatient } from '#contract/care.ts';
import type { CallStamp } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { ApiError, orNotFound } from '#server/platform/http/api-error.ts';
import { auditCare } from './audit-care.ts';
import {
  addRecord,
  callNoneFirst,
  careTeamOf,
  careTeamRecordOf,
  changeRecord,
  endRecord,
  isFull,
  lastChange,
  lockCare,
  lockListing,
  programsOf,
} from './queries.ts';

/**
 * Returns a patient's care team, own records first. The care plan is null unless the user holds canViewCarePlans for the group that wrote it.
 * Errors: NOT_FOUND.
 */
export async function careTeam(tx: ActorTransaction, patientId: string): Promise<CareTeamRecord[]> {
  const { personId } = await resolvePatient(tx, patientId);
  return careTeamOf(tx, personId);
}

/** Returns a patient's programs, of the actor's groups and of others that share them. Errors: NOT_FOUND. */
export async function programs(tx: ActorTransaction, patientId: string): Promise<ProgramOfPatient[]> {
  const { personId } = await resolvePatient(tx, patientId);
  return programsOf(tx, personId);
}

/** Adds a record to the listing of the patient by one of the actor's groups. Errors: NOT_FOUND, BAD_REQUEST for too many. */
export async function addToCareTeam(
  tx: ActorTransaction,
  patientId: string,
  entry: CareTeamEntry,
  change: CallStamp,
): Promise<CareTeamRecord> {
  const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
  const listing = await lockListing(tx, personId);
  if (await isFull(tx, listing.id)) {
    const message = `A care team can have ${MOST_CARE_RECORDS} contacts at most. End one first.`;
    throw new ApiError('BAD_REQUEST', { message });
  }
  if (entry.isCalledFirst) await callNoneFirst(tx, listing.id);
  const recordId = await addRecord(tx, listing, entry, change.now);
  await auditCare(tx, 'care-team.add', { rosterPatientId, recordId }, change);
  return orNotFound(await careTeamRecordOf(tx, personId, recordId));
}

/** Changes a record. Errors: NOT_FOUND, also for another group's record; CHANGED_BY_OTHER. */
export async function changeCareTeam(
  tx: ActorTransaction,
  of: { patientId: string; recordId: string },
  { version, ...entry }: CareTeamEntry & { version?: string | undefined },
  change: CallStamp,
): Promise<CareTeamRecord> {
  const { recordId } = of;
  const { personId, rosterPatientId, record } = await ownRecord(tx, of);
  if (version !== undefined && record.version !== version)
    throw new ApiError('CHANGED_BY_OTHER', {
      standing: { version: record.version, last: await lastChange(tx, 'care_team_records', recordId) },
    });
  if (entry.isCalledFirst && !record.isCalledFirst) await callNoneFirst(tx, record.rosterPatientId);
  await changeRecord(tx, recordId, entry, change.now);
  await auditCare(tx, 'care-team.change', { rosterPatientId, recordId }, change);
  return orNotFound(await careTeamRecordOf(tx, personId, recordId));
}

/** Ends a record: no one sees it any more, and it stays in the database. Errors: NOT_FOUND, also for another group's record. */
export async function endCareTeam(
  tx: ActorTransaction,
  of: { patientId: string; recordId: string },
  change: CallStamp,
): Promise<void> {
  const { rosterPatientId } = await ownRecord(tx, of);
  await endRecord(tx, of.recordId, change.now);
  await auditCare(tx, 'care-team.end', { rosterPatientId, recordId: of.recordId }, change);
}

/** Returns a current record of one of the transaction's groups, after others who change it. */
async function ownRecord(tx: ActorTransaction, { patientId, recordId }: { patientId: string; recordId: string }) {
  const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
  const seen = orNotFound(await careTeamRecordOf(tx, personId, recordId));
  if (!tx.groupIds.includes(seen.groupId)) throw new ApiError('NOT_FOUND');
  await lockCare(tx, seen.rosterPatientId);
  return { personId, rosterPatientId, record: orNotFound(await careTeamRecordOf(tx, personId, recordId)) };
}
