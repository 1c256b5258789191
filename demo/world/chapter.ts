import type { EventCode, Setting } from '#contract/event-codes.ts';
import { localDate } from './clock.ts';
import { type Delivery, deliveriesOf } from './delivery.ts';
import { writeMessage } from './hl7-writer.ts';
import { makeHousehold, type Person } from './people.ts';
import type { WorldFeed } from './region-types.ts';
import { type Registration, registrationOf } from './registration.ts';
import { type RosterRow, rosterRows } from './rosters.ts';
import type { Step, Visit } from './visit.ts';
import { type Period, personVisits } from './visits.ts';

/** Everything that a world knows about one household. Chapters are independent of each other, so each can be generated alone. */
export interface Chapter {
  members: Person[];
  rows: RosterRow[];
  visits: Visit[];
}

/** A message as sent: the sender, the bytes and the time. */
export interface WorldMessage {
  /** When the sender sends it, in milliseconds since 1970. */
  at: number;
  /** Key of the feed. */
  feed: string;
  facility: string;
  controlId: string;
  trigger: string;
  /** Without the MLLP frame. */
  bytes: Buffer;
  visit: string;
  step: number;
  isDuplicate: boolean;
  isLate: boolean;
}

/** An event that the staff of a facility without a feed enter by hand. */
export interface ManualEntry {
  facility: string;
  visit: string;
  step: number;
  code: EventCode;
  setting: Setting;
  /** YYYY-MM-DD. Manual entries have no time. */
  date: string;
  /** When they enter it, in milliseconds since 1970. */
  enteredAt: number;
  person: number;
  recordNumber: string;
  patient: Registration;
  /** UB-04, for a discharge. */
  disposition: string | null;
  payer: string;
}

/** Returns the chapter of a household: always the same for the same period and number. */
export function makeChapter(period: Period, household: number): Chapter {
  const members = makeHousehold(period.seed, household);
  const rows = rosterRows(period.seed, members);
  const visits = members.flatMap((person) => personVisits(period, members, person, rows.length > 0));
  return { members, rows, visits };
}

/** Returns how a facility registered a member of the household. */
export function registrationIn(seed: string, chapter: Chapter, personId: number, facility: string): Registration {
  const person = chapter.members.find((member) => member.id === personId);
  if (!person) throw new Error(`Person ${personId} does not belong to this household.`);
  return registrationOf(seed, person, facility, chapter.rows.length > 0);
}

/** Returns all deliveries of the household's messages, in no particular order. */
export function planOf(period: Period, chapter: Chapter): { visit: Visit; delivery: Delivery }[] {
  return chapter.visits.flatMap((visit) =>
    deliveriesOf(period.seed, visit, period.to).map((delivery) => ({ visit, delivery })),
  );
}

/** Writes the message of a planned delivery. */
export function writeOut(
  seed: string,
  feeds: readonly WorldFeed[],
  chapter: Chapter,
  visit: Visit,
  delivery: Delivery,
): WorldMessage {
  const step = visit.steps[delivery.step] as Step;
  const patient = registrationIn(seed, chapter, step.state.person, visit.facility);
  return {
    at: delivery.at,
    feed: feeds.find((feed) => Object.values(feed.facilities).includes(visit.facility))?.key ?? '',
    facility: visit.facility,
    controlId: delivery.controlId,
    trigger: step.trigger,
    bytes: writeMessage(feeds, visit, delivery, patient),
    visit: visit.id,
    step: delivery.step,
    isDuplicate: delivery.isDuplicate,
    isLate: delivery.isLate,
  };
}

/** Returns what the staff of manual facilities entered about the household. */
export function manualEntriesOf(period: Period, chapter: Chapter): ManualEntry[] {
  return chapter.visits
    .filter((visit) => visit.isManual)
    .flatMap((visit) =>
      visit.steps.flatMap((step, index) => {
        if (!step.emits) return [];
        const { person, recordNumber, disposition, payer } = step.state;
        return {
          facility: visit.facility,
          visit: visit.id,
          step: index,
          code: step.emits.code,
          setting: step.emits.setting,
          date: localDate(step.at, visit.zone),
          enteredAt: Math.min(step.at + 3_600_000, period.to),
          person,
          recordNumber,
          patient: registrationIn(period.seed, chapter, person, visit.facility),
          disposition,
          payer: payer.company,
        };
      }),
    );
}
