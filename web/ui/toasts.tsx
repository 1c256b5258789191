import type { ReactNode } from 'react';
import { reportError } from '../errors/report.ts';
import { onForget } from './forget.ts';
import { createStore } from './store.ts';

const TYPES = ['success', 'warning', 'info', 'patient-safety'] as const;
/** A toast. It may contain no patient data beyond a family name. */
export interface Toast {
  type: (typeof TYPES)[number];
  message: string;
  action?: { label: string; run: () => void };
  /** Whether it stays until it is closed or its action runs: what someone did was not saved. */
  stays?: boolean;
  /** Shown below the message. */
  content?: ReactNode;
  /** Called when the toast disappears without having been closed. */
  onTimeout?: () => void;
}
export type ShownToast = Toast & { id: number };

/** The toasts on the screen, and after them those that wait. */
const all = createStore<ShownToast[]>([]);
let lastId = 0;
onForget(() => all.set([]));

/**
 * Shows a toast and returns a function that hides it. At most three are on the screen, two of them for longer: others wait until one of them
 * has gone, and an Undo always finds a place.
 */
export const showToast = (toast: Toast): (() => void) => {
  if (!TYPES.includes(toast.type)) {
    reportError('component', `Unknown toast type ${toast.type}`);
    return () => {};
  }
  lastId += 1;
  const id = lastId;
  all.set([...all.get(), { ...toast, id }]);
  return () => hideToast(id);
};

/** Hides a toast. */
export const hideToast = (id: number): void => all.set(all.get().filter((other) => other.id !== id));
/** Returns the toasts on the screen. */
export const useToasts = (): ShownToast[] => {
  let staying = 0;
  return all
    .use()
    .filter(({ stays }) => !stays || ++staying < 3)
    .slice(0, 3);
};
