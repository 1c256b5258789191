/** Stores a manual entry like a message, waits until the pipeline has processed it, and audits it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import type { ManualEntry } from '#server/intake/messages/read-message.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

export interface EntryDeps {
  db: Database;
  store: MessageStore;
}

/** Who enters something, and when. */
export interface EntryCall {
  actor: Actor;
  now: Date;
  requestId: string;
}

/** Milliseconds to wait for the pipeline, and between two checks. */
const WAIT_FOR = 10_000;
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 320;

/** Returns the patient once the entry is processed. Throws NOT_READY if that takes too long; the entry is stored anyway. */
export async function storeEntry(
  { db, store }: EntryDeps,
  call: EntryCall,
  entry: ManualEntry,
): Promise<{ patientId: string }> {
  const { actor, now } = call;
  const { id } = await store.receive({
    source: 'MANUAL',
    raw: Buffer.from(JSON.stringify(entry)),
    receivedAt: now,
    remote: null,
    sendingApplication: 'TIDINGS',
    sendingFacility: entry.groupId,
    controlId: entry.adt.controlId,
    messageType: `MANUAL^${entry.manualCode ?? ''}`,
    patientKey: entry.adt.patient.recordNumber,
    enteredBy: actor.userId,
  });
  const until = Date.now() + WAIT_FOR;
  for (let pause = FIRST_PAUSE; Date.now() < until; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    await sleep(pause);
    const patientId = await asActor(db, actor, 'canEditPatientsAndEvents', async (tx) => {
      const found = await findEntered(tx, id);
      if (found === null) return null;
      // The pipeline's own transaction has committed by now.
      await noteChange(tx);
      await auditEntry(tx, call, entry, id, found);
      return `${found.rosterPatientId}_${found.encounterId}`;
    });
    if (patientId !== null) return { patientId };
  }
  await asActor(db, actor, 'canEditPatientsAndEvents', (tx) => auditEntry(tx, call, entry, id, null));
  throw new ApiError('NOT_READY', {
    message: 'Your entry is saved and will appear soon. It is taking longer than usual.',
  });
}

interface Entered {
  rosterPatientId: string;
  encounterId: string;
  personId: string;
}

async function findEntered(tx: ActorTransaction, messageId: string): Promise<Entered | null> {
  const { rows } = await tx.query<Entered>(sql`
    select (select min(r.id) from roster_patients r where r.person_id = e.person_id and r.group_id = any(${tx.groupIds}::bigint[]))
      as "rosterPatientId", e.id as "encounterId", e.person_id as "personId"
    from facts f join encounters e on e.id = f.encounter_id where f.message_id = ${messageId}`);
  return rows[0]?.rosterPatientId ? rows[0] : null;
}

/** Writes who entered what about which patient, and how many visits of other organizations that opened. `found`: null if not processed yet. */
async function auditEntry(
  tx: ActorTransaction,
  { now, requestId }: EntryCall,
  { groupId, manualCode, adt }: ManualEntry,
  messageId: string,
  found: Entered | null,
): Promise<void> {
  const { rows } = await tx.query<{ visits: number }>(sql`
    select coalesce(sum(foreign_visits), 0)::int as visits from record_openings
    where person_id = ${found?.personId ?? null} and group_id = ${groupId} and at >= ${now}`);
  const relationship = adt.enteredBy?.relationship ?? null;
  const detail = {
    groupId,
    messageId,
    code: manualCode,
    relationship,
    visits: found && (rows[0]?.visits ?? 0),
  };
  const action = relationship === null ? 'patient.enter-event' : 'patient.enter';
  if (found) notePatients([found.rosterPatientId]);
  // An entry that is not processed yet is found among the patient's accesses by its message, like every message.
  const about = found
    ? { subject: 'patient' as const, subjectId: found.rosterPatientId }
    : { subject: 'message' as const, subjectId: messageId };
  await writeAudit(tx, { action, ...about, detail, now, requestId });
}
