/**
 * Generates health systems: one feed with up to four facilities, what happens to their patients, the messages about it, and what is true
 * after each message. A test compares that with what the product says, in any order of arrival. This folder shares no code with the product:
 * its truth comes from HL7 v2.5.1 chapter 3, docs/domain.md and docs/feeds.md.
 *
 * system: the facilities, and how the sender writes. patients: people, and the numbers they are registered under. chapters: stays.
 * stories: patients. visits, acts: what happens. adt: the messages. truth: what is true. arrival: how messages arrive. stored,
 * differences: what the product says.
 *
 * Left out, because the rules leave open what is true: a return to a facility under the same visit number; two stays on one day, or a plan
 * without its day, of a sender without visit numbers; merges that are taken back, and merged numbers given to other people; a merge or A31 that
 * contradicts what the sender writes later; a death that is canceled; PV1-44 that stays the arrival in the ED after the admission. Also left out:
 * outpatient registrations, home health, manual entries, and ED visits that the clock closes. An asterisk in the truth marks what is open
 * within a case: the status of a stay between a death and its A03, the setting and time of a plan, who is dead at the other facilities after an A03,
 * who keeps the number if a canceled visit contradicts a corrected birth date. `openPrograms` and `openDeaths` say the same of pings and events.
 */
import { makeRandom, type Random } from '#demo/world/random.ts';
import { type Act, Plan } from './acts.ts';
import { writeMessage } from './adt.ts';
import { newPerson, type Person } from './patients.ts';
import { STORIES, type StoryName } from './stories.ts';
import { type HealthSystem, makeSystem } from './system.ts';
import { type Truth, truthNow } from './truth.ts';

export interface GeneratedSystem {
  seed: string;
  system: HealthSystem;
  stories: StoryName[];
  persons: Person[];
  /** In the order of sending. */
  messages: string[];
  /** What is true after the first n messages; null where the rules leave it open. */
  truths: (Truth | null)[];
}

/** Returns the system of a seed. `only`: the places of the stories that happen; all by default. The facilities and names stay the same. */
export function makeHealthSystem(seed: string, only?: readonly number[]): GeneratedSystem {
  const random = makeRandom(seed);
  const system = makeSystem(['EHR', seed, ...(only ?? [])].join('-'), random.fork('system'));
  const plan = new Plan(system);
  const persons: Person[] = [];
  const person = (from: Random, over: Partial<Person> = {}): Person => {
    const program = from.chance(0.8) ? `P${persons.length + 1}` : null;
    const made = { ...newPerson(from, program), ...over };
    persons.push(made);
    return made;
  };
  const choices = Object.entries(STORIES).map(([name, [, weight]]) => [name as StoryName, weight] as const);
  const stories = Array.from({ length: random.int(2, 5) }, () => random.weighted(choices));
  for (const [index, name] of stories.entries()) {
    if (only && !only.includes(index)) continue;
    const own = random.fork(`story ${index}`);
    STORIES[name][0]({ plan, random: own, person: (over) => person(own, over) });
  }
  return { seed, system, stories, persons, ...unfold(plan) };
}

/** Lets the acts happen one after the other. */
function unfold(plan: Plan): Pick<GeneratedSystem, 'messages' | 'truths'> {
  const acts = plan.acts.toSorted((a, b) => a.at - b.at);
  const truths: (Truth | null)[] = [truthNow(plan)];
  let openUntil = Number.NEGATIVE_INFINITY;
  const messages = acts.map((act, index) => {
    const text = writeAround(plan, act, `${plan.system.name.slice(-12)}.${index + 1}`);
    openUntil = Math.max(openUntil, act.openUntil ?? openUntil);
    truths.push(act.at < openUntil ? null : truthNow(plan));
    return text;
  });
  return { messages, truths };
}

/** A cancel of an admission or plan says what it cancels; all other messages say what is so afterwards. */
function writeAround(plan: Plan, act: Act, controlId: string): string {
  const isBefore = act.trigger === 'A11' || act.trigger === 'A38';
  const before = isBefore ? writeMessage(plan.system, act, controlId) : '';
  plan.happen(act);
  return isBefore ? before : writeMessage(plan.system, act, controlId);
}
