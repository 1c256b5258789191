/**
 * What can happen in a visit, one function each. A function appends a step with its message's trigger and its true effect, and returns
 * the index of the step. Times are instants in milliseconds since 1970.
 */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import { type Condition, INPATIENT_UNITS, MEDICARE, MEDICARE_PAYERS, PAYERS, SNF_UNITS } from './clinical.ts';
import { DAY, localDate, type Zone } from './clock.ts';
import type { Person } from './people.ts';
import { makeRandom, type Random } from './random.ts';
import { recordNumber } from './registration.ts';
import type { Bed, Step, Visit, VisitState } from './visit.ts';

/** The person whose visits are being generated, and what the generator needs for it. */
export interface PatientContext {
  seed: string;
  random: Random;
  person: Person;
  members: readonly Person[];
  /** Number of the next visit of this person. */
  nextOrdinal: number;
  /** Prefix of visit and account numbers. Live visits have their own, so that no number is used twice. */
  numberPrefix: string;
}

const FACILITY_ZONES: Record<string, Zone> = {
  mercy: 'America/New_York',
  'urgent-care': 'America/New_York',
  brendan: 'America/Chicago',
  'oak-hollow': 'America/New_York',
  'willow-bend': 'America/Chicago',
  tamarack: 'America/Chicago',
  stillwater: 'America/New_York',
};

const zoneOf = (facility: string): Zone => FACILITY_ZONES[facility] ?? 'America/New_York';

function bedIn(random: Random, units: readonly string[]): Bed {
  return { unit: random.pick(units), room: String(random.int(101, 640)), bed: random.pick(['A', 'B']) };
}

/** How often a facility reports an expected length of stay, and the range of days: a few in hospitals, weeks in nursing facilities. */
const EXPECTED_DAYS: Record<string, { chance: number; low: number; high: number }> = {
  mercy: { chance: 0.75, low: 1, high: 5 },
  brendan: { chance: 0.75, low: 1, high: 5 },
  'oak-hollow': { chance: 0.88, low: 10, high: 32 },
};
/** Draws from a random source of its own, so that the rest of the world does not depend on it. */
function expectedDaysOf(seed: string, visitId: string, facility: string): number | null {
  const usual = EXPECTED_DAYS[facility];
  if (!usual) return null;
  const random = makeRandom(`${seed}/expected/${visitId}`);
  return random.chance(usual.chance) ? random.int(usual.low, usual.high) : null;
}

const dayAfter = (at: number, days: number | null, zone: Zone): string | null =>
  days === null ? null : new Date(Date.parse(localDate(at, zone)) + days * DAY).toISOString().slice(0, 10);

export interface Beginning {
  at: number;
  setting: Setting;
  condition: Condition;
  admitSource?: string;
  units?: readonly string[];
}

/** Returns a visit without steps. One visit in eight never gets a diagnosis. */
export function beginVisit(context: PatientContext, facility: string, beginning: Beginning): Visit {
  const { random, person } = context;
  const ordinal = context.nextOrdinal++;
  const id = `${person.id}.${context.numberPrefix}${ordinal}`;
  const zone = zoneOf(facility);
  const expectedDays = expectedDaysOf(context.seed, id, facility);
  const number = context.numberPrefix + String(person.id * 100 + ordinal).padStart(8, '0');
  const initial: VisitState = {
    status: 'OPEN',
    setting: beginning.setting,
    startedAt: beginning.at,
    admittedAt: beginning.at,
    dischargedAt: null,
    expectedDischarge: beginning.setting === 'SNF' ? dayAfter(beginning.at, expectedDays, zone) : null,
    disposition: null,
    deceasedAt: null,
    location: bedIn(random, beginning.units ?? ['ED']),
    priorLocation: null,
    payer: person.medicareId ? MEDICARE : (PAYERS[person.id % PAYERS.length] ?? MEDICARE),
    diagnoses: random.chance(0.12) ? [] : [{ condition: beginning.condition, type: 'A' }],
    reason: beginning.condition.complaint,
    admitSource: beginning.admitSource ?? '1',
    attending: random.int(0, 7),
    person: person.id,
    recordNumber: recordNumber(person.id, facility),
    visitNumber: `V${number}`,
    accountNumber: `A${number}`,
  };
  return {
    id,
    facility,
    zone,
    ordinal,
    isManual: facility === 'willow-bend',
    hasStaleOccurred: random.chance(0.06),
    expectedDays,
    initial,
    steps: [],
  };
}

