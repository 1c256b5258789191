/** Scripts of visits other than hospital stays: nursing facilities, home health, urgent care, outpatient registrations. */
import type { PatientContext } from './acts.ts';
import * as acts from './acts.ts';
import { conditionFor, MINOR_CONDITIONS, REHABILITATION_CONDITIONS, SNF_UNITS } from './clinical.ts';
import { Course, later } from './course.ts';
import { hospitalOf, treatAndRelease } from './hospital-scripts.ts';
import type { Visit } from './visit.ts';

/** Adds a resident's leave: canceled, or possibly with an emergency visit in between. `isDead`: the resident died there. */
function medicalLeave(course: Course): { between: Visit[]; isDead: boolean } {
  const { context, visit } = course;
  const { random } = context;
  const trigger = (hl7: string) => (visit.isManual ? 'MANUAL' : hl7);
  const leave = { emits: 'MEDICAL_LEAVE_OF_ABSENCE', set: { status: 'ON_LEAVE' } } as const;
  const left = acts.act(visit, trigger('A21'), course.daysAfter(3, 9), leave);
  if (!visit.isManual && random.chance(0.15)) {
    acts.act(visit, 'A52', course.after(60, 60), { retracts: left, set: { status: 'OPEN' } });
    return { between: [], isDead: false };
  }
  const between = random.chance(0.35) ? [treatAndRelease(context, later(context, course.now, 60, 200))] : [];
  const isDead = between.some((hospital) => acts.stateOf(hospital).status === 'DECEASED');
  if (!isDead) {
    acts.act(visit, trigger('A22'), course.daysAfter(2, 4), { emits: 'RESUMED_SERVICES', set: { status: 'OPEN' } });
  }
  return { between, isDead };
}

const DISPOSITIONS = [
  ['01', 50],
  ['06', 30],
  ['02', 12],
  ['20', 5],
] as const;
/** Staff who enter stays by hand report the end of services more often than a discharge, and sometimes neither. */
const MANUAL_ENDS = [
  ['services', 55],
  ['discharge', 35],
  ['none', 10],
] as const;

/** A stay at a nursing facility, reported by feed at Oak Hollow and by hand at Willow Bend. The first visit returned is the stay. */
export function nursingStay(context: PatientContext, at: number): Visit[] {
  const { random } = context;
  const facility = random.chance(0.5) ? 'oak-hollow' : 'willow-bend';
  const condition = conditionFor(context, REHABILITATION_CONDITIONS);
  const visit = acts.beginVisit(context, facility, {
    at,
    setting: 'SNF',
    condition,
    admitSource: '4',
    units: SNF_UNITS,
  });
  const course = new Course(context, visit, at);
  acts.act(visit, visit.isManual ? 'MANUAL' : 'A01', at, { emits: 'ADMIT' });
  if (!visit.isManual && random.chance(0.25)) acts.transfer(visit, random, course.daysAfter(1, 4));
  const { between, isDead } = random.chance(0.45) ? medicalLeave(course) : { between: [], isDead: false };
  if (isDead) return [visit, ...between];
  if (random.chance(0.2)) acts.changePayer(visit, random, course.daysAfter(2, 6));
  const end = visit.isManual ? random.weighted(MANUAL_ENDS) : 'discharge';
  const when = course.daysAfter(5, 20);
  if (end === 'discharge') acts.discharge(visit, when, random.weighted(DISPOSITIONS));
  // The resident may live on at the facility; the services that it reports have ended.
  const ended = { emits: 'ENDED_SERVICES', set: { status: 'DISCHARGED', dischargedAt: when } } as const;
  if (end === 'services') acts.act(visit, 'MANUAL', when, ended);
  return [visit, ...between];
}

/** Home health: services start, and end weeks later. */
export function homeHealth(context: PatientContext, at: number): Visit {
  const condition = conditionFor(context, REHABILITATION_CONDITIONS);
  const visit = acts.beginVisit(context, 'tamarack', { at, setting: 'HHA', condition, units: ['HOME'] });
  acts.act(visit, 'A01', at, { emits: 'STARTED_HHA_SERVICES' });
  const end = later(context, at, 18 * 1440, 60 * 1440);
  acts.discharge(visit, end, '01', 'ENDED_HHA_SERVICES');
  return visit;
}

/** Urgent care: one registration, which is the whole visit. */
export function urgentCare(context: PatientContext, at: number): Visit {
  const condition = conditionFor(context, MINOR_CONDITIONS);
  const visit = acts.beginVisit(context, 'urgent-care', { at, setting: 'URGENT_CARE', condition, units: ['UC'] });
  acts.act(visit, 'A04', at, { emits: 'VISIT', set: { status: 'COMPLETED' } });
  return visit;
}

/** An outpatient registration: a VISIT at St. Brendan, silent at Mercy General. */
export function outpatient(context: PatientContext, at: number): Visit {
  const facility = hospitalOf(context);
  const condition = conditionFor(context, MINOR_CONDITIONS);
  const visit = acts.beginVisit(context, facility, { at, setting: 'OUTPATIENT', condition, units: ['CLINIC'] });
  const set = { status: 'COMPLETED' } as const;
  acts.act(visit, 'A04', at, facility === 'brendan' ? { emits: 'VISIT', set } : { set });
  return visit;
}

/** Returns the time of the visit's last step so far. */
export const endOf = (visit: Visit): number => visit.steps.at(-1)?.at ?? visit.initial.startedAt;

/** Returns a time within the next two days. */
export const soon = (context: PatientContext, at: number) => later(context, at, 300, 2400);
