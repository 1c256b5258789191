import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import classes from './divider.module.css';

const LEAST = 30;
const MOST = 70;
const inside = (share: number): number => Math.round(Math.min(MOST, Math.max(LEAST, share)));
const STEPS: Record<string, (share: number, step: number) => number> = {
  ArrowLeft: (share, step) => share - step,
  ArrowRight: (share, step) => share + step,
  Home: () => LEAST,
  End: () => MOST,
};

interface Props {
  /** Per cent of the width that what stands before it has, from 30 to 70. */
  share: number;
  setShare: (share: number) => void;
  /** The share that a double press brings back. */
  initial: number;
  label: string;
}

/** The line between two parts of a page side by side: moved by pointer or arrow keys (with Shift, further). */
export const Divider = ({ share, setShare, initial, label }: Props) => {
  const line = useRef<HTMLDivElement>(null);
  const drag = ({ clientX, buttons }: PointerEvent): void => {
    const whole = line.current?.parentElement?.getBoundingClientRect();
    if (whole && buttons === 1) setShare(inside(((clientX - whole.left) / whole.width) * 100));
  };
  const step = (event: KeyboardEvent): void => {
    const to = STEPS[event.key];
    if (!to) return;
    event.preventDefault();
    setShare(inside(to(share, event.shiftKey ? 10 : 2)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that is moved is no <hr>
    <div
      ref={line}
      className={classes.divider}
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={share}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => setShare(initial)}
      onKeyDown={step}
    />
  );
};