type Effect = Partial<Pick<Step, 'retracts' | 'merge' | 'deletes'>> & { emits?: EventCode; set?: Partial<VisitState> };

/** Returns the visit's current state. */
export const stateOf = (visit: Visit): VisitState => visit.steps.at(-1)?.state ?? visit.initial;

/** Appends a step with its effect. The event's setting is the one after the step. */
export function act(visit: Visit, trigger: string, at: number, effect: Effect): number {
  const state = { ...stateOf(visit), ...effect.set };
  visit.steps.push({
    trigger,
    at,
    emits: effect.emits ? { code: effect.emits, setting: state.setting, at } : null,
    retracts: effect.retracts ?? null,
    merge: effect.merge ?? null,
    deletes: effect.deletes ?? [],
    state,
  });
  return visit.steps.length - 1;
}

/** A04: the patient arrives at the emergency department. */
export const present = (visit: Visit, at: number) =>
  act(visit, 'A04', at, { emits: 'PRESENTED', set: { setting: 'EMERGENCY' } });

/** A01, or A06 for a patient who is already at the hospital. */
export function admit(visit: Visit, random: Random, at: number, trigger: 'A01' | 'A06', setting: Setting): number {
  const isHere = visit.steps.length > 0;
  const location = isHere
    ? bedIn(random, setting === 'OBSERVATION' ? ['OBS'] : INPATIENT_UNITS)
    : stateOf(visit).location;
  const priorLocation = isHere ? stateOf(visit).location : null;
  const expectedDischarge = setting === 'INPATIENT' ? dayAfter(at, visit.expectedDays, visit.zone) : null;
  // St. Brendan gives its own emergency department as the admit source (PV1-14) of its patients.
  const source = isHere && visit.facility === 'brendan' ? { admitSource: '7' } : {};
  return act(visit, trigger, at, {
    emits: 'ADMIT',
    set: { setting, admittedAt: at, expectedDischarge, location, priorLocation, ...source },
  });
}

/** A02 to another unit, which is a transfer. */
export function transfer(visit: Visit, random: Random, at: number): number {
  const { location, setting } = stateOf(visit);
  const units: readonly string[] = setting === 'SNF' ? SNF_UNITS : INPATIENT_UNITS;
  const next = bedIn(
    random,
    units.filter((unit) => unit !== location.unit),
  );
  return act(visit, 'A02', at, { emits: 'TRANSFER', set: { location: next, priorLocation: location } });
}

/** A02 to another bed of the same unit, which is silent. */
export function moveBed(visit: Visit, random: Random, at: number): number {
  const { location } = stateOf(visit);
  const bed = { ...location, room: String(Number(location.room) + random.int(1, 9)) };
  return act(visit, 'A02', at, { set: { location: bed, priorLocation: location } });
}

/** A12 cancels the latest transfer. */
export function cancelTransfer(visit: Visit, transferStep: number, at: number): number {
  const { state } = visit.steps[transferStep] as Step;
  const back = state.priorLocation ?? state.location;
  return act(visit, 'A12', at, { retracts: transferStep, set: { location: back, priorLocation: state.location } });
}

/** A07, or A08 with another class: an inpatient becomes an observation patient within the same visit. */
export const changeToObservation = (visit: Visit, at: number, trigger: 'A07' | 'A08') =>
  act(visit, trigger, at, { emits: 'TRANSFER', set: { setting: 'OBSERVATION' } });

/** A08 with another payer and no other change, or the same as a manual entry. */
export function changePayer(visit: Visit, random: Random, at: number): number {
  const { code } = stateOf(visit).payer;
  const payers = MEDICARE_PAYERS.some((payer) => payer.code === code) ? MEDICARE_PAYERS : PAYERS;
  const payer = random.pick(payers.filter((candidate) => candidate.code !== code));
  return act(visit, visit.isManual ? 'MANUAL' : 'A08', at, { emits: 'PAYOR_CHANGE', set: { payer } });
}

