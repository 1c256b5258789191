/** What can happen to one patient at the facilities: each chapter plans one stay, or several that belong together. */
import type { Random } from '#demo/world/random.ts';
import type { Plan } from './acts.ts';
import type { Registration } from './patients.ts';
import type { Facility } from './system.ts';
import { DAY, END, HOUR } from './time.ts';
import {
  begin,
  cancelable,
  changeClass,
  correctAdmission,
  correctClass,
  discharge,
  move,
  type PatientClass,
  plan as planned,
  transfer,
  type Visit,
} from './visits.ts';

export interface Scene {
  plan: Plan;
  random: Random;
  /** Where the chapter begins. */
  facility: Facility;
  /** Returns the patient's registration at a facility. */
  registrationAt: (facility: Facility) => Registration;
  /** Where a transfer can go to. */
  others: readonly Facility[];
  /** Whether the patient died in a chapter, which is then the last. */
  hasDied: boolean;
}

/** Plans a stay that begins at `from`. Returns when it is over. */
type Chapter = (scene: Scene, from: number) => number;

const open = ({ plan, facility, registrationAt }: Scene): Visit => plan.visit(facility, registrationAt(facility));

function leave(scene: Scene, visit: Visit, at: number, disposition = '01'): number {
  scene.hasDied ||= disposition === '20';
  scene.plan.about(visit, 'A03', at, () => discharge(visit, at, disposition));
  return at;
}

/** A silent A08 about coding, after the discharge. */
function code({ plan, random }: Scene, visit: Visit, at: number): number {
  if (!random.chance(0.3)) return at;
  plan.about(visit, 'A08', at + 90);
  return at + 90;
}

const emergencyVisit: Chapter = (scene, from) => {
  const { plan, random } = scene;
  const visit = open(scene);
  plan.about(visit, 'A04', from, () => begin(visit, from, 'E'));
  if (random.chance(0.4)) plan.about(visit, 'A08', from + 25);
  return code(scene, visit, leave(scene, visit, from + random.int(40, 300)));
};

/** ED, then inpatient. Every other one arrives just before midnight. */
const emergencyThenInpatient: Chapter = (scene, from) => {
  const { plan, random } = scene;
  const visit = open(scene);
  const arrival = random.chance(0.5) ? from : Math.ceil(from / DAY) * DAY - 10;
  const admission = arrival + random.int(20, 200);
  plan.about(visit, 'A04', arrival, () => begin(visit, arrival, 'E'));
  const undo = { admission: () => {} };
  plan.about(visit, random.pick(['A06', 'A01']), admission, () => {
    undo.admission = cancelable(visit, () => begin(visit, admission, 'I'));
  });
  if (random.chance(0.2)) {
    plan.about(visit, 'A11', admission + 15, () => undo.admission());
    return leave(scene, visit, admission + 120);
  }
  if (random.chance(0.5)) plan.about(visit, 'A02', admission + 200, () => move(visit, admission + 200, '5E'));
  if (random.chance(0.3)) plan.about(visit, 'A08', admission + 220);
  return code(scene, visit, leave(scene, visit, admission + random.int(5, 50) * HOUR));
};

/** Observation that ends, that becomes inpatient (A06), or that an inpatient is changed to (A07, A08). */
const observation: Chapter = (scene, from) => {
  const { plan, random } = scene;
  const visit = open(scene);
  const kind = random.pick(['ends', 'admitted', 'changed'] as const);
  const first: PatientClass = kind === 'changed' ? 'I' : 'OBS';
  plan.about(visit, random.pick(['A01', 'A04']), from, () => begin(visit, from, first));
  const then = from + random.int(3, 20) * HOUR;
  if (kind === 'admitted') plan.about(visit, 'A06', then, () => begin(visit, then, 'I'));
  if (kind === 'changed') plan.about(visit, random.pick(['A07', 'A08']), then, () => changeClass(visit, then, 'OBS'));
  return leave(scene, visit, then + random.int(2, 20) * HOUR);
};

/** A05, then the arrival; or A38. */
const plannedStay: Chapter = (scene, from) => {
  const { plan, random } = scene;
  const visit = open(scene);
  const arrival = from + random.int(5, 30) * HOUR;
  const undo = { plan: () => {} };
  plan.about(visit, 'A05', from, () => {
    undo.plan = cancelable(visit, () => planned(visit, arrival));
  });
  if (random.chance(0.3)) {
    plan.about(visit, 'A38', arrival, () => undo.plan());
    return arrival;
  }
  plan.about(visit, 'A01', arrival, () => begin(visit, arrival, 'I'));
  return leave(scene, visit, arrival + random.int(5, 40) * HOUR);
};

