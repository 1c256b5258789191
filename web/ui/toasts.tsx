import { type ReactNode, useSyncExternalStore } from 'react';
import { reportError } from '../errors/report.ts';

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

let shown: ShownToast[] = [];
let lastId = 0;
const watchers = new Set<() => void>();
const set = (next: ShownToast[]): void => {
  shown = next;
  for (const watcher of watchers) watcher();
};
const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** Shows a toast and returns a function that hides it. At most three are shown: a fourth replaces the oldest. */
export const showToast = (toast: Toast): (() => void) => {
  if (!TYPES.includes(toast.type)) {
    reportError('component', `Unknown toast type ${toast.type}`);
    return () => {};
  }
  lastId += 1;
  const id = lastId;
  set([...shown.slice(-2), { ...toast, id }]);
  return () => hideToast(id);
};

/** Hides a toast. */
export const hideToast = (id: number): void => set(shown.filter((other) => other.id !== id));
/** Returns the toasts on the screen. */
export const useToasts = (): ShownToast[] => useSyncExternalStore(watch, () => shown);
