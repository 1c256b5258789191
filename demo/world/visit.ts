/**
 * The truth of a visit: what happened, step by step in true order. Each step says itself which event it makes or takes back and how
 * things stand afterwards; nothing is inferred from trigger codes, so that the product's own reading can be held against it.
 */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { Condition, Payer } from './clinical.ts';
import { localDate, toMinute, type Zone } from './clock.ts';

/** DISCHARGED also says that services ended; COMPLETED is a visit of one event, or a silent registration. */
export type VisitStatus = 'OPEN' | 'ON_LEAVE' | 'DISCHARGED' | 'DECEASED' | 'COMPLETED' | 'CANCELLED';

export interface Bed {
  unit: string;
  room: string;
  bed: string;
}

/** How a visit stands after a step. Instants are milliseconds since 1970. */
export interface VisitState {
  status: VisitStatus;
  setting: Setting;
  /** Arrival: the first event. */
  startedAt: number;
  /** The last admission as inpatient or to observation, or else the arrival. */
  admittedAt: number;
  dischargedAt: number | null;
  /** YYYY-MM-DD at the facility: when it expects the patient to leave; null while nobody has said. */
  expectedDischarge: string | null;
  /** UB-04 discharge status. */
  disposition: string | null;
  deceasedAt: number | null;
  location: Bed;
  priorLocation: Bed | null;
  payer: Payer;
  diagnoses: { condition: Condition; type: 'A' | 'W' | 'F' }[];
  reason: string;
  admitSource: string;
  attending: number;
  person: number;
  recordNumber: string;
  visitNumber: string;
  accountNumber: string;
}

export interface Step {
  /** HL7 trigger, or 'MANUAL' where staff enter the event. */
  trigger: string;
  at: number;
  emits: { code: EventCode; setting: Setting; at: number } | null;
  /** Index of the step whose event this one takes back. */
  retracts: number | null;
  /** MRG: what gives way. */
  merge: { recordNumber?: string; accountNumber?: string; visitNumber?: string } | null;
  /** Fields that the message deletes with two double quotes. */
  deletes: readonly ('phone' | 'reason' | 'disposition' | 'dischargedAt')[];
  state: VisitState;
}

export interface Visit {
  /** `{person of the first step}.{number}` */
  id: string;
  facility: string;
  zone: Zone;
  ordinal: number;
  isManual: boolean;
  /** EVN-6 of transfers, updates and discharges repeats the admission: only EVN-2 and PV1-45 tell when they happened. */
  hasStaleOccurred: boolean;
  /** How long the facility expects an inpatient or resident to stay; null where it does not say. */
  expectedDays: number | null;
  /** How things stand before the first step. */
  initial: VisitState;
  steps: Step[];
}

/** An event that stands, or stood, in the truth. */
export interface TrueEvent {
  code: EventCode;
  /** ISO 8601 UTC to the minute, or YYYY-MM-DD where a manual facility gave only the day. */
  at: string;
  precision: 'minute' | 'day';
  setting: Setting;
  /** The step whose message or manual entry explains the event. */
  step: number;
}

export interface VisitTruth {
  visit: string;
  facility: string;
  /** Whose visit it is in the end. */
  person: number;
  recordNumber: string;
  visitNumber: string;
  status: VisitStatus;
  setting: Setting;
  startedAt: string;
  admittedAt: string;
  dischargedAt: string | null;
  expectedDischarge: string | null;
  disposition: string | null;
  deceasedAt: string | null;
  /** An open emergency visit is ended by the clock (event CLOSED) 48 hours after arrival. */
  closesAt: string | null;
  unit: string;
  payer: string;
  diagnoses: string[];
  /** What stands, in true order. */
  events: TrueEvent[];
  /** What was told and taken back, and did not come again. */
  retracted: TrueEvent[];
}

export const HANGING_AFTER = 48 * 3_600_000;

const eventKey = (event: TrueEvent) => `${event.code} ${event.at}`;

function trueEvent(visit: Visit, index: number): TrueEvent | null {
  const emitted = (visit.steps[index] as Step).emits;
  if (!emitted) return null;
  const at = visit.isManual ? localDate(emitted.at, visit.zone) : toMinute(emitted.at);
  return {
    code: emitted.code,
    at,
    precision: visit.isManual ? 'day' : 'minute',
    setting: emitted.setting,
    step: index,
  };
}

/** How the visit really stands after all its steps, and which events stand. */
export function truthOf(visit: Visit): VisitTruth {
  const last = visit.steps.at(-1)?.state;
  if (!last) throw new Error(`Visit ${visit.id} has no steps.`);
  const struck = new Set(visit.steps.map((step) => step.retracts).filter((index) => index !== null));
  const all = visit.steps.map((_, index) => trueEvent(visit, index)).filter((event) => event !== null);
  const events = all.filter((event) => !struck.has(event.step));
  const standing = new Set(events.map(eventKey));
  const time = (instant: number | null) => (instant === null ? null : toMinute(instant));
  const isHanging = last.status === 'OPEN' && last.setting === 'EMERGENCY';
  return {
    visit: visit.id,
    facility: visit.facility,
    person: last.person,
    recordNumber: last.recordNumber,
    visitNumber: last.visitNumber,
    status: last.status,
    setting: last.setting,
    startedAt: toMinute(last.startedAt),
    admittedAt: toMinute(last.admittedAt),
    dischargedAt: time(last.dischargedAt),
    expectedDischarge: last.expectedDischarge,
    disposition: last.disposition,
    deceasedAt: time(last.deceasedAt),
    closesAt: isHanging ? toMinute(last.startedAt + HANGING_AFTER) : null,
    unit: last.location.unit,
    payer: last.payer.code,
    diagnoses: last.diagnoses.map((diagnosis) => diagnosis.condition.code),
    events,
    retracted: all.filter((event) => struck.has(event.step) && !standing.has(eventKey(event))),
  };
}
