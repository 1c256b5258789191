import * as acts from './acts.ts';
import { type Chapter, type WorldMessage, writeOut } from './chapter.ts';
import {
  conditionFor,
  INPATIENT_UNITS,
  MAJOR_CONDITIONS,
  MINOR_CONDITIONS,
  REHABILITATION_CONDITIONS,
  SNF_UNITS,
} from './clinical.ts';
import { HOUR } from './clock.ts';
import { controlIdOf } from './delivery.ts';
import { admitSourceOf, hospitalOf } from './hospital-scripts.ts';
import { ageOf, PEOPLE_PER_HOUSEHOLD, type Person, YOUNGEST_RESIDENT } from './people.ts';
import { outpatient, urgentCare } from './post-acute-scripts.ts';
import { makeRandom, type Random } from './random.ts';
import { TREATMENT_FACILITY } from './treatment.ts';
import type { Visit } from './visit.ts';
import type { World } from './world.ts';

/** The next message of the live region, and how long to wait before sending it. */
export interface LiveMessage {
  delayMs: number;
  message: WorldMessage;
}

interface LiveVisit {
  visit: Visit;
  chapter: Chapter;
}

/** With this many open visits, discharges outnumber arrivals. */
const BUSY = 100;
/** The minimum between two steps of a visit, in milliseconds: some feeds send times to the minute only. */
const MIN_STEP_GAP = 90_000;

/** The state of the live region. */
class LiveRegion {
  readonly world: World;
  readonly random: Random;
  readonly prefix: string;
  readonly open: LiveVisit[] = [];
  /** People with an open visit, and people who died. */
  readonly unavailable = new Set<number>();
  /** People discharged from a hospital to the nursing facility. */
  readonly awaitingNursing: Person[] = [];
  private readonly ordinals = new Map<number, number>();
  private readonly chapters: Map<number, Chapter>;

  constructor(world: World, from: number) {
    this.world = world;
    this.prefix = Math.floor(from / 1000)
      .toString(36)
      .toUpperCase();
    this.random = makeRandom(`${world.options.seed}/live/${from}`);
    this.chapters = new Map(world.chapters.map((chapter) => [(chapter.members[0] as Person).household, chapter]));
    const isFresh = from - Date.parse(world.options.to) < HOUR;
    for (const chapter of world.chapters)
      for (const visit of chapter.visits) this.resumeVisit(chapter, visit, from, isFresh);
  }

  /** Continues a visit that the world left open, if the live region begins where the world ends. */
  private resumeVisit(chapter: Chapter, visit: Visit, from: number, isFresh: boolean): void {
    const { status, setting, startedAt, person } = acts.stateOf(visit);
    if (status === 'DECEASED') this.unavailable.add(person);
    if (status !== 'OPEN' && status !== 'ON_LEAVE') return;
    const isHanging = setting === 'EMERGENCY' && from - startedAt > 12 * HOUR;
    if (isHanging || setting === 'HHA') return;
    this.unavailable.add(person);
    if (isFresh && !visit.isManual && visit.facility !== TREATMENT_FACILITY)
      this.open.push({ chapter, visit: { ...visit, steps: [...visit.steps] } });
  }

  chapterOf(person: Person): Chapter {
    return this.chapters.get(Math.floor(person.id / PEOPLE_PER_HOUSEHOLD)) as Chapter;
  }

  context(person: Person): acts.PatientContext {
    const nextOrdinal = (this.ordinals.get(person.id) ?? 0) + 1;
    this.ordinals.set(person.id, nextOrdinal);
    const { members } = this.chapterOf(person);
    return {
      seed: this.world.options.seed,
      random: this.random,
      person,
      members,
      nextOrdinal,
      numberPrefix: this.prefix,
    };
  }

  pickPerson(): Person {
    for (let tries = 0; tries < 500; tries++) {
      const person = this.random.pick(this.world.people);
      if (!this.unavailable.has(person.id)) return person;
    }
    return this.random.pick(this.world.people);
  }
}

function arrive(region: LiveRegion, at: number): LiveVisit {
  const { random } = region;
  const discharged = region.awaitingNursing.shift();
  const person = discharged ?? region.pickPerson();
  const context = region.context(person);
  const chapter = region.chapterOf(person);
  const kind = discharged
    ? 'nursing'
    : random.weighted([
        ['emergency', 72],
        ['direct', 8],
        ['urgent', 12],
        ['outpatient', 6],
      ] as const);
  if (kind === 'urgent') return { chapter, visit: urgentCare(context, at) };
  if (kind === 'outpatient') return { chapter, visit: outpatient(context, at) };
  region.unavailable.add(person.id);
  if (kind === 'nursing') {
    const condition = conditionFor({ random, person }, REHABILITATION_CONDITIONS);
    const visit = acts.beginVisit(context, 'oak-hollow', {
      at,
      setting: 'SNF',
      condition,
      admitSource: '4',
      units: SNF_UNITS,
    });
    acts.act(visit, 'A01', at, { emits: 'ADMIT' });
    return { chapter, visit };
  }
  if (kind === 'direct') {
    const condition = conditionFor({ random, person }, MAJOR_CONDITIONS);
    const visit = acts.beginVisit(context, hospitalOf(context), {
      at,
      setting: 'INPATIENT',
      condition,
      admitSource: '2',
      units: INPATIENT_UNITS,
    });
    acts.admit(visit, random, at, 'A01', 'INPATIENT');
    return { chapter, visit };
  }
  const condition = conditionFor({ random, person }, random.chance(0.6) ? MINOR_CONDITIONS : MAJOR_CONDITIONS);
  const admitSource = admitSourceOf(context);
  const visit = acts.beginVisit(context, hospitalOf(context), { at, setting: 'EMERGENCY', condition, admitSource });
  acts.present(visit, at);
  return { chapter, visit };
}

