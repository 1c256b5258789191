/**
 * The truth of a visit: what happened, step by step, in true order. Each step states which event it creates or retracts and the visit's
 * state afterwards. Nothing is inferred from trigger codes, so that the product's interpretation can be checked against it.
 */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { Condition, Payer } from './clinical.ts';
import { localDate, toMinute, type Zone } from './clock.ts';

/** DISCHARGED includes the end of services. COMPLETED is a visit with a single event, or a silent registration. */
export type VisitStatus = 'OPEN' | 'ON_LEAVE' | 'DISCHARGED' | 'DECEASED' | 'COMPLETED' | 'CANCELLED';

export interface Bed {
  unit: string;
  room: string;
  bed: string;
}

/** A visit's state after a step. Instants are milliseconds since 1970. */
export interface VisitState {
  status: VisitStatus;
  setting: Setting;
  /** Arrival: the first event. */
  startedAt: number;
  /** The last admission as an inpatient or to observation, or else the arrival. */
  admittedAt: number;
  dischargedAt: number | null;
  /** YYYY-MM-DD at the facility: the expected discharge, or null if it is not known. */
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
  /** HL7 trigger, or 'MANUAL' if staff enter the event. */
  trigger: string;
  at: number;
  emits: { code: EventCode; setting: Setting; at: number } | null;
  /** Index of the step whose event this one retracts. */
  retracts: number | null;
  /** MRG: the numbers that are merged away. */
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
  /** EVN-6 of transfers, updates and discharges repeats the admission, so only EVN-2 and PV1-45 say when they happened. */
  hasStaleOccurred: boolean;
  /** The facility's expected length of stay for an inpatient or resident; null if it sends none. */
  expectedDays: number | null;
  /** The state before the first step. */
  initial: VisitState;
  steps: Step[];
}

/** An event of the truth: still true, or retracted. */
export interface TrueEvent {
  code: EventCode;
  /** ISO 8601 UTC to the minute, or YYYY-MM-DD if a manual facility entered only the day. */
  at: string;
  precision: 'minute' | 'day';
  setting: Setting;
  /** The step whose message or manual entry reports the event. */
  step: number;
}

export interface VisitTruth {
  visit: string;
  facility: string;
  /** The person that the visit belongs to in the end. */
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
  /** 48 hours after arrival, when an open emergency visit is closed (event CLOSED). */
  closesAt: string | null;
  unit: string;
  payer: string;
  diagnoses: string[];
  /** The events that are still true, in true order. */
  events: TrueEvent[];
  /** The events that were reported and retracted, and not reported again. */
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

/** Returns the visit's true state after all its steps, and its events. */
export function truthOf(visit: Visit): VisitTruth {
  const last = visit.steps.at(-1)?.state;
  if (!last) throw new Error(`Visit ${visit.id} has no steps.`);
  const retractedSteps = new Set(visit.steps.map((step) => step.retracts).filter((index) => index !== null));
  const all = visit.steps.map((_, index) => trueEvent(visit, index)).filter((event) => event !== null);
  const events = all.filter((event) => !retractedSteps.has(event.step));
  const keys = new Set(events.map(eventKey));
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
    retracted: all.filter((event) => retractedSteps.has(event.step) && !keys.has(eventKey(event))),
  };
}
