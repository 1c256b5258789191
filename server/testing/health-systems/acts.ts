import { type Person, type Registration, Registrations, surviving } from './patients.ts';
import type { Facility, HealthSystem } from './system.ts';
import { newVisit, type Visit } from './visits.ts';

/** One thing that a facility does and sends one message about. */
export interface Act {
  at: number;
  trigger: string;
  facility: Facility;
  registration: Registration;
  /** PV1 is about it; without one the message is about the patient. */
  visit: Visit | null;
  /** MRG-1 */
  prior?: Registration;
  /** PID-29 and PID-30 */
  diedAt?: number;
  /** Changes the truth. The message is written after that. */
  happens?: () => void;
  /** From this message to that time, the rules leave open what is true. */
  openUntil?: number;
}

/** What will happen in a system, and what has by now. */
export class Plan {
  readonly acts: Act[] = [];
  readonly visits: Visit[] = [];
  readonly registrations = new Registrations();
  /** Deaths that a facility may or may not show: it reported a death during a stay elsewhere. */
  readonly openDeaths: { facility: Facility; at: number }[] = [];
  /** Deaths reported by a facility that has no visit of the patient. */
  readonly deathsWithoutVisit: { facility: Facility; registration: Registration; at: number }[] = [];

  /** Patients whom a message without a visit reported dead. */
  readonly reportedDead = new Set<Registration>();
  /** The facilities that have sent something about a person. */
  readonly senders = new Map<Person, Set<Facility>>();
  readonly system: HealthSystem;

  constructor(system: HealthSystem) {
    this.system = system;
  }

  /** Plans a visit, under the number of another one if it continues that. */
  visit(facility: Facility, registration: Registration, continues?: Visit): Visit {
    const counted = this.visits.filter((each) => each.facility.visitScope === facility.visitScope).length;
    const count = 50_213 + 11 * counted;
    const number = { 'PV1-19': `V${count}`, 'PID-18': `A${count}`, none: '' }[this.system.sender.visitKey];
    const visit = newVisit(facility, registration, continues?.number ?? number);
    this.visits.push(visit);
    return visit;
  }

  /** Plans a message about a visit. Its facility sends it. */
  about(visit: Visit, trigger: string, at: number, happens?: () => void): void {
    const { facility, registration } = visit;
    this.acts.push({ at, trigger, facility, registration, visit, ...(happens && { happens }) });
  }

  /** Plans a message about a patient. */
  aboutPatient(
    facility: Facility,
    registration: Registration,
    act: Omit<Act, 'facility' | 'registration' | 'visit'>,
  ): void {
    this.acts.push({ facility, registration, visit: null, ...act });
  }

  /** The facility reports a death that belongs to its last visit of the patient, or to none. */
  dieOutsideStay(facility: Facility, registration: Registration, at: number): void {
    const visits = this.visits.filter((each) => each.facility === facility && each.registration === registration);
    const last = visits.filter(({ status }) => status === 'FINISHED').at(-1);
    if (last) last.events.push({ code: 'DECEASED', at });
    else this.deathsWithoutVisit.push({ facility, registration, at });
  }

  /** Lets an act happen, and notes who sends it. */
  happen({ facility, registration, prior, diedAt, happens }: Act): void {
    happens?.();
    if (diedAt !== undefined) this.reportedDead.add(surviving(registration));
    for (const { person } of prior ? [registration, prior] : [registration]) {
      this.senders.set(person, (this.senders.get(person) ?? new Set()).add(facility));
    }
  }
}
