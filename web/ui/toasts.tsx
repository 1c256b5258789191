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

const shown = createStore<ShownToast[]>([]);
let lastId = 0;
onForget(() => shown.set([]));

/** Shows a toast and returns a function that hides it. At most three are shown: a fourth replaces the oldest. */
export const showToast = (toast: Toast): (() => void) => {
  if (!TYPES.includes(toast.type)) {
    reportError('component', `Unknown toast type ${toast.type}`);
    return () => {};
  }
  lastId += 1;
  const id = lastId;
  shown.set([...shown.get().slice(-2), { ...toast, id }]);
  return () => hideToast(id);
};

/** Hides a toast. */
export const hideToast = (id: number): void => shown.set(shown.get().filter((other) => other.id !== id));
/** Returns the toasts on the screen. */
export const useToasts = shown.use;
