/** A thread whose tasks end or never do, as the test says. */
import { performTasks } from '#server/platform/threads/in-task-thread.ts';

performTasks(({ says, forever, fails }: { says: string; forever?: boolean; fails?: boolean }) => {
  if (fails) throw new Error(says);
  // Atomics.wait blocks the thread as endless work would.
  if (forever) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return says;
});
