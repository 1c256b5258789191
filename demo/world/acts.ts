/**
 * What can happen in a visit, one function each: appends a step with its message's trigger and its true effect.
 * Times are instants in milliseconds; each function returns the index of its step.
 */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import { type Condition, INPATIENT_UNITS, MEDICARE, PAYERS, SNF_UNITS } from './clinical.ts';
import { DAY, localDate, type Zone } from './clock.ts';
import type { Person } from './people.ts';
import { recordNumber } from './presentation.ts';
import { makeRandom, type Random } from './random.ts';
import type { Bed, Step, Visit, VisitState } from './visit.ts';

/** A person whose visits are being made. */
export interface Scene {
  seed: string;
  random: Random;
  person: Person;
  members: readonly Person[];
  /** Number of the next visit of this person. */
  nextOrdinal: number;
  /** Put before visit and account numbers; live visits have one of their own, so that none comes twice. */
  numberPrefix: string;
}

const FACILITY_ZONES: Record<string, Zone> = {
  mercy: 'America/New_York',
  'urgent-care': 'America/New_York',
  brendan: 'America/Chicago',
  'oak-hollow': 'America/New_York',
  'willow-bend': 'America/Chicago',
  tamarack: 'America/Chicago',
};

export const zoneOf = (facility: string): Zone => FACILITY_ZONES[facility] ?? 'America/New_York';

function bedIn(random: Random, units: readonly string[]): Bed {
  return { unit: random.pick(units), room: String(random.int(101, 640)), bed: random.pick(['A', 'B']) };
}

/** How often a facility says how long it expects a stay to last, and the days that it says: hospitals a few, nursing facilities weeks. */
const EXPECTED_DAYS: Record<string, { chance: number; low: number; high: number }> = {
  mercy: { chance: 0.75, low: 1, high: 5 },
  brendan: { chance: 0.75, low: 1, high: 5 },
  'oak-hollow': { chance: 0.88, low: 10, high: 32 },
};
/** Of a chance of its own, so that nothing else in the world moves with it. */
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

