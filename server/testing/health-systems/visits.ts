/** What happens to a visit, in the words of docs/domain.md and chapter 3 of HL7 v2.5.1. Times are minutes of the system. */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { Registration } from './patients.ts';
import type { Facility, FacilityKind } from './system.ts';

export interface TrueEvent {
  code: EventCode;
  at: number;
}

/** PV1-2: emergency, inpatient, observation, planned. */
export type PatientClass = 'E' | 'I' | 'OBS' | 'P';

export interface Visit {
  facility: Facility;
  /** Under which it was opened. */
  registration: Registration;
  /** PV1-19 or PID-18 */
  number: string;
  /** EXPECTED: no message has been about it. */
  status: 'EXPECTED' | 'PLANNED' | 'IN_PROGRESS' | 'ON_LEAVE' | 'FINISHED' | 'CANCELLED';
  setting: Setting;
  patientClass: PatientClass;
  unit: string;
  admittedAt: number | null;
  /** PV1-44 if it isn't the time of admission here: of a plan, or of the stay before a transfer. */
  writtenAdmission: number | null;
  dischargedAt: number | null;
  disposition: string | null;
  events: TrueEvent[];
}

const SETTING_OF_CLASS: Readonly<Record<PatientClass, Setting>> = {
  E: 'EMERGENCY',
  I: 'INPATIENT',
  OBS: 'OBSERVATION',
  P: 'INPATIENT',
};
const SETTING_OF_KIND: Partial<Record<FacilityKind, Setting>> = { SNF: 'SNF', LTAC: 'LTAC', REHAB: 'REHAB' };

/** A transfer's discharge status at the facility that the patient left (UB-04, form locator 17). */
export const DISPOSITION_TO: Readonly<Record<FacilityKind, string>> = {
  EMERGENCY_ONLY: '02',
  ACUTE: '02',
  SNF: '03',
  REHAB: '62',
  LTAC: '63',
};

export const newVisit = (facility: Facility, registration: Registration, number: string): Visit => ({
  facility,
  registration,
  number,
  status: 'EXPECTED',
  setting: 'UNKNOWN',
  patientClass: 'I',
  unit: '',
  admittedAt: null,
  writtenAdmission: null,
  dischargedAt: null,
  disposition: null,
  events: [],
});

function setClass(visit: Visit, patientClass: PatientClass): void {
  visit.patientClass = patientClass;
  visit.setting = SETTING_OF_KIND[visit.facility.kind] ?? SETTING_OF_CLASS[patientClass];
  visit.unit = { E: 'ED', I: '3W', OBS: 'OBS2', P: '' }[patientClass];
}

/** A05 */
export function plan(visit: Visit, expectedAt: number): void {
  setClass(visit, 'P');
  visit.writtenAdmission = expectedAt;
  visit.status = 'PLANNED';
}

/** A01 or A04; also A06 in a stay that was not inpatient, whose PV1-44 is then the admission. */
export function begin(visit: Visit, at: number, patientClass: PatientClass): void {
  setClass(visit, patientClass);
  visit.status = 'IN_PROGRESS';
  visit.admittedAt = at;
  visit.writtenAdmission = null;
  visit.events.push({ code: visit.setting === 'EMERGENCY' ? 'PRESENTED' : 'ADMIT', at });
}

/** A07, or A08 with another class during the stay. */
export function changeClass(visit: Visit, at: number, patientClass: PatientClass): void {
  setClass(visit, patientClass);
  visit.events.push({ code: 'TRANSFER', at });
}

/** A02 within the facility. */
export function move(visit: Visit, at: number, unit: string): void {
  visit.unit = unit;
  visit.events.push({ code: 'TRANSFER', at });
}

/** A03 */
export function discharge(visit: Visit, at: number, disposition: string): void {
  visit.status = 'FINISHED';
  visit.dischargedAt = at;
  visit.disposition = disposition;
  if (disposition !== '20') visit.events.push({ code: 'DISCHARGE', at });
  else if (!visit.events.some(({ code }) => code === 'DECEASED')) visit.events.push({ code: 'DECEASED', at });
}

/** A31 or A08 with PID-30 during the stay. */
export function die(visit: Visit, at: number): void {
  visit.events.push({ code: 'DECEASED', at });
}

/** A02 to another facility: the stay here ends, and goes on there. */
export function transfer(
  from: Visit,
  to: Visit,
  at: number,
  patientClass: PatientClass,
  keepsAdmission: boolean,
): void {
  discharge(from, at, DISPOSITION_TO[to.facility.kind]);
  begin(to, at, patientClass);
  if (keepsAdmission) to.writtenAdmission = from.admittedAt;
}

/** A08 with another PV1-44. The visit has one arrival. */
export function correctAdmission(visit: Visit, at: number): void {
  visit.admittedAt = at;
  for (const event of visit.events) if (event.code === 'ADMIT') event.at = at;
}

/** A08 with another class after the discharge: the stay was never what it was said to be. */
export const correctClass = (visit: Visit, patientClass: PatientClass): void => setClass(visit, patientClass);

/** Does something that a cancel takes back later. Returns what the cancel does. */
export function cancelable(visit: Visit, doIt: () => void): () => void {
  const before = { ...visit, events: [...visit.events] };
  doIt();
  const added = visit.events.filter((event) => !before.events.includes(event));
  return () => {
    const events = visit.events.filter((event) => !added.includes(event));
    Object.assign(visit, before, { events });
    if (visit.status === 'EXPECTED') visit.status = 'CANCELLED';
  };
}
