/** Admit and discharge care instructions, in the order that the group gave them (docs/decisions/0055). Shared like the care team. */
import { type CareInstruction, type Instructions, MOST_CARE_RECORDS } from '#contract/care.ts';
import type { CallStamp } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { ApiError, orNotFound } from '#server/platform/http/api-error.ts';
import { auditCare } from './audit-care.ts';
import {
  endInstructionRow,
  type InstructionKind,
  type InstructionRow,
  insertInstruction,
  instructionOf,
  instructionsOf,
  orderOf,
  updateInstruction,
  writeOrder,
} from './instruction-queries.ts';
import { lastChange, lockCare, lockListing } from './queries.ts';

/** Which instruction of which patient. */
export interface InstructionIds {
  patientId: string;
  instructionId: string;
}

/** Returns a patient's instructions, own ones first. Errors: NOT_FOUND. */
export async function listInstructions(tx: ActorTransaction, patientId: string): Promise<Instructions> {
  const { personId } = await resolvePatient(tx, patientId);
  const rows = await instructionsOf(tx, personId);
  const ofKind = (kind: InstructionKind) => rows.filter((row) => row.kind === kind).map(answered);
  return { admitInstructions: ofKind('ADMIT'), dischargeInstructions: ofKind('DISCHARGE') };
}

/** Adds an instruction after the others of its kind. Errors: NOT_FOUND, BAD_REQUEST for too many. */
export async function addInstruction(
  tx: ActorTransaction,
  patientId: string,
  { kind, instruction }: { kind: InstructionKind; instruction: string },
  change: CallStamp,
): Promise<CareInstruction> {
  const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
  const listing = await lockListing(tx, personId);
  const others = await orderOf(tx, listing.id, kind);
  if (others.length >= MOST_CARE_RECORDS) {
    const message = `A patient can have ${MOST_CARE_RECORDS} instructions of each kind. Remove one first.`;
    throw new ApiError('BAD_REQUEST', { message });
  }
  const id = await insertInstruction(tx, listing, { kind, instruction, order: others.length + 1 }, change.now);
  await auditCare(tx, 'care-instructions.add', { rosterPatientId, instructionId: id }, change);
  return answered(orNotFound(await instructionOf(tx, personId, id)));
}

/** Changes an instruction's text and, if it is given, its place; the others move. Errors: NOT_FOUND, also for another group's; CHANGED_BY_OTHER. */
export async function changeInstruction(
  tx: ActorTransaction,
  of: InstructionIds,
  {
    instruction,
    instructionOrder,
    version,
  }: { instruction: string; instructionOrder?: number | undefined; version?: string | undefined },
  change: CallStamp,
): Promise<CareInstruction> {
  const { instructionId } = of;
  const { personId, rosterPatientId, row } = await ownInstruction(tx, of);
  if (version !== undefined && row.version !== version)
    throw new ApiError('CHANGED_BY_OTHER', {
      standing: { version: row.version, last: await lastChange(tx, 'care_instructions', instructionId) },
    });
  await updateInstruction(tx, instructionId, instruction, change.now);
  if (instructionOrder !== undefined) {
    const others = (await orderOf(tx, row.rosterPatientId, row.kind)).filter((id) => id !== instructionId);
    await writeOrder(tx, others.toSpliced(instructionOrder - 1, 0, instructionId));
  }
  await auditCare(tx, 'care-instructions.change', { rosterPatientId, instructionId }, change);
  return answered(orNotFound(await instructionOf(tx, personId, instructionId)));
}

/** Ends an instruction, with its form. Errors: NOT_FOUND, also for another group's. */
export async function endInstruction(tx: ActorTransaction, of: InstructionIds, change: CallStamp): Promise<void> {
  const { instructionId } = of;
  const { rosterPatientId, row } = await ownInstruction(tx, of);
  await endInstructionRow(tx, instructionId, change.now);
  await writeOrder(tx, await orderOf(tx, row.rosterPatientId, row.kind));
  await auditCare(tx, 'care-instructions.end', { rosterPatientId, instructionId }, change);
}

/** Returns a current instruction of one of the transaction's groups, after others who change it. Errors: NOT_FOUND. */
export async function ownInstruction(tx: ActorTransaction, { patientId, instructionId }: InstructionIds) {
  const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
  const seen = orNotFound(await instructionOf(tx, personId, instructionId));
  if (!tx.groupIds.includes(seen.groupId)) throw new ApiError('NOT_FOUND');
  await lockCare(tx, seen.rosterPatientId);
  return { personId, rosterPatientId, row: orNotFound(await instructionOf(tx, personId, instructionId)) };
}

const answered = ({ kind: _, rosterPatientId: __, ...instruction }: InstructionRow): CareInstruction => instruction;
