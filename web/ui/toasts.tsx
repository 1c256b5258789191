import { type ReactNode, useSyncExternalStore } from 'react';
import { reportError } from '../errors/report.ts';

const TYPES = ['success', 'warning', 'info', 'patient-safety'] as const;
/** What a toast says; no patient data beyond a family name. */
export interface Toast {
  type: (typeof TYPES)[number];
  message: string;
  action?: { label: string; run: () => void };
  /** More than words, below the message. */
  content?: ReactNode;
  /** Its time went by and nobody pressed anything. */
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

/** Shows a toast and answers how to take it away; at most three stand, the oldest goes. */
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

/** Takes a toast away. */
export const hideToast = (id: number): void => set(shown.filter((other) => other.id !== id));
/** The toasts that stand now. */
export const useToasts = (): ShownToast[] => useSyncExternalStore(watch, () => shown);
