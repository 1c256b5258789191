/** Courses of hospital visits. Each returns the visit; `visit.steps.at(-1)` says how and when it ended. */

import type { Scene } from './acts.ts';
import * as acts from './acts.ts';
import { type Condition, INPATIENT_UNITS, MAJOR_CONDITIONS, MINOR_CONDITIONS } from './clinical.ts';
import { DAY, MINUTE } from './clock.ts';
import { Course } from './course.ts';
import { recordNumber } from './presentation.ts';
import type { Visit } from './visit.ts';

export function hospitalOf(scene: Scene): 'mercy' | 'brendan' {
  const near = scene.person.address.state === 'MI' ? 'mercy' : 'brendan';
  return scene.random.chance(0.82) ? near : near === 'mercy' ? 'brendan' : 'mercy';
}

function emergency(scene: Scene, at: number, condition: Condition): Course {
  const facility = hospitalOf(scene);
  const admitSource = comesFrom(scene);
  return new Course(scene, acts.beginVisit(scene, facility, { at, setting: 'EMERGENCY', condition, admitSource }), at);
}

/** PV1-14: home, another hospital, a nursing or assisted living facility, another one, the police. */
export const comesFrom = ({ random, person, nextOrdinal }: Scene): string =>
  random.fork(`source/${person.id}/${nextOrdinal}`).weighted([
    ['1', 84],
    ['4', 3],
    ['5', person.isFrail ? 14 : 2],
    ['6', 2],
    ['8', 1],
  ]);

function maybeUpdate(course: Course, probability: number, condition: Condition, type: 'W' | 'F'): void {
  if (course.scene.random.chance(probability)) {
    acts.updateSilently(course.visit, course.scene.random, course.after(8, 90), condition, type);
  }
}

/** Discharge; now and then it is taken back and done again, sometimes within the same minute. Deaths are never taken back. */
function leave(course: Course, disposition: string): void {
  const { visit, scene } = course;
  const when = course.after(20, 120);
  if (disposition === '20' || !scene.random.chance(0.035)) {
    acts.discharge(visit, when, disposition);
    return;
  }
  const isHasty = scene.random.chance(0.4);
  const minute = Math.floor(when / MINUTE) * MINUTE;
  const first = acts.discharge(visit, isHasty ? minute + 5000 : when, disposition);
  acts.cancelDischarge(visit, scene.random, first, isHasty ? minute + 20_000 : course.after(3, 240));
  // Three messages in one minute cannot say which discharge was meant, so the hasty clerk repeats the same one.
  if (isHasty) acts.discharge(visit, minute + 45_000, disposition);
  else acts.discharge(visit, course.after(30, 1200), scene.random.pick(['01', disposition]));
  course.now = Math.max(course.now, minute + MINUTE);
}

/** Emergency visit that ends at home. */
export function treatAndRelease(scene: Scene, at: number): Visit {
  const condition = scene.random.pick(MINOR_CONDITIONS);
  const course = emergency(scene, at, condition);
  acts.present(course.visit, at);
  maybeUpdate(course, 0.4, condition, 'W');
  if (scene.random.chance(0.04)) acts.changePayer(course.visit, scene.random, course.after(10, 60));
  leave(
    course,
    scene.random.weighted([
      ['01', 88],
      ['07', 7],
      ['20', 2.5],
      ['02', 2.5],
    ]),
  );
  maybeUpdate(course, 0.25, condition, 'F');
  return course.visit;
}

/** Nobody ever tells how this emergency visit ended. */
export function hangingEmergency(scene: Scene, at: number): Visit {
  const course = emergency(scene, at, scene.random.pick(MINOR_CONDITIONS));
  acts.present(course.visit, at);
  maybeUpdate(course, 0.5, scene.random.pick(MINOR_CONDITIONS), 'W');
  return course.visit;
}

/** Days in a bed: transfers, moves, payers, diagnoses, and in the end one of the ways out. */
function stay(course: Course, condition: Condition): void {
  const { random, person } = course.scene;
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
  const isOld = person.isFrail;
  const out = random.weighted([
    ['01', 56],
    ['03', isOld ? 34 : 8],
    ['06', isOld ? 18 : 6],
    ['07', 3],
    ['20', isOld ? 11 : 3],
    ['50', 2],
    ['51', 2],
    ['62', 3],
  ]);
  if (out === '20' && random.chance(0.4)) {
    const died = course.after(5, 300);
    acts.dieBeforeDischarge(visit, died, course.after(15, 60));
    return;
  }
  leave(course, out);
  maybeUpdate(course, 0.35, condition, 'F');
}

