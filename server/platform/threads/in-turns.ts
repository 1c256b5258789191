import { setImmediate } from 'node:timers/promises';

/** Work on a hundred rows takes some milliseconds. */
const AT_ONCE = 100;

/** Yields items, and lets other work of the thread go on after every hundred of them: each could otherwise wait for thousands with every statement. */
export async function* inTurns<T>(items: readonly T[]): AsyncGenerator<T> {
  for (let from = 0; from < items.length; from += AT_ONCE) {
    yield* items.slice(from, from + AT_ONCE);
    await setImmediate();
  }
}
