import { useEffect, useState } from 'react';
import { IconAlertOctagonFilled, IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from './icons.ts';
import { ActionIcon, Button } from './plain/button.tsx';
import classes from './toasts.module.css';
import { hideToast, type ShownToast, useToasts } from './toasts.tsx';

/** In milliseconds. */
const TOAST_DURATION = 10_000;
const ICONS = {
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
  'patient-safety': IconAlertOctagonFilled,
};

const ToastItem = ({ toast }: { toast: ShownToast }) => {
  const [paused, pause] = useState(false);
  const close = (): void => hideToast(toast.id);
  useEffect(() => {
    if (paused || toast.stays) return;
    const timer = setTimeout(() => {
      hideToast(toast.id);
      toast.onTimeout?.();
    }, TOAST_DURATION);
    return () => clearTimeout(timer);
  }, [paused, toast]);
  const Icon = ICONS[toast.type];
  return (
    // biome-ignore lint/a11y: hovering only pauses the timer, it operates nothing
    <div
      className={classes.toast}
      data-layer
      data-type={toast.type}
      role={toast.type === 'warning' || toast.type === 'patient-safety' ? 'alert' : 'status'}
      onMouseEnter={() => pause(true)}
      onMouseLeave={() => pause(false)}
      onFocus={() => pause(true)}
      onBlur={() => pause(false)}
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

/** The toasts, 10rem from the top, each for ten seconds unless it stays; the timer pauses while a toast has the pointer or the focus. */
export const Toasts = () => (
  <div className={classes.stack}>
    {useToasts().map((toast) => (
      <ToastItem key={toast.id} toast={toast} />
    ))}
  </div>
);
