/**
 * Stories that are going on when the period ends, so that whoever opens the region finds somebody in each situation that the product warns
 * of: back in the emergency department after a stay, admitted again, come from a nursing facility, ill with Covid-19, there again and again.
 */
import type { Scene } from './acts.ts';
import * as acts from './acts.ts';
import {
  type Condition,
  MAJOR_CONDITIONS,
  MINOR_CONDITIONS,
  REHABILITATION_CONDITIONS,
  SNF_UNITS,
} from './clinical.ts';
import { DAY, HOUR } from './clock.ts';
import { later } from './course.ts';
import { comesFrom, hospitalOf } from './hospital-scripts.ts';
import type { Person } from './people.ts';
import type { Visit } from './visit.ts';

type Story = {
  /** Days before the end. */
  begins: number;
  visits: (scene: Scene, end: number) => Visit[];
};

const COVID = MAJOR_CONDITIONS.filter(({ code }) => code === 'U07.1');

/** An arrival at the emergency department, and perhaps the bed that it led to. */
function arrival(scene: Scene, at: number, condition: Condition, setting?: 'INPATIENT' | 'OBSERVATION'): Visit {
  const visit = acts.beginVisit(scene, hospitalOf(scene), {
    at,
    setting: 'EMERGENCY',
    condition,
    admitSource: comesFrom(scene),
  });
  acts.present(visit, at);
  if (setting)
    acts.admit(visit, scene.random, later(scene, at, 40, 100), setting === 'INPATIENT' ? 'A06' : 'A01', setting);
  return visit;
}

/** A stay in a hospital that is over: `ago` and `days` in days. */
function pastStay(scene: Scene, end: number, ago: number, days: number, disposition: string): Visit {
  const at = later(scene, end - ago * DAY, 0, 600);
  const visit = arrival(scene, at, scene.random.pick(MAJOR_CONDITIONS), 'INPATIENT');
  acts.discharge(visit, later(scene, at + days * DAY, 0, 300), disposition);
  return visit;
}

/** Between two and ten hours before the end. */
const today = (scene: Scene, end: number) => later(scene, end - 10 * HOUR, 0, 440);

const backAgain =
  (setting?: 'INPATIENT' | 'OBSERVATION'): Story['visits'] =>
  (scene, end) => [
    pastStay(scene, end, scene.random.int(10, 25), scene.random.int(2, 6), scene.random.pick(['01', '01', '06'])),
    arrival(scene, today(scene, end), scene.random.pick(MAJOR_CONDITIONS), setting),
  ];

/** A hospital stay that began so many days ago, and the nursing facility that it led to, which goes on. */
function hospitalAndNursing(scene: Scene, end: number, ago: number): [hospital: Visit, nursing: Visit] {
  const { random } = scene;
  const hospital = pastStay(scene, end, ago, random.int(3, 6), '03');
  const at = later(scene, acts.stateOf(hospital).dischargedAt ?? end, 120, 420);
  const condition = random.pick(REHABILITATION_CONDITIONS);
  const nursing = acts.beginVisit(scene, 'oak-hollow', {
    at,
    setting: 'SNF',
    condition,
    admitSource: '4',
    units: SNF_UNITS,
  });
  acts.act(nursing, 'A01', at, { emits: 'ADMIT' });
  return [hospital, nursing];
}

const fromNursing: Story['visits'] = (scene, end) => {
  const { random } = scene;
  const [hospital, nursing] = hospitalAndNursing(scene, end, random.int(50, 56));
  acts.discharge(nursing, later(scene, end - random.int(5, 26) * DAY, 0, 600), '01');
  const now = arrival(scene, today(scene, end), random.pick(MAJOR_CONDITIONS), random.pick([undefined, 'INPATIENT']));
  return [hospital, nursing, now];
};

const covid: Story['visits'] = (scene, end) => [
  arrival(scene, today(scene, end) - scene.random.int(0, 4) * DAY, scene.random.pick(COVID), 'INPATIENT'),
];

/** Treated and sent home, on these days before the end. */
const emergencies =
  (...daysAgo: number[]): Story['visits'] =>
  (scene, end) =>
    daysAgo.map((ago) => {
      const at = later(scene, end - ago * DAY, 0, 5 * 1440);
      const visit = arrival(scene, at, scene.random.pick(MINOR_CONDITIONS));
      acts.discharge(visit, later(scene, at, 90, 400), '01');
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
/** Of the people who are known well enough. */
const TOLD_OF = 0.045;

/** The story of a person, if there is one; what else happened to the person is to be over when it begins. */
export function presentStory(scene: Scene, end: number): { beginsAt: number; visits: () => Visit[] } | null {
  if (!scene.random.chance(TOLD_OF)) return null;
  const story = scene.random.weighted(STORIES);
  return { beginsAt: end - story.begins * DAY, visits: () => story.visits(scene, end) };
}

/** Of the old whom nothing else happened to. */
const RESIDENT = 0.12;
const OLD = 65;

const ageOf = ({ birthDate }: Person, at: number): number => (at - Date.parse(birthDate)) / (365.25 * DAY);

/** Some go on living in a nursing facility when the period ends, a few of them longer than was expected. */
export const residentStory = (scene: Scene, end: number): Visit[] =>
  ageOf(scene.person, end) >= OLD && scene.random.chance(RESIDENT)
    ? hospitalAndNursing(scene, end, scene.random.int(8, 45))
    : [];
