import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useBack } from '../router/use-back.ts';
import classes from './dialog.module.css';

/**
 * A modal question on the browser's own dialog: the page below is inert, Escape and Back close it, and the focus returns to where it
 * was. The focus starts at the element with `data-autofocus`.
 */
export const Dialog = ({ title, close, children }: { title: string; close: () => void; children: ReactNode }) => {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useBack(close);
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
      // A second Escape closes a native dialog even if it was prevented; a dialog that is still needed is shown again.
      onClose={({ currentTarget }) => currentTarget.isConnected && currentTarget.showModal()}
    >
      <div className={classes.body}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};
