import type { Patient } from '#contract/patients.ts';
import { showToast } from '../ui/toasts.tsx';
import { nameOf } from './save-statuses.ts';

/** Hides the message that is shown of each patient. */
const shown = new Map<string, () => void>();

/** Hides the message about a change of a patient that was not saved: it is tried again, or discarded. */
export const hideNotSaved = (patientId: string): void => {
  shown.get(patientId)?.();
  shown.delete(patientId);
};

/** Says that a change was not saved, until the message is closed or the change tried again. `retry`: null where it would be refused again. */
export const sayNotSaved = (patient: Patient, message: string, retry: (() => void) | null): void => {
  hideNotSaved(patient.id);
  const hide = showToast({
    type: 'warning',
    message: `${nameOf(patient)}: ${message}`,
    stays: true,
    ...(retry && { action: { label: 'Retry', run: retry } }),
  });
  shown.set(patient.id, hide);
};

/** What a user does with a page, also by an assistive device or the browser's Back. */
const INPUTS = ['keydown', 'pointerdown', 'click', 'wheel', 'popstate'];

/** Returns a function that ends the watch and says whether the user has done nothing since: they may be reading another patient. */
export const watchUser = (): (() => boolean) => {
  const watch = new AbortController();
  for (const type of INPUTS)
    addEventListener(type, () => watch.abort(), { capture: true, passive: true, signal: watch.signal });
  return () => {
    const isUntouched = !watch.signal.aborted;
    watch.abort();
    return isUntouched;
  };
};
