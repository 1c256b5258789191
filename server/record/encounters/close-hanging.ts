/**
 * Closes ED visits that were left open for 48 hours (`docs/domain.md`, "Late and missing messages"). A job stores a closing fact, as if it were a message,
 * and the fold creates the event. A discharge that arrives later supersedes it. An ED visit that an update reports as an outpatient's is one, too: the class may be
 * that of the bill. Not of someone who died before that, as any facility has reported: nothing is due there any more, and the visit's end is for its facility to report.
 */
import { createHash } from 'node:crypto';
import type { AdtFacts, Moment } from '#server/intake/hl7/adt-facts.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import type { ManualEntry } from '#server/intake/messages/read-message.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { HANGING_AFTER } from '#server/record/fold/event-time.ts';

const HANGING = `
select e.id, e.group_id as "groupId", g.time_zone as "timeZone", arrival.at as "arrivedAt", e.state, s.record_number as "recordNumber"
from encounters e join source_patients s on s.id = e.source_patient_id join groups g on g.id = e.group_id
  cross join lateral (
    select greatest(e.admitted_at, max(v.event_at)) as at from events v
    where v.encounter_id = e.id and v.code = 'PRESENTED' and v.state <> 'CANCELLED') as arrival
where e.status = 'IN_PROGRESS' and e.admitted_at <= $1 and arrival.at <= $1
  and (e.setting = 'EMERGENCY' or (e.setting = 'OUTPATIENT' and not exists (
    select from events v where v.encounter_id = e.id and v.code = 'ADMIT' and v.state <> 'CANCELLED')))
  and not exists (
    select from facts f where f.encounter_id = e.id and f.adt ->> 'trigger' = 'CLOSE'
      and (f.adt #>> '{visit,admittedAt,instant}')::timestamptz = e.admitted_at)
  and not exists (
    select from messages m where m.status = 'PENDING' and m.sender = -1 and m.control_id like 'CLOSE-' || e.id || '-%')
  and not exists (
    select from source_patients dead
    where dead.person_id = e.person_id and dead.deceased and dead.deceased_on <= (arrival.at + interval '48 hours')::date)
order by e.admitted_at limit 1000`;

interface Hanging {
  id: string;
  groupId: string;
  timeZone: string;
  /** The later of PV1-44, which may be from an earlier visit, and the reported arrival. */
  arrivedAt: string;
  recordNumber: string;
  state: { visitNumbers: string[]; accountNumbers: string[]; admittedAt: Moment };
}

/**
 * Stores one closing fact for each hanging visit, and returns how many it stored. A visit that continued after its close is not closed
 * again, nor one whose closing fact is still in the queue.
 */
export async function closeHangingVisits(database: Queryable, store: MessageStore, now: Date): Promise<number> {
  const { rows } = await database.query<Hanging>(HANGING, [new Date(now.getTime() - HANGING_AFTER).toISOString()]);
  await Promise.all(rows.map((visit) => store.receive(closing(visit, now))));
  return rows.length;
}

function closing(visit: Hanging, now: Date): Parameters<MessageStore['receive']>[0] {
  const at = Date.parse(visit.arrivedAt) + HANGING_AFTER;
  const moment: Moment = {
    instant: `${new Date(at).toISOString().slice(0, 19)}Z`,
    localDate: localDateOf(at, visit.timeZone),
    precision: 'minute',
  };
  const controlId = `CLOSE-${visit.id}-${moment.instant}`;
  const adt: AdtFacts = {
    trigger: 'CLOSE',
    controlId,
    sentAt: moment,
    recordedAt: null,
    occurredAt: moment,
    facilityIdentifier: visit.groupId,
    patient: { recordNumber: visit.recordNumber, identifiers: [] },
    visit: {
      visitNumber: visit.state.visitNumbers[0],
      accountNumber: visit.state.accountNumbers[0],
      admittedAt: visit.state.admittedAt,
    },
    merge: null,
    contentHash: createHash('sha256').update(controlId).digest('hex'),
  };
  const entry: ManualEntry = { groupId: visit.groupId, adt };
  return {
    source: 'MANUAL',
    raw: Buffer.from(JSON.stringify(entry)),
    receivedAt: now,
    remote: null,
    sendingApplication: 'TIDINGS',
    sendingFacility: visit.groupId,
    controlId,
    messageType: 'CLOSE',
    patientKey: visit.recordNumber,
  };
}
