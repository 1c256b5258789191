/**
 * A sender for tests: its messages are received as over MLLP, stored, and processed when the test says so. All people are made up.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { EventCode } from '#contract/event-codes.ts';
import { MessageQueue } from '#server/intake/messages/message-queue.ts';
import { MessageStore } from '#server/intake/messages/message-store.ts';
import type { ManualEntry } from '#server/intake/messages/read-message.ts';
import type { ReceivedMessage } from '#server/intake/messages/received-message.ts';
import { receiveFrame } from '#server/intake/mllp/receive-frame.ts';
import { makePipeline } from '#server/pipeline.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { createLog } from '#server/platform/http/log.ts';
import { identifyAll, movedOf } from '#server/record/matching/identify.ts';
import { resendEncounters, sendOpenVisits } from '#server/record/pings/notify.ts';
import type { TestDatabase } from './database.ts';
import type { Factories } from './factories.ts';
import { addFeed, type FeedOptions } from './feeds.ts';

export interface TestPerson {
  family: string;
  /** The maiden name, in another repetition of PID-5. */
  formerFamily?: string;
  given: string;
  /** YYYY-MM-DD */
  birthDate: string;
  sex: 'F' | 'M';
  zip: string;
}

/** The parts of a message. By default it is about an inpatient of the facility MERCY. */
export interface AdtParts {
  /** Local time of the event, YYYYMMDDHHMM (America/New_York). */
  at: string;
  /** PID-3 */
  record: string;
  person?: TestPerson | undefined;
  /** PV1-19 */
  visit?: string;
  /** PID-18 */
  account?: string;
  /** No PV1: the message is about the patient. */
  noVisit?: boolean;
  /** PV1-2 */
  patientClass?: string;
  /** PV1-3.1 */
  unit?: string;
  /** PV1-3.4 and MSH-4 */
  facility?: string;
  /** PV1-3.4 if it isn't MSH-4: another facility of the same sender. */
  placedAt?: string | undefined;
  /** PID-3.4 if it isn't MSH-4; '' for none. */
  authority?: string | undefined;
  /** PV1-44 */
  admitted?: string;
  /** PV1-45 */
  discharged?: string;
  /** PV1-36 */
  disposition?: string;
  /** MRG-1, for a merge, which has no PV1. */
  priorRecord?: string;
  /** MRG-1.4 if it isn't MSH-4; '' for none. */
  priorAuthority?: string | undefined;
  /** MRG-5, for a move of a visit, whose PV1-19 is `visit`. */
  priorVisit?: string;
  /** IN1-4 */
  payer?: string;
  /** PID-29 */
  diedAt?: string;
  /** PID-30 */
  deceased?: boolean;
  /** MSH-7 if it isn't the time of the event. */
  sentAt?: string;
  controlId?: string;
}

/** Returns an ADT message (HL7 v2.5.1) of the application TESTADT. */
export function adt(trigger: string, parts: AdtParts): string {
  const { at, record, person, patientClass = 'I', unit = '3W', facility = 'MERCY', visit = '' } = parts;
  const sentAt = parts.sentAt ?? at;
  const field = (values: Record<number, string>, length: number) =>
    Array.from({ length }, (_, index) => values[index + 1] ?? '').join('|');
  const pid = field(
    {
      3: `${record}^^^${parts.authority ?? facility}^MR`,
      5: person ? namesOf(person) : '',
      7: person?.birthDate.replaceAll('-', '') ?? '',
      8: person?.sex ?? '',
      18: parts.account ?? '',
      11: person ? `12 Alder Lane^^Fairhaven^NY^${person.zip}` : '',
      29: parts.diedAt ?? '',
      30: parts.deceased ? 'Y' : '',
    },
    30,
  );
  const pv1 = field(
    {
      2: patientClass,
      3: `${unit}^12^A^${parts.placedAt ?? facility}`,
      19: visit,
      36: parts.disposition ?? '',
      44: parts.admitted ?? '',
      45: parts.discharged ?? '',
    },
    45,
  );
  return [
    `MSH|^~\\&|TESTADT|${facility}|TIDINGS|TIDINGS|${sentAt}||ADT^${trigger}|${parts.controlId ?? randomUUID().slice(0, 18)}|P|2.5.1`,
    `EVN|${trigger}|${sentAt}||||${at}`,
    `PID|${pid}`,
    ...(parts.priorRecord
      ? [`MRG|${parts.priorRecord}^^^${parts.priorAuthority ?? facility}^MR||||${parts.priorVisit ?? ''}`]
      : []),
    ...(parts.noVisit || (parts.priorRecord && !parts.priorVisit) ? [] : [`PV1|${pv1}`]),
    ...(parts.payer ? [`IN1|1||${parts.payer}|${parts.payer}`] : []),
    '',
  ].join('\r');
}

const namesOf = ({ family, given, formerFamily }: TestPerson): string =>
  [`${family}^${given}`, ...(formerFamily ? [`${formerFamily}^${given}^^^^^M`] : [])].join('~');

interface ManualParts {
  code: EventCode;
  record: string;
  visit: string;
  person?: TestPerson;
  /** An instant with seconds, in UTC. */
  at: string;
}

const SENDER = { remote: '127.0.0.1:40000', address: '127.0.0.1' };

export type Hospital = ReturnType<typeof hospital>;