type LiveAction =
  | 'discharge'
  | 'admit'
  | 'observe'
  | 'transfer'
  | 'move'
  | 'update'
  | 'pay'
  | 'leave'
  | 'return'
  | 'undo';

function nextAction(random: Random, visit: Visit): LiveAction {
  const { status, setting } = acts.stateOf(visit);
  if (status === 'DISCHARGED') return 'undo';
  if (status === 'ON_LEAVE') return 'return';
  if (setting === 'EMERGENCY')
    return random.weighted([
      ['discharge', 55],
      ['admit', 26],
      ['observe', 7],
      ['update', 12],
    ]);
  if (setting === 'OBSERVATION')
    return random.weighted([
      ['discharge', 65],
      ['admit', 25],
      ['update', 10],
    ]);
  if (setting === 'SNF')
    return random.weighted([
      ['discharge', 30],
      ['leave', 25],
      ['transfer', 25],
      ['pay', 20],
    ]);
  return random.weighted([
    ['discharge', 46],
    ['transfer', 24],
    ['move', 6],
    ['update', 16],
    ['pay', 8],
  ]);
}

function personOf({ chapter, visit }: LiveVisit): Person {
  const id = acts.stateOf(visit).person;
  return chapter.members.find((member) => member.id === id) as Person;
}

function discharge(region: LiveRegion, live: LiveVisit, at: number): void {
  const { random } = region;
  const { setting, person } = acts.stateOf(live.visit);
  const isInpatient = setting === 'INPATIENT';
  const resident = personOf(live);
  const disposition = random.weighted([
    ['01', 70],
    ['03', isInpatient && ageOf(resident) >= YOUNGEST_RESIDENT ? 16 : 0],
    ['06', isInpatient ? 9 : 0],
    ['07', 3],
    ['20', isInpatient ? 3 : 0.7],
  ]);
  acts.discharge(live.visit, at, disposition);
  if (disposition !== '01' || !random.chance(0.06)) region.open.splice(region.open.indexOf(live), 1);
  if (disposition === '03') region.awaitingNursing.push(resident);
  else if (disposition !== '20') region.unavailable.delete(person);
}

function continueVisit(region: LiveRegion, live: LiveVisit, at: number): void {
  const { random } = region;
  const { visit } = live;
  const condition = conditionFor({ random, person: personOf(live) }, MAJOR_CONDITIONS);
  switch (nextAction(random, visit)) {
    case 'discharge':
      return discharge(region, live, at);
    case 'admit':
      return void acts.admit(visit, random, at, random.pick(['A01', 'A06']), 'INPATIENT');
    case 'observe':
      return void acts.admit(visit, random, at, 'A01', 'OBSERVATION');
    case 'transfer':
      return void acts.transfer(visit, random, at);
    case 'move':
      return void acts.moveBed(visit, random, at);
    case 'update':
      return void acts.updateSilently(visit, random, at, condition, 'W');
    case 'pay':
      return void acts.changePayer(visit, random, at);
    case 'leave':
      return void acts.act(visit, 'A21', at, { emits: 'MEDICAL_LEAVE_OF_ABSENCE', set: { status: 'ON_LEAVE' } });
    case 'return':
      return void acts.act(visit, 'A22', at, { emits: 'RESUMED_SERVICES', set: { status: 'OPEN' } });
    case 'undo':
      region.unavailable.add(acts.stateOf(visit).person);
      return void acts.cancelDischarge(visit, random, visit.steps.length - 1, at);
  }
}

/**
 * Yields messages that continue the region after the world's end, without limit: new arrivals, and the next steps of open visits. There is
 * one every few seconds, so days of activity pass in minutes. `from` (ISO 8601) is when the caller starts to wait for the first message;
 * what a message reports happened seconds before it is sent. Visits that the world left open continue if `from` is within an hour of its end.
 */
export function* liveMessages(world: World, from: string): Generator<LiveMessage> {
  let now = Date.parse(from);
  const region = new LiveRegion(world, now);
  const { random } = region;
  while (true) {
    const delayMs = random.int(3_000, 16_000);
    now += delayMs;
    const at = now - random.int(1, 3) * 1000;
    const isReady = ({ visit }: LiveVisit) => at - (visit.steps.at(-1)?.at ?? 0) > MIN_STEP_GAP;
    const ready = region.open.filter(isReady);
    const isArrival = ready.length === 0 || random.chance(region.open.length < BUSY ? 0.45 : 0.15);
    let live: LiveVisit;
    if (isArrival) {
      live = arrive(region, at);
      if (acts.stateOf(live.visit).status === 'OPEN') region.open.push(live);
    } else {
      live = random.pick(ready);
      continueVisit(region, live, at);
    }
    const step = live.visit.steps.length - 1;
    const delivery = {
      step,
      at: now,
      writtenAt: now,
      controlId: controlIdOf(live.visit, step),
      isDuplicate: false,
      isLate: false,
    };
    yield { delayMs, message: writeOut(world.options.seed, world.region.feeds, live.chapter, live.visit, delivery) };
  }
}
