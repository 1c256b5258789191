/** What a system's patients live through. A story is a few chapters, and what happens to the patient's record numbers in between. */
import type { Random } from '#demo/world/random.ts';
import type { Plan } from './acts.ts';
import { chapterAt, type Scene } from './chapters.ts';
import { newBirthDate, newFamilyName, type Person, type Registration } from './patients.ts';
import type { Facility } from './system.ts';
import { DAY, END, HOUR } from './time.ts';
import { begin as beginVisit, die, discharge, type Visit } from './visits.ts';

export interface StoryContext {
  plan: Plan;
  random: Random;
  /** Makes a person whom a program lists, or none. */
  person: (over?: Partial<Person>) => Person;
}

interface Course {
  /** Before which no chapter begins. */
  from: number;
  hasDied: boolean;
}

const WITHIN = END - 5 * DAY;

/** Plans up to `most` chapters of a person, from facility to facility. `openAt` says under which registration. */
function chapters(
  { plan, random }: StoryContext,
  course: Course,
  most: number,
  openAt: (facility: Facility) => Registration,
  within: readonly Facility[] = plan.system.facilities,
): void {
  for (let n = 0; n < most && !course.hasDied && course.from < WITHIN; n += 1) {
    const facility = random.pick(within);
    const scene: Scene = {
      plan,
      random,
      facility,
      registrationAt: openAt,
      others: within.filter((each) => each !== facility),
      hasDied: false,
    };
    const begins = Math.ceil(course.from / DAY) * DAY + random.int(8 * HOUR, 21 * HOUR);
    course.from = chapterAt(scene)(scene, begins) + 30 * HOUR;
    course.hasDied = scene.hasDied;
  }
}

const start = (random: Random): Course => ({ from: random.int(0, 3 * DAY), hasDied: false });

/** A patient with one to three chapters. */
function plain(context: StoryContext): void {
  const person = context.person();
  const { random, plan } = context;
  chapters(context, start(random), random.int(1, 3), (facility) => plan.registrations.of(person, facility));
}

/** Returns the facilities that number their patients together with a random one, which comes first. */
function numberedTogether({ plan, random }: StoryContext): [Facility, ...Facility[]] {
  const { facilities } = plan.system;
  const home = random.pick(facilities);
  return [home, ...facilities.filter((each) => each !== home && each.recordScope === home.recordScope)];
}

/** Returns when the first and the last message under a registration are written. */
function span(plan: Plan, registration: Registration): [number, number] {
  const times = plan.acts.filter((act) => act.registration === registration).map(({ at }) => at);
  return [Math.min(...times), Math.max(...times)];
}

/** How a duplicate is registered: like the patient, without demographics but the name, or with another birth date. */
function registerAgain(random: Random): Partial<Registration> {
  const way = random.pick(['the same', 'bare', 'another birth date'] as const);
  if (way === 'the same') return {};
  return way === 'bare'
    ? { birthDate: null, isBare: true, isCertain: false }
    : { birthDate: newBirthDate(random), isCertain: false };
}

/**
 * A patient is registered twice where facilities number their patients together, and the numbers are merged: before, during or after the
 * stay under the number that goes, by any of the facilities. Some senders go on writing that number for a while.
 */
function duplicate(context: StoryContext): void {
  const { plan, random } = context;
  const person = context.person();
  const within = numberedTogether(context);
  const course = start(random);
  const survivor = plan.registrations.of(person, within[0]);
  if (random.chance(0.6)) chapters(context, course, 1, () => survivor, within);
  if (course.hasDied) return;
  const when = random.weighted<'before' | 'during' | 'after'>([
    ['before', 2],
    ['during', 5],
    ['after', 3],
  ]);
  // What is written after the merge describes the patient as the merge does: otherwise nothing says who is right.
  const merged = plan.registrations.open(person, within[0], when === 'before' ? {} : registerAgain(random));
  const lead = course.from;
  chapters(context, course, 1, () => merged, within);
  const [from, until] = span(plan, merged);
  const at = { before: lead, during: from + random.int(0, until - from), after: until + 300 }[when] + 3;
  if (merged.isCertain && (when === 'before' || random.chance(0.3))) {
    merged.lagsUntil = random.pick([from + 1, until, END]);
  }
  plan.aboutPatient(random.pick(within), survivor, {
    at,
    trigger: random.weighted([
      ['A40', 6],
      ['A34', 1],
      ['A18', 1],
      ['A47', 1],
    ]),
    prior: merged,
    happens: () => {
      merged.mergedInto = survivor;
    },
  });
  if (random.chance(0.4)) chapters(context, course, 1, () => survivor, within);
}