/** A visit without steps yet. One in eight never gets a diagnosis. */
export function beginVisit(scene: Scene, facility: string, beginning: Beginning): Visit {
  const { random, person } = scene;
  const ordinal = scene.nextOrdinal++;
  const id = `${person.id}.${scene.numberPrefix}${ordinal}`;
  const zone = zoneOf(facility);
  const expectedDays = expectedDaysOf(scene.seed, id, facility);
  const number = scene.numberPrefix + String(person.id * 100 + ordinal).padStart(8, '0');
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

/** How the visit stands now. */
export const stateOf = (visit: Visit): VisitState => visit.steps.at(-1)?.state ?? visit.initial;

/** Appends a step with its effect. The event has the setting that the patient is in afterwards. */
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

/** A04 of an emergency patient. */
export const present = (visit: Visit, at: number) =>
  act(visit, 'A04', at, { emits: 'PRESENTED', set: { setting: 'EMERGENCY' } });

/** A01, or A06 of a patient who is here already. */
export function admit(visit: Visit, random: Random, at: number, trigger: 'A01' | 'A06', setting: Setting): number {
  const isHere = visit.steps.length > 0;
  const location = isHere
    ? bedIn(random, setting === 'OBSERVATION' ? ['OBS'] : INPATIENT_UNITS)
    : stateOf(visit).location;
  const priorLocation = isHere ? stateOf(visit).location : null;
  // St. Brendan registers who comes up from the emergency department as come from there (PV1-14).
  const expectedDischarge = setting === 'INPATIENT' ? dayAfter(at, visit.expectedDays, visit.zone) : null;
  const source = isHere && visit.facility === 'brendan' ? { admitSource: '7' } : {};
  return act(visit, trigger, at, {
    emits: 'ADMIT',
    set: { setting, admittedAt: at, expectedDischarge, location, priorLocation, ...source },
  });
}

/** A02 to another unit: a transfer. */
export function transfer(visit: Visit, random: Random, at: number): number {
  const { location, setting } = stateOf(visit);
  const units: readonly string[] = setting === 'SNF' ? SNF_UNITS : INPATIENT_UNITS;
  const next = bedIn(
    random,
    units.filter((unit) => unit !== location.unit),
  );
  return act(visit, 'A02', at, { emits: 'TRANSFER', set: { location: next, priorLocation: location } });
}

/** A02 to another bed of the same unit: nothing that anybody is told. */
export function moveBed(visit: Visit, random: Random, at: number): number {
  const { location } = stateOf(visit);
  const bed = { ...location, room: String(Number(location.room) + random.int(1, 9)) };
  return act(visit, 'A02', at, { set: { location: bed, priorLocation: location } });
}

/** A12 takes the latest transfer back. */
export function cancelTransfer(visit: Visit, transferStep: number, at: number): number {
  const { state } = visit.steps[transferStep] as Step;
  const back = state.priorLocation ?? state.location;
  return act(visit, 'A12', at, { retracts: transferStep, set: { location: back, priorLocation: state.location } });
}

/** A07 or A08 with another class: an inpatient becomes an observation patient, the same visit goes on. */
export const changeToObservation = (visit: Visit, at: number, trigger: 'A07' | 'A08') =>
  act(visit, trigger, at, { emits: 'TRANSFER', set: { setting: 'OBSERVATION' } });

/** A08 with another payer and nothing else new, or the entry by hand. */
export function changePayer(visit: Visit, random: Random, at: number): number {
  const payer = random.pick(PAYERS.filter((candidate) => candidate.code !== stateOf(visit).payer.code));
  return act(visit, visit.isManual ? 'MANUAL' : 'A08', at, { emits: 'PAYOR_CHANGE', set: { payer } });
}

/** A08 that nobody is told of: a diagnosis, or a phone number taken off. Visits without diagnoses stay without. */
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

/** A03, or the entry by hand. `at` is also when the patient left (PV1-45). */
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

/** A13 takes the discharge back; some senders also delete its fields. */
export function cancelDischarge(visit: Visit, random: Random, dischargeStep: number, at: number): number {
  const before = visit.steps[dischargeStep - 1]?.state ?? visit.initial;
  return act(visit, 'A13', at, {
    retracts: dischargeStep,
    deletes: random.chance(0.4) ? ['disposition', 'dischargedAt'] : [],
    set: { status: before.status, dischargedAt: null, disposition: null, deceasedAt: before.deceasedAt },
  });
}

/** A11 takes an admission back: what was before it stands again; if nothing was, the visit is cancelled. */
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

/** A08 with PID-30: the death is told before the discharge; the A03 that follows says the same event again. */
export function dieBeforeDischarge(visit: Visit, at: number, dischargeAt: number): void {
  act(visit, 'A08', at, { emits: 'DECEASED', set: { status: 'DECEASED', deceasedAt: at } });
  act(visit, 'A03', dischargeAt, { set: { dischargedAt: at, disposition: '20' } });
}

/** A40: the careless second record number gives way to the person's own. */
export function mergeRecords(visit: Visit, at: number): number {
  const prior = stateOf(visit).recordNumber;
  return act(visit, 'A40', at, {
    merge: { recordNumber: prior },
    set: { recordNumber: recordNumber(stateOf(visit).person, visit.facility) },
  });
}

/** What replaces a visit number. */
export const newVisitNumber = (prior: string) => ({ visitNumber: `X${prior.slice(1)}` });

/** A50: the visit number changes; or A42: the visit under the old number is the one under the present number. */
export function changeVisitNumber(visit: Visit, at: number, trigger: 'A42' | 'A50', prior: string): number {
  return act(visit, trigger, at, { merge: { visitNumber: prior }, set: newVisitNumber(prior) });
}

/** A44: the account was opened on the wrong person and moves to the right one. */
export function moveAccount(visit: Visit, at: number, right: number): number {
  const { recordNumber: wrong, accountNumber } = stateOf(visit);
  return act(visit, 'A44', at, {
    merge: { recordNumber: wrong, accountNumber },
    set: { person: right, recordNumber: recordNumber(right, visit.facility) },
  });
}
