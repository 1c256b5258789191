import type { CallStamp } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';

/** Writes the entry of a record or an instruction that was changed, and lets the caller's next search wait for it. */
export async function auditCare(
  tx: ActorTransaction,
  action: string,
  { rosterPatientId, ...detail }: { rosterPatientId: string } & ({ recordId: string } | { instructionId: string }),
  stamp: CallStamp,
): Promise<void> {
  await noteChange(tx);
  await writeAudit(tx, { action, subject: 'patient', subjectId: rosterPatientId, detail, ...stamp });
}
