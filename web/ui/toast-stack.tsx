import { ActionIcon, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { TOAST_DURATION } from '#contract/constants.ts';
import { IconAlertOctagonFilled, IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from './icons.ts';
import classes from './toasts.module.css';
import { hideToast, type ShownToast, useToasts } from './toasts.tsx';

const ICONS = {
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
  'patient-safety': IconAlertOctagonFilled,
};

const One = ({ toast }: { toast: ShownToast }) => {
  const [held, hold] = useState(false);
  const close = (): void => hideToast(toast.id);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => {
      hideToast(toast.id);
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
    {useToasts().map((toast) => (
      <One key={toast.id} toast={toast} />
    ))}
  </div>
);
