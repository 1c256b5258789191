/**
 * Consents to disclosure by a 42 CFR Part 2 facility (42 CFR 2.31, docs/decisions/0059). Staff of the facility record them, each for one
 * recipient. Only the pipeline role may write consents and send pings, so the actor's rights are checked first, in a transaction of their own.
 */
import type { Consent, Consents, NewConsent } from '#contract/consents.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, badFieldInMessage, orNotFound } from '#server/platform/http/api-error.ts';
import { lockPerson, publishHidden, sendHeldBack } from '#server/record/pings/held-back.ts';
import {
  consentInForce,
  consentNamed,
  consentsAt,
  type Part2Facility,
  part2Facilities,
  recipientNamed,
} from './queries.ts';

export interface ConsentDeps {
  /** Connected as the app role. */
  db: Database;
  /** Connected as the pipeline role. */
  pipeline: Database;
}

const FLAG = 'canEditPatientsAndEvents';

interface Resolved {
  personId: string;
  rosterPatientId: string;
  facilities: Part2Facility[];
}

async function lookUp(tx: ActorTransaction, patientId: string): Promise<Resolved> {
  const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
  return { personId, rosterPatientId, facilities: await part2Facilities(tx, personId) };
}

/** Errors: NOT_FOUND, also if none of the actor's groups that list the patient is a Part 2 facility. */
async function resolve(tx: ActorTransaction, patientId: string): Promise<Resolved> {
  const found = await lookUp(tx, patientId);
  if (found.facilities.length === 0) throw new ApiError('NOT_FOUND');
  return found;
}

/** Returns the consents that the actor's Part 2 facilities recorded for a patient, ended ones included; none if none of the actor's is one. Errors: NOT_FOUND. */
export async function listConsents(tx: ActorTransaction, patientId: string): Promise<Consents> {
  const { personId, facilities } = await lookUp(tx, patientId);
  const ids = facilities.map(({ id }) => id);
  return {
    facilities: facilities.map(({ id, name }) => ({ id, name })),
    consents: await consentsAt(tx, personId, ids),
  };
}

/**
 * Records a consent and sends the recipient what was held back. One that is in force already is returned as it is, or replaced by the new one if that
 * has another last day. Errors: NOT_FOUND; BAD_REQUEST for a recipient that does not exist or is the facility itself, for a last day that is over, and if
 * it is not clear which facility is meant.
 */
export async function recordConsent(
  { db, pipeline }: ConsentDeps,
  call: ActorCall,
  patientId: string,
  { recipientGroupId, facilityGroupId, expiresDate }: NewConsent,
): Promise<Consent> {
  const { actor, now, requestId } = call;
  const { personId, rosterPatientId, facilities } = await asActor(db, actor, FLAG, (tx) => resolve(tx, patientId));
  const facility = facilityGroupId === undefined ? facilities[0] : facilities.find(({ id }) => id === facilityGroupId);
  if (facility === undefined || (facilityGroupId === undefined && facilities.length > 1))
    throw badFieldInMessage('facilityGroupId', 'Choose the facility that the patient consents to share from.');
  if (recipientGroupId === facility.id)
    throw badFieldInMessage('recipientGroupId', 'Choose a group other than the facility.');
  if (expiresDate !== undefined && expiresDate < localDateOf(now.getTime(), facility.timeZone))
    throw badFieldInMessage('expiresDate', 'Choose today or a later day.');
  return pipeline.transaction(async (tx) => {
    if ((await recipientNamed(tx, recipientGroupId)) === undefined)
      throw badFieldInMessage('recipientGroupId', 'Choose a group from the list.');
    const of = { personId, facilityId: facility.id, recipientId: recipientGroupId };
    await lockPerson(tx, personId);
    const inForce = await consentInForce(tx, of);
    const isSame = inForce !== undefined && inForce.expiresDate === (expiresDate ?? null);
    const { rows } = await tx.query<{ id: string }>(sql`
      insert into consents (person_id, facility_group_id, recipient_group_id, given_at, roster_patient_id, recorded_by, expires_on)
      select ${personId}, ${facility.id}, ${recipientGroupId}, ${now}, r.id, ${actor.userId}, ${expiresDate ?? null}
      from roster_patients r where r.id = ${facility.listingId} and r.person_id = ${personId} and ${!isSame}
      returning id`);
    const id = isSame ? inForce.id : rows[0]?.id;
    // The patient was linked to another person since.
    if (id === undefined) throw new ApiError('BUSY');
    if (inForce && !isSame)
      await tx.query(sql`update consents set ended_at = ${now}, ended_by = ${actor.userId} where id = ${inForce.id}`);
    const pings = inForce === undefined ? await sendHeldBack(tx, of, now) : 0;
    await noteChange(tx);
    const detail = { consentId: id, facilityId: facility.id, recipientId: recipientGroupId, pings };
    const about = { action: 'consent.record', subject: 'patient', subjectId: rosterPatientId } as const;
    await writeAudit({ ...tx, actor }, { ...about, detail, now, requestId });
    return orNotFound(await consentNamed(tx, id));
  });
}

/**
 * Ends a consent: the recipient no longer sees the person's visits at the facility, nor the pings that were sent about them. One that has ended
 * stays as it is. Errors: NOT_FOUND, also for a consent of another facility.
 */
export async function endConsent(
  { db, pipeline }: ConsentDeps,
  { actor, now, requestId }: ActorCall,
  { patientId, consentId }: { patientId: string; consentId: string },
): Promise<void> {
  const { personId, rosterPatientId, consent } = await asActor(db, actor, FLAG, async (tx) => {
    const patient = await resolve(tx, patientId);
    const all = await consentsAt(
      tx,
      patient.personId,
      patient.facilities.map(({ id }) => id),
    );
    return { ...patient, consent: orNotFound(all.find(({ id }) => id === consentId)) };
  });
  await pipeline.transaction(async (tx) => {
    await lockPerson(tx, personId);
    const { rowCount } = await tx.query(sql`
      update consents set ended_at = ${now}, ended_by = ${actor.userId} where id = ${consentId} and ended_at is null`);
    const of = { personId, facilityId: consent.facility.id, recipientId: consent.recipient.groupId };
    if (rowCount > 0 && (await consentInForce(tx, of)) === undefined) await publishHidden(tx, of, now);
    await noteChange(tx);
    const detail = { consentId, facilityId: of.facilityId, recipientId: of.recipientId };
    const about = { action: 'consent.end', subject: 'patient', subjectId: rosterPatientId } as const;
    await writeAudit({ ...tx, actor }, { ...about, detail, now, requestId });
  });
}
