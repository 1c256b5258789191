/**
 * Stays and visits at the region's substance-use treatment program, a 42 CFR Part 2 facility: without a consent, no one else is notified of them.
 * A few adults on a roster go there. Draws from a random source of its own, so that the rest of the world does not depend on it.
 */
import type { PatientContext } from './acts.ts';
import * as acts from './acts.ts';
import { DEPENDENCE_CONDITIONS, TREATMENT_UNITS, WITHDRAWAL_CONDITIONS } from './clinical.ts';
import { DAY, HOUR } from './clock.ts';
import { Course, later } from './course.ts';
import type { Person } from './people.ts';
import { makeRandom } from './random.ts';
import { registrationOf } from './registration.ts';
import type { Visit } from './visit.ts';

/** Key of the group. */
export const TREATMENT_FACILITY = 'stillwater';

/** Share of the well-known adults on a roster who are treated there. */
const TREATED_CHANCE = 0.06;
/** Of those, the share treated in the last weeks of the period. */
const RECENT_CHANCE = 0.3;

/** Withdrawal management, then the residential unit. */
function residentialStay(context: PatientContext, at: number): Visit {
  const { random } = context;
  const condition = random.pick(WITHDRAWAL_CONDITIONS);
  const [detox, residential] = TREATMENT_UNITS;
  const visit = acts.beginVisit(context, TREATMENT_FACILITY, { at, setting: 'INPATIENT', condition, units: [detox] });
  const course = new Course(context, visit, at);
  acts.admit(visit, random, at, 'A01', 'INPATIENT');
  if (random.chance(0.7)) {
    const { location } = acts.stateOf(visit);
    const set = { location: { ...location, unit: residential }, priorLocation: location };
    acts.act(visit, 'A02', course.daysAfter(3, 6), { emits: 'TRANSFER', set });
  }
  const disposition = random.weighted([
    ['01', 75],
    ['07', 25],
  ]);
  acts.discharge(visit, course.daysAfter(6, 21), disposition);
  return visit;
}

function counseling(context: PatientContext, at: number): Visit {
  const condition = context.random.pick(DEPENDENCE_CONDITIONS);
  const visit = acts.beginVisit(context, TREATMENT_FACILITY, {
    at,
    setting: 'OUTPATIENT',
    condition,
    units: ['CLINIC'],
  });
  acts.act(visit, 'A04', at, { emits: 'VISIT', set: { status: 'COMPLETED' } });
  return visit;
}

const isAdult = ({ birthDate }: Person): boolean => birthDate > '1948' && birthDate < '2004';

/** Returns what the person has at the facility in the period, beside the `others`, which these visits don't overlap. None for most people. */
export function treatmentVisits(
  { seed, from, to }: { seed: string; from: number; to: number },
  usual: PatientContext,
  others: readonly Visit[],
): Visit[] {
  const { person } = usual;
  const random = makeRandom(`${seed}/treatment/${person.id}`);
  if (!isAdult(person) || !random.chance(TREATED_CHANCE)) return [];
  if (registrationOf(seed, person, TREATMENT_FACILITY, true).identity !== 'matched') return [];
  const nextOrdinal = 1 + Math.max(0, ...others.map(({ ordinal }) => ordinal));
  const context = { ...usual, random, nextOrdinal };
  const earliest = random.chance(RECENT_CHANCE) ? to - 30 * DAY : from + DAY;
  let at = later(context, earliest + random.next() * (to - earliest - DAY), 0, 30);
  const visits = random.chance(0.6) ? [residentialStay(context, at)] : [];
  at = visits[0]?.steps.at(-1)?.at ?? at;
  for (let left = random.int(1, 6); left > 0; left -= 1) {
    at = later(context, at + random.int(6, 14) * DAY, 0, 300);
    visits.push(counseling(context, at));
  }
  return visits.filter((visit) => others.every((other) => areApart(visit, other)));
}

/** Whether half a day is between two visits. A visit without an end, and a death, leave no room after them. */
function areApart(visit: Visit, other: Visit): boolean {
  const { status } = acts.stateOf(other);
  const isLast = status === 'OPEN' || status === 'ON_LEAVE' || status === 'DECEASED';
  const last = isLast ? Number.POSITIVE_INFINITY : endOf(other);
  return last + 12 * HOUR < visit.initial.startedAt || endOf(visit) + 12 * HOUR < other.initial.startedAt;
}

const endOf = (visit: Visit): number => visit.steps.at(-1)?.at ?? visit.initial.startedAt;
