/**
 * Emergency access (docs/decisions/0060): a user who lists a patient opens, for an hour and for themselves alone, visits that the listing does not
 * open. The facility's organization has to allow it, and its administrators are mailed. 42 CFR Part 2 facilities' visits open in a medical
 * emergency only (42 CFR 2.51).
 */
import { EMERGENCY_MINUTES, type EmergencyAccess, type NewEmergencyAccess } from '#contract/emergency.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { ConsentDeps } from './consents.ts';
import { mailEmergency, mailLimit } from './emergency-mails.ts';
import {
  accessesInForce,
  addEmergency,
  currentListing,
  endOfEmergency,
  facilitiesToOpen,
  isOffered,
  isOverLimit,
  type NewEmergency,
  openedVisits,
} from './emergency-queries.ts';

const FLAG = 'canViewPatients';

/** Returns the actor's emergency access to a patient. Errors: NOT_FOUND. */
export function emergencyAccess(
  { db }: Pick<ConsentDeps, 'db'>,
  actor: ActorCall['actor'],
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

/**
 * Opens visits of a patient whom one of the actor's groups lists now. What an access in force opens already stays as it is: no second letter,
 * and no later end. Errors: NOT_FOUND, NOT_PERMITTED where no organization allows it, EMERGENCY_LIMIT after telling the administrators.
 */
export async function openInEmergency(
  deps: ConsentDeps & { publicUrl: string },
  { actor, now, requestId }: ActorCall,
  patientId: string,
  given: NewEmergencyAccess,
): Promise<EmergencyAccess> {
  const { offered, ...patient } = await asActor(deps.db, actor, FLAG, async (tx) => {
    const { personId } = await resolvePatient(tx, patientId);
    const listingId = await currentListing(tx, personId);
    if (listingId === undefined) throw new ApiError('NOT_FOUND');
    return { personId, listingId, groupIds: tx.groupIds, offered: await isOffered(tx) };
  });
  if (!offered) throw new ApiError('NOT_PERMITTED', { message: 'No organization allows emergency access.' });
  const { userId, teamId } = actor;
  const ids = await deps.pipeline.transaction(async (tx) => {
    // One access of a user at a time: calls that arrive together would each find none in force, and none too many.
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}, hashint8(${userId}))`);
    const acting = { tx: { ...tx, actor }, now, requestId, publicUrl: deps.publicUrl };
    const asked = { userId, teamId, ...patient, ...given, now };
    const inForce = await accessesInForce(tx, asked);
    const facilityIds = await facilitiesToOpen(tx, asked);
    if (inForce.length > 0 && facilityIds.length === 0) return inForce;
    if (await isOverLimit(tx, asked)) return reportLimit(acting, asked);
    return [...inForce, await open(acting, { ...asked, facilityIds })];
  });
  // After the transaction, so that the report stays.
  if (ids === null) throw new ApiError('EMERGENCY_LIMIT');
  return emergencyAccess(deps, { ...actor, emergencies: [...(actor.emergencies ?? []), ...ids] }, patientId);
}

interface Acting {
  tx: Queryable & Pick<ActorCall, 'actor'>;
  now: Date;
  requestId: string;
  publicUrl: string;
}

/** Opens the facilities' visits, and returns the id of the access. */
async function open({ tx, now, requestId, publicUrl }: Acting, asked: Omit<NewEmergency, 'endsAt'>): Promise<string> {
  const { facilityIds, isMedicalEmergency, listingId } = asked;
  const endsAt = new Date(now.getTime() + EMERGENCY_MINUTES * 60_000);
  const emergencyId = await addEmergency(tx, { ...asked, endsAt });
  await mailEmergency(tx, facilityIds, publicUrl, now);
  await noteChange(tx);
  const detail = { emergencyId, facilityIds, isMedicalEmergency };
  const about = { action: 'emergency.open', subject: 'patient', subjectId: listingId } as const;
  await writeAudit(tx, { ...about, detail, now, requestId });
  return emergencyId;
}

/** Tells the administrators, and the audit log, that the user asked for more than the limit allows. */
async function reportLimit(
  { tx, now, requestId, publicUrl }: Acting,
  { userId, groupIds }: { userId: string; groupIds: readonly string[] },
): Promise<null> {
  await mailLimit(tx, { userId, groupIds, publicUrl }, now);
  await writeAudit(tx, { action: 'user.emergency-limit', subject: 'user', subjectId: userId, now, requestId });
  return null;
}

const LOCK_SPACE = 7_463_236;