/** Sends messages into a test's database and reads what became of them. */
export function hospital(database: TestDatabase, clock: Clock, make: Factories) {
  const { pipeline } = database;
  const store = new MessageStore(pipeline);
  const queue = new MessageQueue({ database: pipeline, process: makePipeline(clock), log: createLog('silent'), clock });

  const newest = async (): Promise<string> =>
    (await pipeline.query<{ id: string }>('select max(id) as id from messages')).rows[0]?.id ?? '';

  /** Receives messages one after the other without processing them. Returns the last one's ID. */
  async function receive(...texts: string[]): Promise<string> {
    for (const text of texts) {
      const { answer } = await receiveFrame(Buffer.from(text), SENDER, { store, clock });
      await answer;
    }
    return newest();
  }

  /** Receives messages and processes each before the next. Returns the last one's ID. */
  async function send(...texts: string[]): Promise<string> {
    for (const text of texts) {
      await receive(text);
      await queue.drain();
    }
    return newest();
  }

  /** Enters an event by hand, as at a facility without a feed, and processes it. Returns the message's ID. */
  async function enter(groupId: string, parts: ManualParts): Promise<string> {
    const { id } = await store.receive(manualMessage(groupId, parts, clock()));
    await queue.drain();
    return id;
  }

  /** Adds a feed for facilities (identifier → group ID). Returns its ID. */
  const feed = (
    organizationId: string,
    facilities: Record<string, string>,
    options: FeedOptions = {},
  ): Promise<string> => addFeed(pipeline, clock(), organizationId, facilities, options);

  /** Lists a person at a program, as an uploaded roster does. Returns the listing's ID. */
  async function list(groupId: string, person: TestPerson): Promise<string> {
    const { id } = await make.rosterPatient({
      groupId,
      first_name: person.given,
      last_name: person.family,
      date_of_birth: person.birthDate,
      gender: sexOf(person),
      zip: person.zip,
      content_hash: Buffer.from(randomUUID()),
    });
    await processListing(pipeline, id, clock());
    return id;
  }

  return { feed, receive, send, enter, list, ...outcomesIn(pipeline), store, queue };
}

/** Links a listing and sends it the open visits, as the upload of a roster does. */
async function processListing(db: TestDatabase['pipeline'], id: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { relinked } = await identifyAll(tx, [{ kind: 'ROSTER_PATIENT', id }], { now });
    const { movedEncounters, movedListings } = movedOf(relinked);
    await resendEncounters(tx, movedEncounters, now);
    await sendOpenVisits(tx, [...new Set([id, ...movedListings])], now);
  });
}

function outcomesIn(db: Queryable) {
  /** Returns the pings of a group, oldest event first, such as 'ADMIT ACTIVE current'. Late pings are marked too. */
  async function pings(groupId: string): Promise<string[]> {
    const { rows } = await db.query<{ ping: string }>(
      `select concat_ws(' ', e.code, p.state, case when p.is_current then 'current' end, case when p.is_late then 'late' end) as ping
       from pings p join events e on e.id = p.event_id where p.group_id = $1 order by p.event_at, p.id`,
      [groupId],
    );
    return rows.map(({ ping }) => ping);
  }

  /** Returns the events of a facility in order of time, such as 'ADMIT ACTIVE'. */
  async function events(groupId: string): Promise<string[]> {
    const { rows } = await db.query<{ event: string }>(
      `select e.code || ' ' || e.state as event from events e join encounters en on en.id = e.encounter_id
       where en.group_id = $1 order by e.event_at, e.id`,
      [groupId],
    );
    return rows.map(({ event }) => event);
  }

  /** Returns what became of a message. */
  async function message(id: string): Promise<{ status: string; reason: string; feedId: string | null }> {
    const { rows } = await db.query<{ status: string; reason: string; feedId: string | null }>(
      'select status, reason, feed_id as "feedId" from messages where id = $1',
      [id],
    );
    return rows[0] as { status: string; reason: string; feedId: string | null };
  }

  return { pings, events, message };
}

/** Returns what the store receives when an event is entered by hand. */
function manualMessage(groupId: string, parts: ManualParts, receivedAt: Date): ReceivedMessage {
  const controlId = randomUUID();
  return {
    source: 'MANUAL',
    raw: Buffer.from(JSON.stringify(manualEntry(groupId, parts, controlId))),
    receivedAt,
    remote: null,
    sendingApplication: 'TIDINGS',
    sendingFacility: groupId,
    controlId,
    messageType: `MANUAL^${parts.code}`,
    patientKey: parts.record,
  };
}

function manualEntry(
  groupId: string,
  { code, record, visit, person, at }: ManualParts,
  controlId: string,
): ManualEntry {
  const moment = { instant: at, localDate: at.slice(0, 10), precision: 'minute' as const };
  return {
    groupId,
    manualCode: code,
    adt: {
      trigger: 'MANUAL',
      controlId,
      sentAt: moment,
      recordedAt: null,
      occurredAt: moment,
      facilityIdentifier: groupId,
      patient: {
        recordNumber: record,
        identifiers: [],
        ...(person && {
          name: { family: person.family, given: person.given, middle: null, suffix: null },
          birthDate: person.birthDate,
          sex: sexOf(person),
          address: { line1: null, line2: null, city: null, state: null, zip: person.zip },
        }),
      },
      visit: { visitNumber: visit },
      merge: null,
      contentHash: createHash('sha256').update(controlId).digest('hex'),
    },
  };
}

const sexOf = ({ sex }: TestPerson): 'Female' | 'Male' => (sex === 'F' ? 'Female' : 'Male');
