/** The form of an instruction: received, stored in PostgreSQL in chunks, and read back chunk by chunk. */
import type { z } from 'zod';
import type { careForm } from '#contract/care.ts';
import { FORM_MAX_BYTES } from '#contract/care-limits.ts';
import type { CallStamp } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { receiveFile, type SLOWEST_UPLOAD } from '#server/platform/http/receive-bytes.ts';
import { type RunTask, TaskEndedError } from '#server/platform/threads/task-threads.ts';
import { auditCare } from './audit-care.ts';
import { nameOfForm, typeOfBytes } from './form-file.ts';
import { instructionOf } from './instruction-queries.ts';
import { type InstructionIds, ownInstruction } from './instructions.ts';
import { activeContentOf } from './pdf-content.ts';

export type CareForm = z.infer<typeof careForm>;

/** Bytes. */
const CHUNK = 256 * 1024;

const TOO_LARGE = 'The form is larger than 10 MB, so it was not saved. Try a smaller file.';
const STALLED = 'The file stopped arriving, so it was not saved. Check your connection, then upload the file again.';
const WRONG_TYPE = 'This file is not a PDF, PNG, or JPEG, so it was not saved. Choose another file.';
const REFUSED_PDF = {
  active: 'This PDF contains scripts or attached files, so it was not saved. Print it to a new PDF, then upload that.',
  unreadable: "This PDF can't be checked for scripts, so it was not saved. Print it to a new PDF, then upload that.",
} as const;

/**
 * Reads an uploaded file to its end, and refuses it if `check` says why. Errors: TOO_LARGE, UPLOAD_STALLED, and BAD_REQUEST for a type that is not accepted, and for a PDF that may
 * do something when it is opened.
 */
export async function receiveForm(
  bytes: AsyncIterable<Uint8Array>,
  check: (file: Buffer) => Promise<string | null>,
  slowest?: typeof SLOWEST_UPLOAD,
): Promise<Buffer> {
  const file = await receiveFile(bytes, { most: FORM_MAX_BYTES, slowest, tooLarge: TOO_LARGE, stalled: STALLED });
  const refusal = await check(file);
  if (refusal !== null) throw new ApiError('BAD_REQUEST', { message: refusal, fields: { file: refusal } });
  return file;
}

/** What a thread is asked: why a file is refused. */
export interface FormTask {
  kind: 'form';
  bytes: Uint8Array;
}

/** Returns why a file is not accepted, or null. */
export function refusalOfForm({ bytes }: FormTask): string | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const type = typeOfBytes(file);
  if (type === null) return WRONG_TYPE;
  const found = type === 'application/pdf' ? activeContentOf(file) : null;
  return found && REFUSED_PDF[found];
}

/** Checks a file of a user in a thread. A PDF that takes too long is one that can't be checked. */
export const checkForm =
  (run: RunTask, userId: string) =>
  async (bytes: Buffer): Promise<string | null> => {
    try {
      return (await run(userId, { kind: 'form', bytes } satisfies FormTask)) as string | null;
    } catch (error) {
      if (error instanceof TaskEndedError) return REFUSED_PDF.unreadable;
      throw error;
    }
  };

/** Stores a received form in place of the one that the instruction had. Errors: NOT_FOUND, also for another group's instruction. */
export async function storeForm(
  tx: ActorTransaction,
  of: InstructionIds,
  { name, bytes }: { name: string; bytes: Buffer },
  change: CallStamp,
): Promise<CareForm> {
  const { instructionId } = of;
  const { rosterPatientId } = await ownInstruction(tx, of);
  const contentType = typeOfBytes(bytes);
  if (contentType === null) throw new ApiError('BAD_REQUEST', { message: WRONG_TYPE });
  const fileName = nameOfForm(name, contentType);
  await tx.query(sql`delete from care_files where instruction_id = ${instructionId}`);
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into care_files (instruction_id, file_name, content_type, size, uploaded_at, uploaded_by)
    values (${instructionId}, ${fileName}, ${contentType}, ${bytes.length}, ${change.now}, ${tx.actor.userId}) returning id`);
  const documentKey = rows[0]?.id ?? '';
  for (let position = 0; position * CHUNK < bytes.length; position += 1) {
    const chunk = bytes.subarray(position * CHUNK, (position + 1) * CHUNK);
    await tx.query(sql`
      insert into care_file_chunks (file_id, position, bytes) values (${documentKey}, ${position}, ${chunk})`);
  }
  await auditCare(tx, 'care-form.upload', { rosterPatientId, instructionId }, change);
  return { documentKey, fileName, contentType, size: bytes.length };
}

/** Returns the form to download, and writes that into the audit log. Errors: NOT_FOUND. */
export async function openForm(tx: ActorTransaction, of: InstructionIds, change: CallStamp): Promise<CareForm> {
  const { patientId, instructionId } = of;
  const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
  const form = (await instructionOf(tx, personId, instructionId))?.form;
  if (!form) throw new ApiError('NOT_FOUND');
  await auditCare(tx, 'care-form.view', { rosterPatientId, instructionId }, change);
  return form;
}

/** Returns one chunk of a form; undefined after the last. */
export async function chunkOf(
  tx: ActorTransaction,
  documentKey: string,
  position: number,
): Promise<Buffer | undefined> {
  const { rows } = await tx.query<{ bytes: Buffer }>(sql`
    select bytes from care_file_chunks where file_id = ${documentKey} and position = ${position}`);
  return rows[0]?.bytes;
}

/** Removes the form of an instruction. Errors: NOT_FOUND, also for another group's instruction, and without a form. */
export async function removeForm(tx: ActorTransaction, of: InstructionIds, change: CallStamp): Promise<void> {
  const { instructionId } = of;
  const { rosterPatientId } = await ownInstruction(tx, of);
  const { rowCount } = await tx.query(sql`delete from care_files where instruction_id = ${instructionId}`);
  if (rowCount === 0) throw new ApiError('NOT_FOUND');
  await auditCare(tx, 'care-form.remove', { rosterPatientId, instructionId }, change);
}
