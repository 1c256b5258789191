/** Scripts of hospital visits. Each returns the visit; `visit.steps.at(-1)` says how and when it ended. */

import type { PatientContext } from './acts.ts';
import * as acts from './acts.ts';
import { type Condition, conditionFor, INPATIENT_UNITS, MAJOR_CONDITIONS, MINOR_CONDITIONS } from './clinical.ts';
import { DAY, MINUTE } from './clock.ts';
import { Course } from './course.ts';
import { ageOf, YOUNGEST_RESIDENT } from './people.ts';
import { recordNumber } from './registration.ts';
import type { Visit } from './visit.ts';

export function hospitalOf(context: PatientContext): 'mercy' | 'brendan' {
  const near = context.person.address.state === 'MI' ? 'mercy' : 'brendan';
  return context.random.chance(0.82) ? near : near === 'mercy' ? 'brendan' : 'mercy';
}

function emergency(context: PatientContext, at: number, condition: Condition): Course {
  const facility = hospitalOf(context);
  const admitSource = admitSourceOf(context);
  return new Course(
    context,
    acts.beginVisit(context, facility, { at, setting: 'EMERGENCY', condition, admitSource }),
    at,
  );
}

/** Draws PV1-14: home, another hospital, a nursing or assisted living facility, another facility, or the police. */
export const admitSourceOf = ({ random, person, nextOrdinal }: PatientContext): string =>
  random.fork(`source/${person.id}/${nextOrdinal}`).weighted([
    ['1', 84],
    ['4', 3],
    ['5', person.isFrail ? 14 : 2],
    ['6', 2],
    ['8', 1],
  ]);

function maybeUpdate(course: Course, probability: number, condition: Condition, type: 'W' | 'F'): void {
  if (course.context.random.chance(probability)) {
    acts.updateSilently(course.visit, course.context.random, course.after(8, 90), condition, type);
  }
}

/** Discharges the patient. A few discharges are canceled and repeated, some within the same minute. Deaths are never canceled. */
function endVisit(course: Course, disposition: string): void {
  const { visit, context } = course;
  const when = course.after(20, 120);
  if (disposition === '20' || !context.random.chance(0.035)) {
    acts.discharge(visit, when, disposition);
    return;
  }
  const isHasty = context.random.chance(0.4);
  const minute = Math.floor(when / MINUTE) * MINUTE;
  const first = acts.discharge(visit, isHasty ? minute + 5000 : when, disposition);
  acts.cancelDischarge(visit, context.random, first, isHasty ? minute + 20_000 : course.after(3, 240));
  // With three messages in one minute no reader could tell which disposition is right, so a hasty clerk repeats the same one.
  if (isHasty) acts.discharge(visit, minute + 45_000, disposition);
  else acts.discharge(visit, course.after(30, 1200), context.random.pick(['01', disposition]));
  course.now = Math.max(course.now, minute + MINUTE);
}

/** Emergency visit with a discharge to home. */
export function treatAndRelease(context: PatientContext, at: number): Visit {
  const condition = conditionFor(context, MINOR_CONDITIONS);
  const course = emergency(context, at, condition);
  acts.present(course.visit, at);
  maybeUpdate(course, 0.4, condition, 'W');
  if (context.random.chance(0.04)) acts.changePayer(course.visit, context.random, course.after(10, 60));
  endVisit(
    course,
    context.random.weighted([
      ['01', 88],
      ['07', 7],
      ['20', 2.5],
      ['02', 2.5],
    ]),
  );
  maybeUpdate(course, 0.25, condition, 'F');
  return course.visit;
}

/** Emergency visit whose end is never reported. */
export function hangingEmergency(context: PatientContext, at: number): Visit {
  const course = emergency(context, at, conditionFor(context, MINOR_CONDITIONS));
  acts.present(course.visit, at);
  maybeUpdate(course, 0.5, conditionFor(context, MINOR_CONDITIONS), 'W');
  return course.visit;
}

/** Adds an inpatient stay: transfers, bed moves, changes of payer and diagnosis, and a discharge or death. */
function stay(course: Course, condition: Condition): void {
  const { random, person } = course.context;
  const { visit } = course;
  const days = Math.min(14, 1 + random.wait(2.6));
  const happenings = random.int(0, 3);
  for (let index = 0; index < happenings; index++) {
    course.now += ((days * DAY) / (happenings + 1)) * (0.7 + 0.3 * random.next());
    const kind = random.weighted([
      ['transfer', 34],
      ['bed', 16],
      ['payer', 11],
      ['diagnosis', 34],
      ['observation', 5],
    ] as const);
    const when = course.after(2, 90);
    if (kind === 'transfer') {
      const moved = acts.transfer(visit, random, when);
      if (random.chance(0.1)) acts.cancelTransfer(visit, moved, course.after(5, 60));
    } else if (kind === 'bed') acts.moveBed(visit, random, when);
    else if (kind === 'payer') acts.changePayer(visit, random, when);
    else if (kind === 'diagnosis') acts.updateSilently(visit, random, when, condition, 'W');
    else if (acts.stateOf(visit).setting === 'INPATIENT')
      acts.changeToObservation(visit, when, random.pick(['A07', 'A08']));
  }
  course.now += (days * DAY) / (happenings + 1);
  const disposition = random.weighted([
    ['01', 56],
    ['03', ageOf(person) < YOUNGEST_RESIDENT ? 0 : person.isFrail ? 34 : 8],
    ['06', person.isFrail ? 18 : 6],
    ['07', 3],
    ['20', person.isFrail ? 11 : 3],
    ['50', 2],
    ['51', 2],
    ['62', 3],
  ]);
  if (disposition === '20' && random.chance(0.4)) {
    const died = course.after(5, 300);
    acts.dieBeforeDischarge(visit, died, course.after(15, 60));
    return;
  }
  endVisit(course, disposition);
  maybeUpdate(course, 0.35, condition, 'F');
}

