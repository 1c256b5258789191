/** How a system's messages arrive: in an order that is not that of sending, some twice, and cut in two parts. */
import type { Random } from '#demo/world/random.ts';
import type { GeneratedSystem } from './health-system.ts';
import type { Truth } from './truth.ts';

export interface Arrival {
  /** The messages that arrive first, and the others. */
  parts: [string[], string[]];
  /** What is true after the first part, if the rules say so. */
  truthBetween: Truth | null;
}

const ORDERS: readonly ((messages: readonly string[], random: Random) => string[])[] = [
  (messages) => [...messages],
  (messages) => messages.toReversed(),
  (messages, random) => random.shuffle(messages),
];

/** A resend has the same bytes. A message that an engine has doubled has a control id of its own. */
const doubled = (message: string, random: Random): string =>
  random.chance(0.5) ? message : message.replace(/(\|ADT\^A\d\d\|)([^|]*)/, `$1$2.${random.int(2, 99)}`);

/** Returns how the messages arrive. Two of three times the first part is what was sent by some time, and otherwise any part of it. */
export function arrivalOf({ messages, truths }: GeneratedSystem, random: Random): Arrival {
  const isPrefix = random.chance(2 / 3);
  const cut = random.int(1, messages.length);
  const isFirst = messages.map((_, index) => (isPrefix ? index < cut : random.chance(0.5)));
  const order = random.pick(ORDERS);
  const part = (chosen: readonly string[]) => {
    const more = chosen.filter(() => random.chance(0.15)).map((message) => doubled(message, random));
    return more.reduce((all, message) => all.toSpliced(random.int(0, all.length), 0, message), order(chosen, random));
  };
  return {
    parts: [part(messages.filter((_, index) => isFirst[index])), part(messages.filter((_, index) => !isFirst[index]))],
    truthBetween: isPrefix ? (truths[cut] ?? null) : null,
  };
}
