/**
 * What a system's messages mean, as lines of text that a test compares with what the product says. An asterisk is a word that the rules
 * leave open.
 */
import type { Plan } from './acts.ts';
import { type Person, type Registration, surviving } from './patients.ts';
import type { Facility } from './system.ts';
import { utcMinute } from './time.ts';
import type { Visit } from './visits.ts';

export interface Truth {
  /** `facility visit status setting admitted discharged record` */
  visits: string[];
  /** `facility visit code time` */
  events: string[];
  /** `facility record family birthDate dead`: of patients with visits. */
  patients: string[];
  /** `facility record`: the only ones that a facility may know, because it sent something about the patient. */
  records: string[];
  /** `program facility visit code time` */
  pings: string[];
  /** Programs that may have got fewer pings, because nothing links their patient for certain, or nothing did before. */
  openPrograms: string[];
  /** Deaths that may be shown: events and pings beyond those above. */
  openDeaths: { facility: string; at: string }[];
}

const time = (at: number | null): string => (at === null ? '-' : utcMinute(at));

/**
 * A plan has no setting and no time yet. A stay in which the patient died is over or not until its A03, and has that time or none.
 */
function visitLine({
  facility,
  number,
  status,
  setting,
  admittedAt,
  dischargedAt,
  registration,
  events,
}: Visit): string {
  const isPlan = status === 'PLANNED';
  const died = events.find(({ code }) => code === 'DECEASED')?.at;
  const hasDiedOpen = died !== undefined && dischargedAt === null;
  return [
    facility.code,
    number || '-',
    hasDiedOpen ? '*' : status,
    isPlan ? '*' : setting,
    isPlan ? '*' : time(admittedAt),
    hasDiedOpen ? '*' : time(dischargedAt),
    recordOf(surviving(registration)),
  ].join(' ');
}

const recordOf = ({ number, isContradicted }: Registration): string => (isContradicted ? '*' : number);

interface TrueEventLine {
  person: Person;
  line: string;
}

function eventLines({ visits, deathsWithoutVisit }: Plan): TrueEventLine[] {
  const ofVisits = visits.flatMap(({ facility, number, events, registration: { person } }) =>
    events.map(({ code, at }) => ({ person, line: `${facility.code} ${number || '-'} ${code} ${time(at)}` })),
  );
  const ofDeaths = deathsWithoutVisit.map(({ facility, registration: { person }, at }) => ({
    person,
    line: `${facility.code} - DECEASED ${time(at)}`,
  }));
  return [...ofVisits, ...ofDeaths];
}

/** Returns what is true now. */
export function truthNow(plan: Plan): Truth {
  const visits = plan.visits.filter(({ status }) => status !== 'EXPECTED' && status !== 'CANCELLED');
  const events = eventLines(plan);
  const patients = visits.map(({ facility, registration }) => {
    const survivor = surviving(registration);
    const { family, birthDate } = survivor;
    return `${facility.code} ${recordOf(survivor)} ${family} ${birthDate ?? '-'} ${lifeOf(plan, survivor, facility)}`;
  });
  const known = plan.visits.filter(({ status }) => status !== 'EXPECTED');
  const uncertain = known.map(({ registration }) => surviving(registration)).filter(isUncertain);
  return {
    visits: visits.map(visitLine),
    events: events.map(({ line }) => line),
    patients: [...new Set(patients)],
    records: recordsOf(plan),
    pings: events.flatMap(({ person, line }) => (person.program === null ? [] : `${person.program} ${line}`)),
    openPrograms: uncertain.flatMap(({ person }) => person.program ?? []),
    openDeaths: plan.openDeaths.map(({ facility, at }) => ({ facility: facility.code, at: time(at) })),
  };
}

/** A correction links visits that are over, and the rules don't say who is still sent those. */
const isUncertain = ({ isCertain, wasCorrected }: Registration): boolean => !isCertain || wasCorrected;

/** Returns whether the facility knows that the patient died. What another one's A03 says about that is open: it has no PID-30. */
function lifeOf({ visits, reportedDead }: Plan, survivor: Registration, facility: Facility): 'dead' | 'alive' | '*' {
  const deaths = visits.filter(({ events }) => events.some(({ code }) => code === 'DECEASED'));
  const ofPerson = deaths.filter(({ registration }) => registration.person === survivor.person);
  if (reportedDead.has(survivor) || ofPerson.some((visit) => visit.facility === facility)) return 'dead';
  return ofPerson.length > 0 ? '*' : 'alive';
}

function recordsOf({ senders, registrations }: Plan): string[] {
  return registrations.all.flatMap(({ person, recordScope, number }) =>
    [...(senders.get(person) ?? [])]
      .filter((facility) => facility.recordScope === recordScope)
      .map((facility) => `${facility.code} ${number}`),
  );
}
