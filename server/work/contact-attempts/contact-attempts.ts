/** Attempts of a team to reach a patient: they are the team's own, like its tags (docs/decisions/0063). */
import type { ContactAttempt, NewContactAttempt } from '#contract/contact-attempts.ts';
import { MOST_ATTEMPTS_OF_PATIENT } from '#contract/contact-words.ts';
import { DAY, MINUTE } from '#contract/durations.ts';
import type { CallStamp } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import { ApiError, badFieldInMessage } from '#server/platform/http/api-error.ts';
import { addAttempt, attemptsOf, removeAttempt } from './queries.ts';

const YEAR = 366 * DAY;

/** Returns the team's attempts to reach a patient, newest first. Errors: NOT_FOUND. */
export async function contactAttempts(tx: ActorTransaction, patientId: string): Promise<ContactAttempt[]> {
  const { personId } = await resolvePatient(tx, patientId);
  return attemptsOf(tx, personId);
}

/** Records an attempt, and returns all. Errors: NOT_FOUND; BAD_REQUEST for a time to come or long past, and for too many. */
export async function recordAttempt(
  tx: ActorTransaction,
  patientId: string,
  attempt: NewContactAttempt,
  { now, requestId }: CallStamp,
): Promise<ContactAttempt[]> {
  const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
  const at = Date.parse(attempt.attemptedAt);
  // The user's clock may be a little ahead of ours.
  if (at > now.getTime() + MINUTE) throw badFieldInMessage('attemptedAt', 'Enter a time that is not in the future.');
  if (at < now.getTime() - YEAR) throw badFieldInMessage('attemptedAt', 'Enter a time within the last year.');
  const before = await attemptsOf(tx, personId);
  if (before.length >= MOST_ATTEMPTS_OF_PATIENT)
    throw badFieldInMessage('attemptedAt', `A patient can have ${MOST_ATTEMPTS_OF_PATIENT} attempts at most.`);
  await addAttempt(tx, rosterPatientId, attempt, now);
  await noteChange(tx);
  const after = await attemptsOf(tx, personId);
  if (after.length > before.length) {
    const added = after.find(({ id }) => !before.some((each) => each.id === id));
    const detail = { attemptId: added?.id, channel: attempt.channel, outcome: attempt.outcome };
    await writeAudit(tx, {
      action: 'contact-attempts.add',
      subject: 'patient',
      subjectId: rosterPatientId,
      detail,
      now,
      requestId,
    });
  }
  return after;
}

/** Removes an attempt that the actor recorded, and returns the others. Errors: NOT_FOUND. */
export async function takeBackAttempt(
  tx: ActorTransaction,
  { patientId, attemptId }: { patientId: string; attemptId: string },
  { now, requestId }: CallStamp,
): Promise<ContactAttempt[]> {
  const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
  if (!(await removeAttempt(tx, personId, attemptId, now))) throw new ApiError('NOT_FOUND');
  await noteChange(tx);
  await writeAudit(tx, {
    action: 'contact-attempts.remove',
    subject: 'patient',
    subjectId: rosterPatientId,
    detail: { attemptId },
    now,
    requestId,
  });
  return attemptsOf(tx, personId);
}
