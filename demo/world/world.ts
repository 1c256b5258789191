/**
 * Worlds: people, rosters, visits and the messages that tell of them, with the truth beside. Everything follows from the options; the clock
 * of the machine is never asked.
 */
import {
  type Chapter,
  type ManualEntry,
  makeChapter,
  manualEntriesOf,
  presentationIn,
  type WorldMessage,
} from './chapter.ts';
import { DAY, MINUTE } from './clock.ts';
import { type ExpectedPing, pingsOf } from './expected-pings.ts';
import { households, type Person } from './people.ts';
import type { Presentation } from './presentation.ts';
import { makeRandom } from './random.ts';
import { makeRegion } from './region.ts';
import type { Region } from './region-types.ts';
import { ROSTER_GROUPS, type RosterGroup, type RosterRow, rosterCsvLines, rosterRows } from './rosters.ts';
import { messagesInOrder } from './stream.ts';
import { truthOf, type Visit, type VisitTruth } from './visit.ts';
import type { Period } from './visits.ts';

export interface WorldOptions {
  seed: string;
  /** At least so many; a household is never divided. */
  people: number;
  /** About so many visits begin in the period. */
  visits: number;
  /** ISO 8601 instants. */
  from: string;
  to: string;
}

export interface WorldTruth {
  visits: VisitTruth[];
  /** How each facility knows each person that it has seen, and what matching must make of that. */
  identities: Presentation[];
}

export interface World {
  options: WorldOptions;
  region: Region;
  people: Person[];
  rosters: Record<RosterGroup, RosterRow[]>;
  visits: Visit[];
  /** In the order in which they are sent. */
  messages: WorldMessage[];
  /** In the order in which they are entered. */
  manualEntries: ManualEntry[];
  truth: WorldTruth;
  chapters: Chapter[];
}

/** The period in which a world's visits are made. */
export function periodOf(options: WorldOptions): Period {
  const { seed, people, visits } = options;
  return { seed, from: Date.parse(options.from), to: Date.parse(options.to), visitsPerPerson: visits / people };
}

function countHouseholds(options: WorldOptions): number {
  let count = 0;
  for (const _ of households(options.seed, options.people)) count++;
  return count;
}

function identitiesOf(seed: string, chapter: Chapter): Presentation[] {
  const seen = new Map<string, Presentation>();
  for (const visit of chapter.visits) {
    for (const { state } of visit.steps) {
      seen.set(`${state.person} ${visit.facility}`, presentationIn(seed, chapter, state.person, visit.facility));
    }
  }
  return [...seen.values()];
}

/** A whole world in memory: for the demo and the tests, up to some ten thousand people. */
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

/** The messages of a world of any size in the order of sending; memory grows by some 50 bytes a message, not by the messages. */
export function* streamMessages(options: WorldOptions): Generator<WorldMessage> {
  const period = periodOf(options);
  yield* messagesInOrder(period, makeRegion().feeds, countHouseholds(options), (household) =>
    makeChapter(period, household),
  );
}

/** Truth of a world of any size, a household at a time. */
export function* streamChapters(options: WorldOptions): Generator<Chapter> {
  const period = periodOf(options);
  const count = countHouseholds(options);
  for (let household = 0; household < count; household++) yield makeChapter(period, household);
}

/** A group's roster file, line by line, each with its end. */
export function* streamRoster(options: WorldOptions, group: RosterGroup): Generator<string> {
  function* rows(): Generator<RosterRow> {
    for (const members of households(options.seed, options.people)) {
      yield* rosterRows(options.seed, members).filter((row) => row.group === group);
    }
  }
  yield* rosterCsvLines(rows());
}

/** A group's roster file as CSV. */
export const rosterCsv = (world: World, group: RosterGroup): string =>
  [...rosterCsvLines(world.rosters[group])].join('');

/** All pings that must stand once everything has arrived; `now` (ISO 8601, the end of the world where not given) closes what hangs. */
export function expectedPings(world: World, now: string = world.options.to): ExpectedPing[] {
  return world.chapters.flatMap((chapter) => pingsOf(world.options.seed, chapter, Date.parse(now)));
}

/** The world's messages as a test lets them arrive: in any order, and a part of them twice; the same for the same seed. */
export function arrivals(world: World, options: { seed: string; shuffle: boolean; duplicate: number }): WorldMessage[] {
  const random = makeRandom(`${world.options.seed}/arrivals/${options.seed}`);
  const messages = world.messages.flatMap((message) =>
    random.chance(options.duplicate) ? [message, message] : [message],
  );
  return options.shuffle ? random.shuffle(messages) : messages;
}

/** The demo's world: some 2,000 people and a year of visits up to the given ISO 8601 instant. */
export function demoWorldOptions(to: string): WorldOptions {
  const from = new Date(Math.floor((Date.parse(to) - 365 * DAY) / MINUTE) * MINUTE).toISOString();
  return { seed: 'alder-bay', people: 2000, visits: 2400, from, to };
}
