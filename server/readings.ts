/** What is read in threads of their own, because anyone may send a file that takes long: documents, the forms of instructions, and FHIR messages. */
import { describeFhir, type FhirTask } from './intake/fhir/describe.ts';
import { type FormTask, refusalOfForm } from './work/care/forms.ts';
import { type ReadingTask, readStored } from './work/documents/read-stored.ts';

/** Performs a task in the current thread. */
export function performReading(task: ReadingTask | FormTask | FhirTask): unknown {
  if (task.kind === 'fhir') return describeFhir(task);
  return task.kind === 'form' ? refusalOfForm(task) : readStored(task);
}
