/** A thread in which files are read (`readings.ts`). */
import { performTasks } from './platform/threads/in-task-thread.ts';
import { performReading } from './readings.ts';

performTasks(performReading);
