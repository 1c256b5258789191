/** How long the turns of a thread's event loop hold it. */
import { openSync, readSync } from 'node:fs';

/** In milliseconds. */
export interface Blocks {
  /** The longest time between two turns of a timer that comes every millisecond. */
  elapsed: number;
  /** The same without the time in which the thread could have run and had no processor, because other processes had them all. */
  held: number;
}

/** Watches the main thread, which has to be the calling one, until the process ends. Returns how to read what was longest so far. */
export function watchBlocks(): () => Blocks {
  const longest = { elapsed: 0, held: 0 };
  const waitedSoFar = processorWaits();
  let [at, waited] = [performance.now(), waitedSoFar()];
  setInterval(() => {
    const [now, waitedNow] = [performance.now(), waitedSoFar()];
    const elapsed = now - at;
    longest.elapsed = Math.max(longest.elapsed, elapsed);
    longest.held = Math.max(longest.held, elapsed - (waitedNow - waited));
    [at, waited] = [now, waitedNow];
  }, 1).unref();
  return () => longest;
}

/**
 * Returns a function that returns how long the main thread has waited for a processor, in milliseconds. Linux counts that in nanoseconds; waits for a
 * lock, for the disk, or for a helper thread of the garbage collector are not among it.
 */
function processorWaits(): () => number {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(100);
  return () => {
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return Number(buffer.toString('latin1', 0, length).split(' ')[1]) / 1e6;
  };
}
