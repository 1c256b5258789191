import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import classes from './divider.module.css';

const MIN_SHARE = 30;
const MAX_SHARE = 70;
const clamp = (share: number): number => Math.round(Math.min(MAX_SHARE, Math.max(MIN_SHARE, share)));
const STEPS: Record<string, (share: number, step: number) => number> = {
  ArrowLeft: (share, step) => share - step,
  ArrowRight: (share, step) => share + step,
  Home: () => MIN_SHARE,
  End: () => MAX_SHARE,
};

interface Props {
  /** Width of the part on the left, in percent, from 30 to 70. */
  share: number;
  setShare: (share: number) => void;
  /** The share that a double-click resets to. */
  initial: number;
  label: string;
}

/** The line between two side-by-side parts of a page, moved by pointer or arrow keys (further with Shift). */
export const Divider = ({ share, setShare, initial, label }: Props) => {
  const line = useRef<HTMLDivElement>(null);
  const drag = ({ clientX, buttons }: PointerEvent): void => {
    const whole = line.current?.parentElement?.getBoundingClientRect();
    if (whole && buttons === 1) setShare(clamp(((clientX - whole.left) / whole.width) * 100));
  };
  const step = (event: KeyboardEvent): void => {
    const to = STEPS[event.key];
    if (!to) return;
    event.preventDefault();
    setShare(clamp(to(share, event.shiftKey ? 10 : 2)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved
    <div
      ref={line}
      className={classes.divider}
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={share}
      aria-valuemin={MIN_SHARE}
      aria-valuemax={MAX_SHARE}
      tabIndex={0}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => setShare(initial)}
      onKeyDown={step}
    />
  );
};
