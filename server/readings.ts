/** What is read in threads of their own, because anyone may send a file that takes long: documents, and the forms of instructions. */
import { type FormTask, refusalOfForm } from './work/care/forms.ts';
import { type ReadingTask, readStored } from './work/documents/read-stored.ts';

/** Performs a task in the current thread. */
export const performReading = (task: ReadingTask | FormTask): unknown =>
  task.kind === 'form' ? refusalOfForm(task) : readStored(task);
