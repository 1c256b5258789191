import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import classes from './split-pane.module.css';

const LEAST = 30;
const USUAL = 44;
const STEP = 2;
const within = (share: number): number => Math.min(100 - LEAST, Math.max(LEAST, share));

/** Two panes beside each other; the line between them is moved by pointer and by arrow keys, a double press puts it back. */
export const SplitPane = ({ first, second, alone }: { first: ReactNode; second: ReactNode; alone: boolean }) => {
  const box = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(USUAL);
  const drag = (event: PointerEvent): void => {
    const area = box.current?.getBoundingClientRect();
    if (area && event.buttons === 1) setShare(within(((event.clientX - area.left) / area.width) * 100));
  };
  const keys = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: share - STEP, ArrowRight: share + STEP, Home: LEAST, End: 100 - LEAST }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setShare(within(to));
  };
  return (
    <div ref={box} className={classes.split}>
      <div className={classes.pane} style={{ flexBasis: alone ? '100%' : `${share}%` }}>
        {first}
      </div>
      {!alone && (
        <>
          <div
            role="separator"
            tabIndex={0}
            aria-orientation="vertical"
            aria-label="Width of the list"
            aria-valuenow={Math.round(share)}
            aria-valuemin={LEAST}
            aria-valuemax={100 - LEAST}
            className={classes.line}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
            onDoubleClick={() => setShare(USUAL)}
            onKeyDown={keys}
          />
          <div className={classes.rest}>{second}</div>
        </>
      )}
    </div>
  );
};