/** A stay that is corrected: its discharge, its beginning, a transfer to a unit, its class after it ended. */
const correctedStay: Chapter = (scene, from) => {
  const { plan, random } = scene;
  const visit = open(scene);
  const undo = { last: () => {} };
  const cancelableAct = (trigger: string, at: number, doIt: () => void) =>
    plan.about(visit, trigger, at, () => {
      undo.last = cancelable(visit, doIt);
    });
  cancelableAct('A01', from, () => begin(visit, from, 'I'));
  const kind = random.pick(['A11', 'A12', 'A13', 'admission', 'class'] as const);
  if (kind === 'A11') {
    plan.about(visit, 'A11', from + 30, () => undo.last());
    return from + 30;
  }
  const end = from + random.int(10, 40) * HOUR;
  if (kind === 'admission') {
    // On the same day, because that is all by which some senders' messages are known to belong together. Midnight is no time but a day.
    const sooner = Math.max(from - random.int(5, 115), Math.floor(from / DAY) * DAY + 1);
    plan.about(visit, 'A08', from + 60, () => correctAdmission(visit, sooner));
  }
  if (kind === 'A12') {
    cancelableAct('A02', from + 120, () => move(visit, from + 120, '5E'));
    plan.about(visit, 'A12', from + 140, () => undo.last());
  }
  if (kind === 'A13') {
    cancelableAct('A03', end - 300, () => discharge(visit, end - 300, '01'));
    plan.about(visit, 'A13', end - 240, () => undo.last());
  }
  leave(scene, visit, end, random.chance(0.1) ? '06' : '01');
  if (kind !== 'class') return code(scene, visit, end);
  plan.about(visit, 'A08', end + 120, () => correctClass(visit, 'OBS'));
  return end + 120;
};

/** A stay at a nursing, LTAC or rehabilitation facility, some with a leave. */
const postAcuteStay: Chapter = (scene, from) => {
  const { plan, random } = scene;
  const visit = open(scene);
  plan.about(visit, 'A01', from, () => begin(visit, from, 'I'));
  if (random.chance(0.5)) {
    const away = from + 20 * HOUR;
    plan.about(visit, 'A21', away, () => {
      visit.status = 'ON_LEAVE';
      visit.events.push({ code: 'MEDICAL_LEAVE_OF_ABSENCE', at: away });
    });
    plan.about(visit, 'A22', away + 200, () => {
      visit.status = 'IN_PROGRESS';
      visit.events.push({ code: 'RESUMED_SERVICES', at: away + 200 });
    });
  }
  return leave(scene, visit, from + random.int(30, 70) * HOUR);
};

/**
 * A stay that goes on at another facility: by A02 under the same number, where the two count their visits together, and otherwise by A03
 * and A01. Some A02 are canceled.
 */
const transferredStay: Chapter = (scene, from) => {
  const { plan, random, facility, others, registrationAt } = scene;
  const { sender } = plan.system;
  const to = random.pick(others);
  const first = open(scene);
  const byEmergency = facility.kind === 'EMERGENCY_ONLY' || random.chance(0.3);
  plan.about(first, byEmergency ? 'A04' : 'A01', from, () => begin(first, from, byEmergency ? 'E' : 'I'));
  const moved = from + random.int(2, 30) * HOUR;
  const there: PatientClass = to.kind === 'EMERGENCY_ONLY' ? 'E' : 'I';
  if (sender.visitKey === 'none' || facility.visitScope !== to.visitScope) {
    leave(scene, first, moved, '02');
    const second = plan.visit(to, registrationAt(to));
    plan.about(second, there === 'E' ? 'A04' : 'A01', moved + 35, () => begin(second, moved + 35, there));
    return leave(scene, second, moved + 35 + random.int(3, 40) * HOUR);
  }
  const second = plan.visit(to, registrationAt(to), first);
  const undo = { here: () => {}, there: () => {} };
  plan.about(second, 'A02', moved, () => {
    undo.there = cancelable(second, () => {
      undo.here = cancelable(first, () => transfer(first, second, moved, there, sender.keepsAdmission));
    });
  });
  if (random.chance(0.25)) {
    plan.about(first, 'A12', moved + 40, () => {
      undo.here();
      undo.there();
    });
    return leave(scene, first, moved + 3 * HOUR);
  }
  if (random.chance(0.2)) plan.about(first, 'A08', moved + 50);
  if (random.chance(0.4)) plan.about(second, 'A08', moved + 70);
  return leave(scene, second, moved + random.int(3, 40) * HOUR, random.chance(0.1) ? '20' : '01');
};

/** Discharged, and admitted again under another number two or more days later, if that is over in time. */
const readmission: Chapter = (scene, from) => {
  const first = scene.random.pick([emergencyThenInpatient, observation])(scene, from);
  const again = first + scene.random.int(50, 80) * HOUR;
  return again < END - 2 * DAY ? correctedStay(scene, again) : first;
};

/** Returns a chapter that can begin at the facility. */
export function chapterAt({ random, facility, others }: Scene): Chapter {
  const transfers: [Chapter, number][] = others.length > 0 ? [[transferredStay, 4]] : [];
  if (facility.kind === 'EMERGENCY_ONLY') return random.weighted([[emergencyVisit, 3], ...transfers]);
  if (facility.kind !== 'ACUTE') return random.weighted([[postAcuteStay, 3], ...transfers]);
  return random.weighted<Chapter>([
    [emergencyVisit, 2],
    [emergencyThenInpatient, 3],
    [observation, 2],
    [plannedStay, 1],
    [correctedStay, 3],
    [readmission, 1],
    ...transfers,
  ]);
}
