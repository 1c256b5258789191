import type { PatientContext } from './acts.ts';
import { stateOf } from './acts.ts';
import { DAY, HOUR } from './clock.ts';
import { later } from './course.ts';
import * as hospital from './hospital-scripts.ts';
import { ongoingStory, residentStory } from './ongoing-stories.ts';
import type { Person } from './people.ts';
import * as postAcute from './post-acute-scripts.ts';
import { makeRandom } from './random.ts';
import { registrationOf } from './registration.ts';
import { treatmentVisits } from './treatment.ts';
import type { Visit } from './visit.ts';

export interface Period {
  seed: string;
  /** Instants in milliseconds since 1970. */
  from: number;
  to: number;
  /** How many visits a person has in the period, on average. */
  visitsPerPerson: number;
}

type Script = (context: PatientContext, at: number) => Visit;
/** Each script with its weight for most people, and for frail people. */
const EPISODES: readonly (readonly [Script, number, number])[] = [
  [hospital.treatAndRelease, 34, 24],
  [hospital.emergencyAdmission, 13, 34],
  [hospital.observation, 5, 7],
  [hospital.directAdmission, 5, 6],
  [hospital.hangingEmergency, 3, 3],
  [hospital.abandonedAdmission, 1, 1],
  [postAcute.outpatient, 12, 5],
  [postAcute.urgentCare, 14, 5],
  [postAcute.homeHealth, 1, 5],
];
/** Scripts for well-known patients only: the record numbers involved must not be in doubt. */
const CLERICAL_EPISODES: typeof EPISODES = [
  [hospital.mergedRecords, 2.2, 2.2],
  [hospital.renumberedVisit, 1.6, 1.6],
  [hospital.wrongPerson, 1, 1],
];

/** Frail people have this many times the average rate of visits, and the others less, so that the average is kept. */
const FRAIL_RATE = 3;
const STURDY_RATE = 0.56;
/** Mean number of visits per episode, found by counting. */
const VISITS_PER_EPISODE = 1.13;

function isWellKnown(seed: string, members: readonly Person[], isListed: boolean): boolean {
  return members.every(
    (member) =>
      !member.traits.includes('twin') &&
      (['mercy', 'brendan'] as const).every(
        (facility) => registrationOf(seed, member, facility, isListed).identity !== 'review',
      ),
  );
}

/** Returns the visits that follow from how a visit ended: nursing, home health, readmission. */
function followUps(context: PatientContext, visit: Visit, depth: number): Visit[] {
  const end = stateOf(visit);
  if (end.status !== 'DISCHARGED' || end.dischargedAt === null || depth > 2) return [];
  const at = end.dischargedAt;
  if (end.disposition === '03') {
    const stay = postAcute.nursingStay(context, later(context, at, 120, 420));
    return [...stay, ...followUps(context, stay[0] as Visit, depth + 1)];
  }
  if (end.disposition === '06') return [postAcute.homeHealth(context, postAcute.soon(context, at))];
  const isBackSoon = end.disposition === '02' || (end.setting === 'INPATIENT' && context.random.chance(0.16));
  if (!isBackSoon) return [];
  const minutes = end.disposition === '02' ? ([60, 300] as const) : ([2 * 1440, 27 * 1440] as const);
  const again = hospital.emergencyAdmission(context, later(context, at, ...minutes));
  return [again, ...followUps(context, again, depth + 1)];
}

/** Returns the visit without the steps after the end of the period. */
function upTo(visit: Visit, to: number): Visit {
  return { ...visit, steps: visit.steps.filter((step) => step.at <= to) };
}

/** Adds the story that is going on at the end of the period, in place of the visits that would overlap it. */
function withOngoingStory(context: PatientContext, period: Period, visits: Visit[]): Visit[] {
  const random = makeRandom(`${period.seed}/present/${context.person.id}`);
  const story = ongoingStory({ ...context, random }, period.to);
  if (!story && visits.length === 0)
    return residentStory({ ...context, random: random.fork('resident') }, period.to).filter(beganIn(period));
  if (!story || story.beginsAt < period.from) return visits;
  const before = visits.filter((visit) => postAcute.endOf(visit) < story.beginsAt - DAY && !isOpen(visit));
  if (before.some((visit) => stateOf(visit).status === 'DECEASED')) return visits;
  return [...before, ...story.visits()];
}

const beganIn =
  ({ from }: Period) =>
  (visit: Visit): boolean =>
    visit.initial.startedAt >= from;

const isOpen = (visit: Visit): boolean => ['OPEN', 'ON_LEAVE'].includes(stateOf(visit).status);

/** Returns the visits that begin in the period, in order of their start, with the steps up to its end. */
export function personVisits(period: Period, members: readonly Person[], person: Person, isListed: boolean): Visit[] {
  const random = makeRandom(`${period.seed}/visits/${person.id}`);
  const context: PatientContext = { seed: period.seed, random, person, members, nextOrdinal: 1, numberPrefix: '' };
  const rate = (period.visitsPerPerson / VISITS_PER_EPISODE) * (person.isFrail ? FRAIL_RATE : STURDY_RATE);
  const meanGap = (period.to - period.from) / rate;
  const isKnown = isWellKnown(period.seed, members, isListed);
  const scripts = isKnown ? [...EPISODES, ...CLERICAL_EPISODES] : EPISODES;
  const weights = scripts.map(([script, usual, frail]) => [script, person.isFrail ? frail : usual] as const);
  const visits: Visit[] = [];
  let coveredUntil = 0;
  for (let at = period.from + random.wait(meanGap); at < period.to; at += 12 * HOUR + random.wait(meanGap)) {
    const script = random.weighted(weights);
    if (script === postAcute.homeHealth && at < coveredUntil) continue;
    const first = script(context, later(context, at, 0, 30));
    const episode = [first, ...followUps(context, first, 0)];
    visits.push(...episode);
    for (const visit of episode) {
      if (visit.facility === 'tamarack') coveredUntil = postAcute.endOf(visit) + DAY;
      else at = Math.max(at, postAcute.endOf(visit));
    }
    if (episode.some((visit) => stateOf(visit).status === 'DECEASED')) break;
  }
  const all = isKnown && isListed ? withOngoingStory(context, period, visits) : visits;
  const treated = isKnown && isListed ? treatmentVisits(period, context, all) : [];
  return [...all, ...treated]
    .map((visit) => upTo(visit, period.to))
    .filter((visit) => visit.steps.length > 0)
    .sort((one, other) => one.initial.startedAt - other.initial.startedAt);
}