/** Emergency visit that becomes an admission, by A06 or by an A01 with the new class. */
export function emergencyAdmission(scene: Scene, at: number): Visit {
  const condition = scene.random.pick(MAJOR_CONDITIONS);
  const course = emergency(scene, at, condition);
  acts.present(course.visit, at);
  maybeUpdate(course, 0.3, condition, 'W');
  acts.admit(course.visit, scene.random, course.after(90, 600), scene.random.chance(0.6) ? 'A06' : 'A01', 'INPATIENT');
  stay(course, condition);
  return course.visit;
}

/** Emergency visit, then observation; one in three is admitted after all. */
export function observation(scene: Scene, at: number): Visit {
  const condition = scene.random.pick(MAJOR_CONDITIONS);
  const course = emergency(scene, at, condition);
  acts.present(course.visit, at);
  acts.admit(course.visit, scene.random, course.after(60, 400), 'A01', 'OBSERVATION');
  if (scene.random.chance(0.33)) {
    acts.admit(course.visit, scene.random, course.after(400, 1400), 'A06', 'INPATIENT');
    stay(course, condition);
  } else {
    course.after(300, 1300);
    leave(course, '01');
  }
  return course.visit;
}

/** Planned admission that passes the emergency department by. */
export function directAdmission(scene: Scene, at: number): Visit {
  const condition = scene.random.pick(MAJOR_CONDITIONS);
  const beginning = { at, setting: 'INPATIENT', condition, admitSource: '2', units: INPATIENT_UNITS } as const;
  const course = new Course(scene, acts.beginVisit(scene, hospitalOf(scene), beginning), at);
  const admitted = acts.admit(course.visit, scene.random, at, 'A01', 'INPATIENT');
  if (scene.random.chance(0.16)) acts.cancelAdmission(course.visit, admitted, course.after(15, 500));
  else stay(course, condition);
  return course.visit;
}

/** Admitted from the emergency department, then not after all: the emergency visit goes on and ends at home. */
export function abandonedAdmission(scene: Scene, at: number): Visit {
  const course = emergency(scene, at, scene.random.pick(MINOR_CONDITIONS));
  acts.present(course.visit, at);
  const admitted = acts.admit(course.visit, scene.random, course.after(60, 300), 'A01', 'INPATIENT');
  acts.cancelAdmission(course.visit, admitted, course.after(10, 120));
  acts.discharge(course.visit, course.after(30, 200), '01');
  return course.visit;
}

/** Registered under a second record number; A40 puts it right during the visit or days after it. */
export function mergedRecords(scene: Scene, at: number): Visit {
  const course = emergency(scene, at, scene.random.pick(MINOR_CONDITIONS));
  course.visit.initial.recordNumber = recordNumber(scene.person.id, course.visit.facility, true);
  acts.present(course.visit, at);
  if (scene.random.chance(0.5)) {
    acts.mergeRecords(course.visit, course.after(20, 120));
    leave(course, '01');
  } else {
    leave(course, '01');
    acts.mergeRecords(course.visit, course.after(600, 6000));
  }
  return course.visit;
}

/** The visit gets another number on the way: by A50, or by an admission under a new number that A42 joins with the old one. */
export function renumberedVisit(scene: Scene, at: number): Visit {
  const condition = scene.random.pick(MAJOR_CONDITIONS);
  const course = emergency(scene, at, condition);
  acts.present(course.visit, at);
  const prior = acts.stateOf(course.visit).visitNumber;
  if (scene.random.chance(0.5)) {
    acts.changeVisitNumber(course.visit, course.after(20, 200), 'A50', prior);
    leave(course, '01');
  } else {
    const admitted = acts.admit(course.visit, scene.random, course.after(90, 400), 'A06', 'INPATIENT');
    Object.assign((course.visit.steps[admitted] as Visit['steps'][number]).state, acts.newVisitNumber(prior));
    acts.changeVisitNumber(course.visit, course.after(5, 60), 'A42', prior);
    stay(course, condition);
  }
  return course.visit;
}

/** Registered on somebody else of the household; A44 moves the account to the one who is really there. */
export function wrongPerson(scene: Scene, at: number): Visit {
  const other = scene.members.find((member) => member.id !== scene.person.id);
  if (!other) return treatAndRelease(scene, at);
  const course = emergency(scene, at, scene.random.pick(MINOR_CONDITIONS));
  const { visit } = course;
  Object.assign(visit.initial, { person: other.id, recordNumber: recordNumber(other.id, visit.facility) });
  acts.present(visit, at);
  acts.moveAccount(visit, course.after(15, 90), scene.person.id);
  leave(course, '01');
  return visit;
}
