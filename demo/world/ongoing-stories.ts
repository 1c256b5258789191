/**
 * Stories that are still going on when the period ends, so that the demo always has patients in each situation that the product flags:
 * back in the emergency department after a stay, readmitted, arrived from a nursing facility, ill with Covid-19, or a frequent visitor.
 */
import type { PatientContext } from './acts.ts';
import * as acts from './acts.ts';
import {
  type Condition,
  conditionFor,
  MAJOR_CONDITIONS,
  MINOR_CONDITIONS,
  REHABILITATION_CONDITIONS,
  SNF_UNITS,
} from './clinical.ts';
import { DAY, HOUR } from './clock.ts';
import { later } from './course.ts';
import { admitSourceOf, hospitalOf } from './hospital-scripts.ts';
import { ageOf, YOUNGEST_RESIDENT } from './people.ts';
import type { Visit } from './visit.ts';

type Story = {
  /** Days before the end of the period. */
  begins: number;
  visits: (context: PatientContext, end: number) => Visit[];
};

const COVID = MAJOR_CONDITIONS.filter(({ code }) => code === 'U07.1');

/** An arrival at the emergency department, followed by an admission if `setting` is given. */
function arrival(
  context: PatientContext,
  at: number,
  condition: Condition,
  setting?: 'INPATIENT' | 'OBSERVATION',
): Visit {
  const visit = acts.beginVisit(context, hospitalOf(context), {
    at,
    setting: 'EMERGENCY',
    condition,
    admitSource: admitSourceOf(context),
  });
  acts.present(visit, at);
  if (setting)
    acts.admit(visit, context.random, later(context, at, 40, 100), setting === 'INPATIENT' ? 'A06' : 'A01', setting);
  return visit;
}

/** A hospital stay that began `ago` days before the end and lasted `days` days. */
function pastStay(context: PatientContext, end: number, ago: number, days: number, disposition: string): Visit {
  const at = later(context, end - ago * DAY, 0, 600);
  const visit = arrival(context, at, conditionFor(context, MAJOR_CONDITIONS), 'INPATIENT');
  acts.discharge(visit, later(context, at + days * DAY, 0, 300), disposition);
  return visit;
}

/** Returns a time two to ten hours before the end. */
const today = (context: PatientContext, end: number) => later(context, end - 10 * HOUR, 0, 440);

const backAgain =
  (setting?: 'INPATIENT' | 'OBSERVATION'): Story['visits'] =>
  (context, end) => [
    pastStay(
      context,
      end,
      context.random.int(10, 25),
      context.random.int(2, 6),
      context.random.pick(['01', '01', '06']),
    ),
    arrival(context, today(context, end), conditionFor(context, MAJOR_CONDITIONS), setting),
  ];

/** A hospital stay that began `ago` days before the end, and the nursing stay after it, which is still open. After a short one, Medicare needs a waiver. */
function hospitalAndNursing(context: PatientContext, end: number, ago: number): [hospital: Visit, nursing: Visit] {
  const { random } = context;
  const hospital = pastStay(context, end, ago, random.int(1, 6), '03');
  const at = later(context, acts.stateOf(hospital).dischargedAt ?? end, 120, 420);
  const condition = conditionFor(context, REHABILITATION_CONDITIONS);
  const nursing = acts.beginVisit(context, 'oak-hollow', {
    at,
    setting: 'SNF',
    condition,
    admitSource: '4',
    units: SNF_UNITS,
  });
  acts.act(nursing, 'A01', at, { emits: 'ADMIT' });
  return [hospital, nursing];
}

const fromNursing: Story['visits'] = (context, end) => {
  const { random } = context;
  const [hospital, nursing] = hospitalAndNursing(context, end, random.int(50, 56));
  acts.discharge(nursing, later(context, end - random.int(5, 26) * DAY, 0, 600), '01');
  const now = arrival(
    context,
    today(context, end),
    conditionFor(context, MAJOR_CONDITIONS),
    random.pick([undefined, 'INPATIENT']),
  );
  return [hospital, nursing, now];
};

const covid: Story['visits'] = (context, end) => [
  arrival(context, today(context, end) - context.random.int(0, 4) * DAY, context.random.pick(COVID), 'INPATIENT'),
];

/** Emergency visits with a discharge to home, each at most that many days before the end. */
const emergencies =
  (...daysAgo: number[]): Story['visits'] =>
  (context, end) =>
    daysAgo.map((ago) => {
      const at = later(context, end - ago * DAY, 0, 5 * 1440);
      const visit = arrival(context, at, conditionFor(context, MINOR_CONDITIONS));
      acts.discharge(visit, later(context, at, 90, 400), '01');
      return visit;
    });

const STORIES: readonly (readonly [Story, number])[] = [
  [{ begins: 26, visits: backAgain() }, 4],
  [{ begins: 26, visits: backAgain('OBSERVATION') }, 3],
  [{ begins: 26, visits: backAgain('INPATIENT') }, 5],
  [{ begins: 57, visits: fromNursing }, 4],
  [{ begins: 6, visits: covid }, 5],
  [{ begins: 169, visits: emergencies(168, 139, 112, 85, 56, 29, 6) }, 3],
  [{ begins: 231, visits: emergencies(230, 212, 199) }, 2],
];
/** Share of the well-known people (listed, and never in doubt) who have such a story. */
const STORY_CHANCE = 0.045;

/** Returns the person's story, or null. Everything else that happened to the person must be over when it begins. */
export function ongoingStory(context: PatientContext, end: number): { beginsAt: number; visits: () => Visit[] } | null {
  if (!context.random.chance(STORY_CHANCE)) return null;
  const story = context.random.weighted(STORIES);
  if (story.visits === fromNursing && ageOf(context.person) < YOUNGEST_RESIDENT) return null;
  return { beginsAt: end - story.begins * DAY, visits: () => story.visits(context, end) };
}

/** Share of the older people without other visits who are residents of a nursing facility. */
const RESIDENT_CHANCE = 0.12;
const OLDER_AGE = 65;

/** Returns the visits of a resident who is still in a nursing facility when the period ends, some longer than expected. */
export const residentStory = (context: PatientContext, end: number): Visit[] =>
  ageOf(context.person) >= OLDER_AGE && context.random.chance(RESIDENT_CHANCE)
    ? hospitalAndNursing(context, end, context.random.int(8, 45))
    : [];
