/**
 * Emergency access (docs/decisions/0060): a user who lists a patient opens, for an hour and for themselves alone, visits that the listing does not
 * open. The facility's organization has to allow it, and its administrators are mailed. 42 CFR Part 2 facilities' visits open in a medical
 * emergency only (42 CFR 2.51).
 */
import { EMERGENCY_MINUTES, type EmergencyAccess, type NewEmergencyAccess } from '#contract/emergency.ts';
import { asActor } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { ConsentCall, ConsentDeps } from './consents.ts';
import {
  addEmergency,
  currentListing,
  endOfEmergency,
  facilitiesToOpen,
  isOffered,
  mailEmergency,
  openedVisits,
} from './emergency-queries.ts';

const FLAG = 'canViewPatients';

/** Returns the actor's emergency access to a patient. Errors: NOT_FOUND. */
export function emergencyAccess(
  { db }: Pick<ConsentDeps, 'db'>,
  actor: ConsentCall['actor'],
  patientId: string,
): Promise<EmergencyAccess> {
  const ids = actor.emergencies ?? [];
  return asActor(
    db,
    actor,
    FLAG,
    async (tx) => {
      const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
      const listingId = await currentListing(tx, personId);
      return {
        isOffered: listingId !== undefined && (await isOffered(tx)),
        endsDate: await endOfEmergency(tx, personId, ids),
        visits: ids.length > 0 ? await openedVisits(tx, { personId, listingId: rosterPatientId, ids }) : [],
      };
    },
    { readOnly: true },
  );
}

/** Opens visits of a patient whom one of the actor's groups lists now. Errors: NOT_FOUND, NOT_PERMITTED where no organization allows it. */
export async function openInEmergency(
  deps: ConsentDeps & { publicUrl: string },
  { actor, now, requestId }: ConsentCall,
  patientId: string,
  { reason, isMedicalEmergency }: NewEmergencyAccess,
): Promise<EmergencyAccess> {
  const { personId, listingId, groupIds, offered } = await asActor(deps.db, actor, FLAG, async (tx) => {
    const patient = await resolvePatient(tx, patientId);
    const listing = await currentListing(tx, patient.personId);
    if (listing === undefined) throw new ApiError('NOT_FOUND');
    return { ...patient, listingId: listing, groupIds: tx.groupIds, offered: await isOffered(tx) };
  });
  if (!offered) throw new ApiError('NOT_PERMITTED', { message: 'No organization allows emergency access.' });
  const { userId, teamId } = actor;
  const endsAt = new Date(now.getTime() + EMERGENCY_MINUTES * 60_000);
  const id = await deps.pipeline.transaction(async (tx) => {
    const facilityIds = await facilitiesToOpen(tx, { personId, groupIds, isMedicalEmergency });
    const opened = { userId, teamId, listingId, facilityIds, reason, isMedicalEmergency, now, endsAt };
    const emergencyId = await addEmergency(tx, opened);
    await mailEmergency(tx, facilityIds, deps.publicUrl, now);
    await noteChange(tx);
    const detail = { emergencyId, facilityIds, isMedicalEmergency };
    const about = { action: 'emergency.open', subject: 'patient', subjectId: listingId } as const;
    await writeAudit({ ...tx, actor }, { ...about, detail, now, requestId });
    return emergencyId;
  });
  return emergencyAccess(deps, { ...actor, emergencies: [...(actor.emergencies ?? []), id] }, patientId);
}
