import { type Chapter, planOf, type WorldMessage, writeOut } from './chapter.ts';
import type { WorldFeed } from './region-types.ts';
import type { Period } from './visits.ts';

/** Messages written at a time, which limits memory for a period of any length. */
const CHUNK = 20_000;

interface Timeline {
  at: Float64Array;
  household: Uint32Array;
  /** Position in the household's plan. */
  place: Uint16Array;
  /** Indexes sorted by time. */
  order: Uint32Array;
}

/** Returns when each message is sent, without the messages themselves: 18 bytes each. */
function timelineOf(period: Period, households: number, chapterOf: (household: number) => Chapter): Timeline {
  const at: number[] = [];
  const household: number[] = [];
  const place: number[] = [];
  for (let number = 0; number < households; number++) {
    planOf(period, chapterOf(number)).forEach(({ delivery }, index) => {
      at.push(delivery.at);
      household.push(number);
      place.push(index);
    });
  }
  const times = Float64Array.from(at);
  const order = Uint32Array.from(at.keys());
  order.sort((one, other) => (times[one] as number) - (times[other] as number) || one - other);
  return { at: times, household: Uint32Array.from(household), place: Uint16Array.from(place), order };
}

/**
 * Yields all messages of the period in the order in which they are sent. Each chapter is generated once to learn the times, and once more
 * for each chunk in which it has messages.
 */
export function* messagesInOrder(
  period: Period,
  feeds: readonly WorldFeed[],
  households: number,
  chapterOf: (household: number) => Chapter,
): Generator<WorldMessage> {
  const { household, place, order } = timelineOf(period, households, chapterOf);
  for (let start = 0; start < order.length; start += CHUNK) {
    const chunk = order.subarray(start, start + CHUNK);
    const messages: WorldMessage[] = [];
    messages.length = chunk.length;
    const byHousehold = Uint32Array.from(chunk.keys()).sort(
      (one, other) => (household[chunk[one] as number] as number) - (household[chunk[other] as number] as number),
    );
    let current = -1;
    let chapter: Chapter | null = null;
    let plan: ReturnType<typeof planOf> = [];
    for (const index of byHousehold) {
      const message = chunk[index] as number;
      if (chapter === null || household[message] !== current) {
        current = household[message] as number;
        chapter = chapterOf(current);
        plan = planOf(period, chapter);
      }
      const planned = plan[place[message] as number];
      if (planned) messages[index] = writeOut(period.seed, feeds, chapter, planned.visit, planned.delivery);
    }
    yield* messages;
  }
}
