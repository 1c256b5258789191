import { ActionIcon, Button } from '@mantine/core';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { TOAST_DURATION } from '#contract/constants.ts';
import { reportError } from '../errors/report.ts';
import { IconAlertOctagonFilled, IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from './icons.ts';
import classes from './toasts.module.css';

/** What a toast says; no patient data beyond a family name. */
export interface Toast {
  type: 'success' | 'warning' | 'info' | 'patient-safety';
  message: string;
  action?: { label: string; run: () => void };
  /** More than words, below the message. */
  content?: ReactNode;
  /** Its time went by and nobody pressed anything. */
  onTimeout?: () => void;
}
type Shown = Toast & { id: number };

const ICONS = {
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
  'patient-safety': IconAlertOctagonFilled,
};
let shown: Shown[] = [];
let lastId = 0;
const watchers = new Set<() => void>();
const set = (next: Shown[]): void => {
  shown = next;
  for (const watcher of watchers) watcher();
};
const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** Shows a toast and answers how to take it away; at most three stand, the oldest goes. */
export const showToast = (toast: Toast): (() => void) => {
  if (!Object.hasOwn(ICONS, toast.type)) {
    reportError('component', `Unknown toast type ${toast.type}`);
    return () => {};
  }
  lastId += 1;
  const id = lastId;
  set([...shown.slice(-2), { ...toast, id }]);
  return () => set(shown.filter((other) => other.id !== id));
};

const One = ({ toast }: { toast: Shown }) => {
  const [held, hold] = useState(false);
  const close = (): void => set(shown.filter(({ id }) => id !== toast.id));
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => {
      set(shown.filter(({ id }) => id !== toast.id));
      toast.onTimeout?.();
    }, TOAST_DURATION);
    return () => clearTimeout(timer);
  }, [held, toast]);
  const Icon = ICONS[toast.type];
  return (
    // biome-ignore lint/a11y: hovering only holds the clock; nothing is operated by it
    <div
      className={classes.toast}
      data-type={toast.type}
      role={toast.type === 'warning' || toast.type === 'patient-safety' ? 'alert' : 'status'}
      onMouseEnter={() => hold(true)}
      onMouseLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
      <span className={classes.message}>
        {toast.message}
        {toast.content}
      </span>
      {toast.action && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            close();
            toast.action?.run();
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <ActionIcon aria-label="Close this message" onClick={close}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
};

/** Where toasts stand: 10rem from the top, for ten seconds, held while the pointer or the focus is on them. */
export const Toasts = () => (
  <div className={classes.stack}>
    {useSyncExternalStore(watch, () => shown).map((toast) => (
      <One key={toast.id} toast={toast} />
    ))}
  </div>
);
