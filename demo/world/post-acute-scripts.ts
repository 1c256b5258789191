/** Courses outside of hospitals: nursing facilities, home health, urgent care, outpatient registrations. */

import type { Scene } from './acts.ts';
import * as acts from './acts.ts';
import { MINOR_CONDITIONS, REHABILITATION_CONDITIONS, SNF_UNITS } from './clinical.ts';

import { hospitalOf, later, treatAndRelease } from './hospital-scripts.ts';
import type { Visit } from './visit.ts';

/**
 * A stay in a nursing facility, by feed at Oak Hollow, by hand at Willow Bend; a leave may hold an emergency visit in between.
 * The first visit returned is the stay.
 */
export function nursingStay(scene: Scene, at: number): Visit[] {
  const { random } = scene;
  const facility = random.chance(0.5) ? 'oak-hollow' : 'willow-bend';
  const condition = random.pick(REHABILITATION_CONDITIONS);
  const visit = acts.beginVisit(scene, facility, { at, setting: 'SNF', condition, admitSource: '4', units: SNF_UNITS });
  const trigger = (hl7: string) => (visit.isManual ? 'MANUAL' : hl7);
  const between: Visit[] = [];
  let now = at;
  const after = (lowDays: number, highDays: number) => {
    now = later(scene, now, lowDays * 1440, highDays * 1440);
    return now;
  };
  acts.act(visit, trigger('A01'), at, { emits: 'ADMIT' });
  if (!visit.isManual && random.chance(0.25)) acts.transfer(visit, random, after(1, 4));
  if (random.chance(0.45)) {
    const left = acts.act(visit, trigger('A21'), after(3, 9), {
      emits: 'MEDICAL_LEAVE_OF_ABSENCE',
      set: { status: 'ON_LEAVE' },
    });
    if (!visit.isManual && random.chance(0.15)) {
      acts.act(visit, 'A52', later(scene, now, 60, 60), { retracts: left, set: { status: 'OPEN' } });
    } else {
      if (random.chance(0.35)) between.push(treatAndRelease(scene, later(scene, now, 60, 200)));
      const isDead = between.some((hospital) => acts.stateOf(hospital).status === 'DECEASED');
      if (isDead) return [visit, ...between];
      acts.act(visit, trigger('A22'), after(2, 4), { emits: 'RESUMED_SERVICES', set: { status: 'OPEN' } });
    }
  }
  if (random.chance(0.2)) acts.changePayer(visit, random, after(2, 6));
  const end = visit.isManual
    ? random.weighted([
        ['services', 55],
        ['discharge', 35],
        ['none', 10],
      ] as const)
    : 'discharge';
  if (end === 'services') {
    // The resident may stay on; what the facility reports of is over.
    const ended = after(5, 20);
    acts.act(visit, 'MANUAL', ended, { emits: 'ENDED_SERVICES', set: { status: 'DISCHARGED', dischargedAt: ended } });
  } else if (end === 'discharge') {
    acts.discharge(
      visit,
      after(5, 20),
      random.weighted([
        ['01', 50],
        ['06', 30],
        ['02', 12],
        ['20', 5],
      ]),
    );
  }
  return [visit, ...between];
}

/** Home health: services start and, weeks later, end. */
export function homeHealth(scene: Scene, at: number): Visit {
  const condition = scene.random.pick(REHABILITATION_CONDITIONS);
  const visit = acts.beginVisit(scene, 'tamarack', { at, setting: 'HHA', condition, units: ['HOME'] });
  acts.act(visit, 'A01', at, { emits: 'STARTED_HHA_SERVICES' });
  const end = later(scene, at, 18 * 1440, 60 * 1440);
  acts.discharge(visit, end, '01', 'ENDED_HHA_SERVICES');
  return visit;
}

/** Urgent care: one registration, which is the whole visit. */
export function urgentCare(scene: Scene, at: number): Visit {
  const condition = scene.random.pick(MINOR_CONDITIONS);
  const visit = acts.beginVisit(scene, 'urgent-care', { at, setting: 'URGENT_CARE', condition, units: ['UC'] });
  acts.act(visit, 'A04', at, { emits: 'VISIT', set: { status: 'COMPLETED' } });
  return visit;
}

/** An outpatient's registration: a VISIT at St. Brendan, silent at Mercy General. */
export function outpatient(scene: Scene, at: number): Visit {
  const facility = hospitalOf(scene);
  const condition = scene.random.pick(MINOR_CONDITIONS);
  const visit = acts.beginVisit(scene, facility, { at, setting: 'OUTPATIENT', condition, units: ['CLINIC'] });
  const set = { status: 'COMPLETED' } as const;
  acts.act(visit, 'A04', at, facility === 'brendan' ? { emits: 'VISIT', set } : { set });
  return visit;
}

/** When the visit was over, or its last step so far. */
export const endOf = (visit: Visit): number => visit.steps.at(-1)?.at ?? visit.initial.startedAt;

/** A day or two later. */
export const soon = (scene: Scene, at: number) => later(scene, at, 300, 2400);
