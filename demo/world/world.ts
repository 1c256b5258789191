/**
 * Worlds: people, rosters, visits and the messages about them, together with the truth. Everything follows from the options; the machine's
 * clock is never used.
 */
import {
  type Chapter,
  type ManualEntry,
  makeChapter,
  manualEntriesOf,
  registrationIn,
  type WorldMessage,
} from './chapter.ts';
import { DAY, MINUTE } from './clock.ts';
import { type ExpectedPing, pingsOf } from './expected-pings.ts';
import { households, type Person } from './people.ts';
import { makeRandom } from './random.ts';
import { makeRegion } from './region.ts';
import type { Region } from './region-types.ts';
import type { Registration } from './registration.ts';
import { ROSTER_GROUPS, type RosterGroup, type RosterRow, rosterCsvLines, rosterRows } from './rosters.ts';
import { messagesInOrder } from './stream.ts';
import { truthOf, type Visit, type VisitTruth } from './visit.ts';
import type { Period } from './visits.ts';

export interface WorldOptions {
  seed: string;
  /** At least this many: a household is never split. */
  people: number;
  /** About this many visits begin in the period. */
  visits: number;
  /** ISO 8601 instants. */
  from: string;
  to: string;
}

export interface WorldTruth {
  visits: VisitTruth[];
  /** How each facility registered its patients, and what matching must do with them. */
  identities: Registration[];
}

export interface World {
  options: WorldOptions;
  region: Region;
  people: Person[];
  rosters: Record<RosterGroup, RosterRow[]>;
  visits: Visit[];
  /** In the order of sending. */
  messages: WorldMessage[];
  /** In the order of entry. */
  manualEntries: ManualEntry[];
  truth: WorldTruth;
  chapters: Chapter[];
}

/** Returns the period in which a world's visits begin. */
function periodOf(options: WorldOptions): Period {
  const { seed, people, visits } = options;
  return { seed, from: Date.parse(options.from), to: Date.parse(options.to), visitsPerPerson: visits / people };
}

function countHouseholds(options: WorldOptions): number {
  let count = 0;
  for (const _ of households(options.seed, options.people)) count++;
  return count;
}

function identitiesOf(seed: string, chapter: Chapter): Registration[] {
  const seen = new Map<string, Registration>();
  for (const visit of chapter.visits) {
    for (const { state } of visit.steps) {
      seen.set(`${state.person} ${visit.facility}`, registrationIn(seed, chapter, state.person, visit.facility));
    }
  }
  return [...seen.values()];
}

/** Returns a whole world in memory: for the demo and the tests, with up to about ten thousand people. */
export function makeWorld(options: WorldOptions): World {
  const period = periodOf(options);
  const region = makeRegion();
  const chapters = Array.from({ length: countHouseholds(options) }, (_, household) => makeChapter(period, household));
  const rows = chapters.flatMap((chapter) => chapter.rows);
  const visits = chapters.flatMap((chapter) => chapter.visits);
  const chapterOf = (household: number) => chapters[household] as Chapter;
  return {
    options,
    region,
    people: chapters.flatMap((chapter) => chapter.members),
    rosters: Object.fromEntries(
      ROSTER_GROUPS.map((group) => [group, rows.filter((row) => row.group === group)]),
    ) as World['rosters'],
    visits,
    messages: [...messagesInOrder(period, region.feeds, chapters.length, chapterOf)],
    manualEntries: chapters
      .flatMap((chapter) => manualEntriesOf(period, chapter))
      .sort((one, other) => one.enteredAt - other.enteredAt),
    truth: {
      visits: visits.map(truthOf),
      identities: chapters.flatMap((chapter) => identitiesOf(options.seed, chapter)),
    },
    chapters,
  };
}

/** Yields the messages of a world of any size in the order of sending. Memory grows by about 50 bytes per message. */
export function* streamMessages(options: WorldOptions): Generator<WorldMessage> {
  const period = periodOf(options);
  yield* messagesInOrder(period, makeRegion().feeds, countHouseholds(options), (household) =>
    makeChapter(period, household),
  );
}

/** Yields a group's roster file line by line, each with its line end. */
export function* streamRoster(options: WorldOptions, group: RosterGroup): Generator<string> {
  function* rows(): Generator<RosterRow> {
    for (const members of households(options.seed, options.people)) {
      yield* rosterRows(options.seed, members).filter((row) => row.group === group);
    }
  }
  yield* rosterCsvLines(rows());
}

/** Returns a group's roster file as CSV. */
export const rosterCsv = (world: World, group: RosterGroup): string =>
  [...rosterCsvLines(world.rosters[group])].join('');

/** Returns all pings that must exist once everything has arrived. Emergency visits left open by `now` (ISO 8601) are closed. */
export function expectedPings(world: World, now: string = world.options.to): ExpectedPing[] {
  return world.chapters.flatMap((chapter) => pingsOf(world.options.seed, chapter, Date.parse(now)));
}

/** Returns the world's messages as they arrive in a test: possibly shuffled, and some twice. The same for the same seed. */
export function arrivals(world: World, options: { seed: string; shuffle: boolean; duplicate: number }): WorldMessage[] {
  const random = makeRandom(`${world.options.seed}/arrivals/${options.seed}`);
  const messages = world.messages.flatMap((message) =>
    random.chance(options.duplicate) ? [message, message] : [message],
  );
  return options.shuffle ? random.shuffle(messages) : messages;
}

/** Options of the demo's world: about 2,000 people and a year of visits up to `to` (ISO 8601). */
export function demoWorldOptions(to: string): WorldOptions {
  const from = new Date(Math.floor((Date.parse(to) - 365 * DAY) / MINUTE) * MINUTE).toISOString();
  return { seed: 'alder-bay', people: 2000, visits: 2400, from, to };
}
