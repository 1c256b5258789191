import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import classes from './dialog.module.css';

/**
 * A question above everything else, on the browser's own modal dialog: what is below cannot be reached, Escape closes, and the focus goes
 * back to where it was. What stands in it with `data-autofocus` has the focus.
 */
export const Dialog = ({ title, close, children }: { title: string; close: () => void; children: ReactNode }) => {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      // A browser lets a second Escape through whatever we say; what still stands then is shown again.
      onClose={({ currentTarget }) => currentTarget.isConnected && currentTarget.showModal()}
    >
      <div className={classes.body}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};
