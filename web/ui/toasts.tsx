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

/** Shows a toast and returns a function that hides it. At most three are on the screen: a fourth waits until one of them has gone. */
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
export const useToasts = (): ShownToast[] => all.use().slice(0, 3);
