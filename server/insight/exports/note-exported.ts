import type { ActorTransaction } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';

interface Exported {
  jobId: string | null;
  patientIds: readonly string[];
  now: Date;
}

/** Writes an audit entry that names patients who are in an export, so that the list of a patient's accesses has it. */
export async function noteExported(tx: ActorTransaction, { jobId, patientIds, now }: Exported): Promise<void> {
  if (patientIds.length === 0) return;
  const about = { action: 'export.patients', subject: 'export', subjectId: jobId } as const;
  await writeAudit(tx, { ...about, detail: { rows: patientIds.length }, requestId: null, patientIds, now });
}
