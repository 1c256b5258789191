import type { Permission } from '#contract/permissions.ts';
import type { PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { noteEntry } from '#server/record/listings/identity-attempts.ts';
import { personsNear } from '#server/record/matching/near-persons.ts';
import { normalize } from '#server/record/scoring/demographics.ts';
import { demographicsOfSource } from '#server/record/scoring/source-demographics.ts';

/** Throws IDENTITY_GUESSES, and reports it in the audit log, if the organization keeps entering this person with other details. */
export async function refuseGuesses(
  { db, pipeline }: { db: Database; pipeline: Database },
  { actor, now, requestId }: ActorCall,
  groupId: string,
  patient: PatientFacts,
  flag: Permission = 'canEditPatientsAndEvents',
): Promise<void> {
  const person = normalize(demographicsOfSource(patient));
  const near = await personsNear(pipeline, person, groupId);
  const isAccepted = await asActor(db, actor, flag, async (tx) => {
    if (await noteEntry(tx, { groupId, recordNumber: patient.recordNumber, person, near }, now)) return true;
    const entry = { action: 'roster.guess-pattern', subject: 'group' as const, subjectId: groupId };
    await writeAudit(tx, { ...entry, detail: { entries: 1 }, requestId, now });
    return false;
  });
  // After the transaction, so that the report stays.
  if (!isAccepted) throw new ApiError('IDENTITY_GUESSES');
}