/** A47: the patient gets another number, during a stay or between two. */
function newNumber(context: StoryContext): void {
  const { plan, random } = context;
  const person = context.person();
  const within = numberedTogether(context);
  const course = start(random);
  const first = plan.registrations.of(person, within[0]);
  chapters(context, course, random.int(1, 2), () => first, within);
  const at = random.int(span(plan, first)[0], course.from) + 3;
  const second = plan.registrations.open(person, within[0]);
  plan.aboutPatient(random.pick(within), second, {
    at,
    trigger: 'A47',
    prior: first,
    happens: () => {
      first.mergedInto = second;
    },
  });
}

/** A31 without PV1: a new family name. The program has the new name. */
function newName(context: StoryContext): void {
  const { plan, random } = context;
  const person = context.person();
  const within = numberedTogether(context);
  const course = start(random);
  const registration = plan.registrations.of(person, within[0]);
  Object.assign(registration, { family: newFamilyName(random), isCertain: false });
  chapters(context, course, random.int(1, 2), () => registration, within);
  plan.aboutPatient(random.pick(within), registration, {
    at: random.int(span(plan, registration)[0], course.from) + 3,
    trigger: 'A31',
    happens: () => Object.assign(registration, { family: person.family, isCertain: true, wasCorrected: true }),
  });
}

/** A31 without PV1 corrects the birth date, followed by an A08 for each visit, as docs/feeds.md asks for. */
function correctedBirthDate(context: StoryContext): void {
  const { plan, random } = context;
  const person = context.person();
  const within = numberedTogether(context);
  const course = start(random);
  const registration = plan.registrations.of(person, within[0]);
  Object.assign(registration, { birthDate: newBirthDate(random), isCertain: false });
  const earlier = plan.visits.length;
  chapters(context, course, random.int(1, 2), () => registration, within);
  const visits = plan.visits.slice(earlier);
  // Without a number, nothing says that an A08 is about a canceled visit.
  const isUnknown = ({ number, status }: Visit) => number === '' && status === 'CANCELLED';
  const happens = () =>
    Object.assign(registration, {
      birthDate: person.birthDate,
      isCertain: true,
      wasCorrected: true,
      isContradicted: visits.some(isUnknown),
    });
  const at = course.from;
  plan.aboutPatient(random.pick(within), registration, {
    at,
    trigger: 'A31',
    happens,
    openUntil: at + 10 * visits.length,
  });
  for (const [index, visit] of visits.entries()) plan.about(visit, 'A08', at + 10 * (index + 1));
}

/**
 * A31 with PID-30, without PV1. During a stay, any facility of the numbering reports it, and the stay ends in it. Otherwise it belongs to the
 * last visit at the facility that reports it, or to none.
 */
function death(context: StoryContext): void {
  const { plan, random } = context;
  const person = context.person();
  const within = numberedTogether(context);
  const course = start(random);
  const registration = plan.registrations.of(person, within[0]);
  chapters(context, course, random.int(0, 2), () => registration, within);
  if (course.hasDied) return;
  const reporter = random.pick(within);
  const at = course.from + 100;
  const report = (happens: () => void) =>
    plan.aboutPatient(reporter, registration, { at, trigger: 'A31', diedAt: at, happens });
  if (random.chance(0.4)) {
    report(() => plan.dieOutsideStay(reporter, registration, at));
    return;
  }
  const stay = plan.visit(within[0], registration);
  plan.about(stay, 'A01', at - 90, () => beginVisit(stay, at - 90, 'I'));
  report(() => {
    die(stay, at);
    if (reporter !== stay.facility) plan.openDeaths.push({ facility: reporter, at });
  });
  if (random.chance(0.6)) plan.about(stay, 'A03', at + 45, () => discharge(stay, at, '20'));
}

/** Two people with the same name. */
function namesakes(context: StoryContext): void {
  const { random, plan } = context;
  const one = context.person();
  const { family, given } = one;
  for (const person of [one, context.person({ family, given })]) {
    chapters(context, start(random), random.int(1, 2), (facility) => plan.registrations.of(person, facility));
  }
}

/** A40 of two people. It waits for a person's decision, and changes nothing until then. */
function mistakenMerge(context: StoryContext): void {
  const { plan, random } = context;
  const within = numberedTogether(context);
  const courses = [context.person(), context.person()].map((person) => {
    const registration = plan.registrations.of(person, within[0]);
    const course = start(random);
    chapters(context, course, 1, () => registration, within);
    return { registration, course };
  });
  const [one, other] = courses as [(typeof courses)[0], (typeof courses)[0]];
  const at = Math.max(one.course.from, other.course.from);
  plan.aboutPatient(random.pick(within), one.registration, { at, trigger: 'A40', prior: other.registration });
}

export const STORIES = {
  plain: [plain, 5],
  duplicate: [duplicate, 6],
  'new number': [newNumber, 2],
  'new name': [newName, 1],
  'corrected birth date': [correctedBirthDate, 1],
  death: [death, 2],
  namesakes: [namesakes, 1],
  'mistaken merge': [mistakenMerge, 1],
} as const satisfies Record<string, readonly [(context: StoryContext) => void, weight: number]>;

export type StoryName = keyof typeof STORIES;
