/** Stores a manual entry like a message, waits until the pipeline has processed it, and audits it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditedAction } from '#contract/audited-actions.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import type { ManualEntry } from '#server/intake/messages/read-message.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

export interface EntryDeps {
  db: Database;
  /** Connected as the pipeline role: entries are compared with everyone. */
  pipeline: Database;
  store: MessageStore;
}

/** Milliseconds to wait for the pipeline, and between two checks. */
const WAIT_FOR = 10_000;
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 320;

/** An entry to store, with the action under which it is audited. */
export interface NewEntry {
  entry: ManualEntry;
  action: AuditedAction;
  /** The visit of the answered patient id, for an entry that is about no visit. */
  encounterId?: string;
  /** Called before the entry is stored, one entry of a patient at a time. Throws to refuse it. */
  check?: (tx: Transaction) => Promise<void>;
}

/** What became of an entry: the patient, and whether the facility still lists them. */
export interface Stored {
  patientId: string;
  isListed: boolean;
}

/** Returns the patient once the entry is processed. Throws NOT_READY if that takes too long; the entry is stored anyway. */
export async function storeEntry(deps: EntryDeps, call: ActorCall, given: NewEntry): Promise<Stored> {
  const { db } = deps;
  const { actor } = call;
  const { encounterId = '0' } = given;
  const id = await receiveEntry(deps, call, given);
  const until = Date.now() + WAIT_FOR;
  for (let pause = FIRST_PAUSE; Date.now() < until; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    await sleep(pause);
    const stored = await asActor(db, actor, 'canEditPatientsAndEvents', async (tx) => {
      const found = await findEntered(tx, id);
      if (found === null) return null;
      // The pipeline's own transaction has committed by now.
      await noteChange(tx);
      await auditEntry(tx, call, given, id, found);
      const { rosterPatientId, isListed } = found;
      return { patientId: `${rosterPatientId}_${found.encounterId ?? encounterId}`, isListed };
    });
    if (stored !== null) return stored;
  }
  await asActor(db, actor, 'canEditPatientsAndEvents', (tx) => auditEntry(tx, call, given, id, null));
  throw new ApiError('NOT_READY', {
    message: 'Your entry is saved and will appear soon. It is taking longer than usual.',
  });
}

/** Stores the entry and returns the id of its message. */
async function receiveEntry(
  { pipeline, store }: EntryDeps,
  { actor, now }: ActorCall,
  { entry: { groupId, manualCode, adt }, entry, check }: NewEntry,
): Promise<string> {
  const { recordNumber } = adt.patient;
  const receive = async () =>
    store.receive({
      source: 'MANUAL',
      raw: Buffer.from(JSON.stringify(entry)),
      receivedAt: now,
      remote: null,
      sendingApplication: 'TIDINGS',
      sendingFacility: groupId,
      controlId: adt.controlId,
      messageType: `${adt.trigger}^${manualCode ?? ''}`,
      patientKey: recordNumber,
      enteredBy: actor.userId,
    });
  if (!check) return (await receive()).id;
  return pipeline.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`entry ${groupId} ${recordNumber}`}, 0))`);
    await check(tx);
    // Committed on a connection of its own before the lock goes.
    return (await receive()).id;
  });
}

interface Entered {
  rosterPatientId: string;
  encounterId: string | null;
  personId: string;
  isListed: boolean;
}

async function findEntered(tx: ActorTransaction, messageId: string): Promise<Entered | null> {
  const { rows } = await tx.query<Entered>(sql`
    select (select min(r.id) from roster_patients r where r.person_id = s.person_id and r.group_id = any(${tx.groupIds}::bigint[]))
      as "rosterPatientId", f.encounter_id as "encounterId", s.person_id as "personId",
      exists (select from roster_patients r
        where r.group_id = s.group_id and r.member_id = s.record_number and r.left_at is null) as "isListed"
    from facts f join source_patients s on s.id = f.source_patient_id where f.message_id = ${messageId}`);
  return rows[0]?.rosterPatientId ? rows[0] : null;
}

/** Writes who entered what about which patient, and how many visits of other organizations that opened. `found`: null if not processed yet. */
async function auditEntry(
  tx: ActorTransaction,
  { now, requestId }: ActorCall,
  { entry: { groupId, manualCode, adt }, action }: NewEntry,
  messageId: string,
  found: Entered | null,
): Promise<void> {
  const { rows } = await tx.query<{ visits: number }>(sql`
    select coalesce(sum(foreign_visits), 0)::int as visits from record_openings
    where person_id = ${found?.personId ?? null} and group_id = ${groupId} and at >= ${now}`);
  const detail = {
    groupId,
    messageId,
    code: manualCode ?? null,
    relationship: adt.enteredBy?.relationship ?? null,
    visits: found && (rows[0]?.visits ?? 0),
  };
  if (found) notePatients([found.rosterPatientId]);
  // An entry that is not processed yet is found among the patient's accesses by its message, like every message.
  const about = found
    ? { subject: 'patient' as const, subjectId: found.rosterPatientId }
    : { subject: 'message' as const, subjectId: messageId };
  await writeAudit(tx, { action, ...about, detail, now, requestId });
}