/** Emergency visit that becomes an admission, reported by A06 or by A01 with the new class. */
export function emergencyAdmission(context: PatientContext, at: number): Visit {
  const condition = conditionFor(context, MAJOR_CONDITIONS);
  const course = emergency(context, at, condition);
  acts.present(course.visit, at);
  maybeUpdate(course, 0.3, condition, 'W');
  acts.admit(
    course.visit,
    context.random,
    course.after(90, 600),
    context.random.chance(0.6) ? 'A06' : 'A01',
    'INPATIENT',
  );
  stay(course, condition);
  return course.visit;
}

/** Emergency visit, then observation. One in three patients is then admitted. */
export function observation(context: PatientContext, at: number): Visit {
  const condition = conditionFor(context, MAJOR_CONDITIONS);
  const course = emergency(context, at, condition);
  acts.present(course.visit, at);
  acts.admit(course.visit, context.random, course.after(60, 400), 'A01', 'OBSERVATION');
  if (context.random.chance(0.33)) {
    acts.admit(course.visit, context.random, course.after(400, 1400), 'A06', 'INPATIENT');
    stay(course, condition);
  } else {
    course.after(300, 1300);
    endVisit(course, '01');
  }
  return course.visit;
}

/** Planned admission that bypasses the emergency department. */
export function directAdmission(context: PatientContext, at: number): Visit {
  const condition = conditionFor(context, MAJOR_CONDITIONS);
  const beginning = { at, setting: 'INPATIENT', condition, admitSource: '2', units: INPATIENT_UNITS } as const;
  const course = new Course(context, acts.beginVisit(context, hospitalOf(context), beginning), at);
  const admitted = acts.admit(course.visit, context.random, at, 'A01', 'INPATIENT');
  if (context.random.chance(0.16)) acts.cancelAdmission(course.visit, admitted, course.after(15, 500));
  else stay(course, condition);
  return course.visit;
}

/** Admission from the emergency department that is canceled. The emergency visit continues and ends with a discharge to home. */
export function abandonedAdmission(context: PatientContext, at: number): Visit {
  const course = emergency(context, at, conditionFor(context, MINOR_CONDITIONS));
  acts.present(course.visit, at);
  const admitted = acts.admit(course.visit, context.random, course.after(60, 300), 'A01', 'INPATIENT');
  acts.cancelAdmission(course.visit, admitted, course.after(10, 120));
  acts.discharge(course.visit, course.after(30, 200), '01');
  return course.visit;
}

/** Visit registered under a duplicate record number. A40 merges the two during the visit or days later. */
export function mergedRecords(context: PatientContext, at: number): Visit {
  const course = emergency(context, at, conditionFor(context, MINOR_CONDITIONS));
  course.visit.initial.recordNumber = recordNumber(context.person.id, course.visit.facility, true);
  acts.present(course.visit, at);
  if (context.random.chance(0.5)) {
    acts.mergeRecords(course.visit, course.after(20, 120));
    endVisit(course, '01');
  } else {
    endVisit(course, '01');
    acts.mergeRecords(course.visit, course.after(600, 6000));
  }
  return course.visit;
}

/** Visit whose number changes: by A50, or by an admission under a new number that A42 merges with the old one. */
export function renumberedVisit(context: PatientContext, at: number): Visit {
  const condition = conditionFor(context, MAJOR_CONDITIONS);
  const course = emergency(context, at, condition);
  acts.present(course.visit, at);
  const prior = acts.stateOf(course.visit).visitNumber;
  if (context.random.chance(0.5)) {
    acts.changeVisitNumber(course.visit, course.after(20, 200), 'A50', prior);
    endVisit(course, '01');
  } else {
    const admitted = acts.admit(course.visit, context.random, course.after(90, 400), 'A06', 'INPATIENT');
    Object.assign((course.visit.steps[admitted] as Visit['steps'][number]).state, acts.newVisitNumber(prior));
    acts.changeVisitNumber(course.visit, course.after(5, 60), 'A42', prior);
    stay(course, condition);
  }
  return course.visit;
}

/** Visit registered for another member of the household. A44 moves the account to the actual patient. */
export function wrongPerson(context: PatientContext, at: number): Visit {
  const other = context.members.find((member) => member.id !== context.person.id);
  if (!other) return treatAndRelease(context, at);
  const course = emergency(context, at, conditionFor(context, MINOR_CONDITIONS));
  const { visit } = course;
  Object.assign(visit.initial, { person: other.id, recordNumber: recordNumber(other.id, visit.facility) });
  acts.present(visit, at);
  acts.moveAccount(visit, course.after(15, 90), context.person.id);
  endVisit(course, '01');
  return visit;
}
