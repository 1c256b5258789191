/** A thread whose tasks end or never do, as the test says. */
import { performTasks } from '#server/platform/threads/in-task-thread.ts';

performTasks(({ says, forever, fails }: { says: string; forever?: boolean; fails?: boolean }) => {
  if (fails) throw new Error(says);
  while (forever);
  return says;
});