/** A silent A08: adds a diagnosis, or deletes a phone number or reason. A visit without diagnoses gets none. */
export function updateSilently(
  visit: Visit,
  random: Random,
  at: number,
  condition: Condition,
  type: 'W' | 'F',
): number {
  const { diagnoses } = stateOf(visit);
  const isKnown = diagnoses.some((diagnosis) => diagnosis.condition.code === condition.code && diagnosis.type === type);
  const set = diagnoses.length > 0 && !isKnown ? { diagnoses: [...diagnoses, { condition, type }] } : {};
  return act(visit, 'A08', at, { set, deletes: random.chance(0.1) ? [random.pick(['phone', 'reason'])] : [] });
}

const DEATHS = new Set(['20', '40', '41', '42']);

/** A03, or a manual entry. `at` is also when the patient left (PV1-45). */
export function discharge(visit: Visit, at: number, disposition: string, code?: EventCode): number {
  const isDeath = DEATHS.has(disposition);
  const set: Partial<VisitState> = {
    status: isDeath ? 'DECEASED' : 'DISCHARGED',
    dischargedAt: at,
    disposition,
    deceasedAt: isDeath ? at : stateOf(visit).deceasedAt,
  };
  return act(visit, visit.isManual ? 'MANUAL' : 'A03', at, {
    emits: code ?? (isDeath ? 'DECEASED' : 'DISCHARGE'),
    set,
  });
}

/** A13 cancels the discharge. Some senders also delete its fields. */
export function cancelDischarge(visit: Visit, random: Random, dischargeStep: number, at: number): number {
  const before = visit.steps[dischargeStep - 1]?.state ?? visit.initial;
  return act(visit, 'A13', at, {
    retracts: dischargeStep,
    deletes: random.chance(0.4) ? ['disposition', 'dischargedAt'] : [],
    set: { status: before.status, dischargedAt: null, disposition: null, deceasedAt: before.deceasedAt },
  });
}

/** A11 cancels an admission: the visit returns to its state before, or is canceled if there was none. */
export function cancelAdmission(visit: Visit, admitStep: number, at: number): number {
  const before = visit.steps[admitStep - 1]?.state;
  const set: Partial<VisitState> = before
    ? {
        setting: before.setting,
        admittedAt: before.admittedAt,
        expectedDischarge: before.expectedDischarge,
        location: before.location,
        priorLocation: before.priorLocation,
      }
    : { status: 'CANCELLED' };
  return act(visit, 'A11', at, { retracts: admitStep, set });
}

/** A08 with PID-30 reports the death before the discharge. The A03 that follows reports the same event again. */
export function dieBeforeDischarge(visit: Visit, at: number, dischargeAt: number): void {
  act(visit, 'A08', at, { emits: 'DECEASED', set: { status: 'DECEASED', deceasedAt: at } });
  act(visit, 'A03', dischargeAt, { set: { dischargedAt: at, disposition: '20' } });
}

/** A40 merges the duplicate record number into the person's own. */
export function mergeRecords(visit: Visit, at: number): number {
  const prior = stateOf(visit).recordNumber;
  return act(visit, 'A40', at, {
    merge: { recordNumber: prior },
    set: { recordNumber: recordNumber(stateOf(visit).person, visit.facility) },
  });
}

/** Returns the number that replaces a visit number. */
export const newVisitNumber = (prior: string) => ({ visitNumber: `X${prior.slice(1)}` });

/** A50 changes the visit number; A42 merges the visit under the old number into the one under the new number. */
export function changeVisitNumber(visit: Visit, at: number, trigger: 'A42' | 'A50', prior: string): number {
  return act(visit, trigger, at, { merge: { visitNumber: prior }, set: newVisitNumber(prior) });
}

/** A44 moves an account that was opened for the wrong person to the right one. */
export function moveAccount(visit: Visit, at: number, right: number): number {
  const { recordNumber: wrong, accountNumber } = stateOf(visit);
  return act(visit, 'A44', at, {
    merge: { recordNumber: wrong, accountNumber },
    set: { person: right, recordNumber: recordNumber(right, visit.facility) },
  });
}
