import { Alert, Button, Drawer, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Failed } from '../ui/states.tsx';
import { ChangedByOther } from './changed-by-other.tsx';
import classes from './forms.module.css';
import type { Form } from './use-form.ts';

interface Props<T> {
  title: string;
  form: Form<T>;
  /** The word on the button that saves; absent where nothing can be saved. */
  submit?: string;
  wide?: boolean;
  /** Errors that the server gave for fields that stand nowhere in the form. */
  shownFields?: readonly string[];
  /** What saving will do: stays in view above the buttons. */
  summary?: ReactNode;
  close: () => void;
  children: ReactNode;
}

/** Errors of fields for which the form has no input of their own: they stand together. */
const others = (errors: Record<string, string>, shown: readonly string[]): [string, string][] =>
  Object.entries(errors).filter(([path]) => !shown.some((field) => path === field || path.startsWith(`${field}.`)));

/** Outside the component, so that it acts once, when the button appears, and not at each keystroke after it. */
const focus = (button: HTMLButtonElement | null): void => button?.focus();

/** A form at the side of a list. What was typed is not lost without a question. */
export const EditDrawer = <T,>({
  title,
  form,
  submit,
  wide = false,
  shownFields = Object.keys(form.values as object),
  summary,
  close,
  children,
}: Props<T>) => {
  const [asking, ask] = useState(false);
  const leave = (): void => {
    if (form.saving) return;
    if (form.dirty && submit) ask(true);
    else close();
  };
  const left = others(form.errors, shownFields);
  return (
    <Drawer
      opened
      onClose={leave}
      position="right"
      size={wide ? 720 : 520}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ body: classes.drawerBody, title: classes.drawerTitle }}
    >
      <form onSubmit={form.submit} noValidate className={classes.form}>
        <div className={classes.fields}>{children}</div>
        <div className={classes.foot}>
          {summary && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <div className={classes.summary} tabIndex={0} role="region" aria-label="What saving does">
              {summary}
            </div>
          )}
          {form.conflict && <ChangedByOther conflict={form.conflict} />}
          {form.failure && <Failed what="Nothing was saved." error={form.failure} />}
          {left.length > 0 && (
            <Alert role="alert" color="caution" title="Nothing was saved." m="md">
              {left.map(([path, message]) => (
                <div key={path}>
                  {path}: {message}
                </div>
              ))}
            </Alert>
          )}
          {asking ? (
            <div role="alertdialog" aria-label="Unsaved changes" className={classes.asking}>
              <span>Your changes are not saved.</span>
              <Group gap="sm">
                <Button size="xs" ref={focus} variant="default" onClick={() => ask(false)}>
                  Keep editing
                </Button>
                <Button size="xs" variant="default" onClick={close}>
                  Discard the changes
                </Button>
              </Group>
            </div>
          ) : (
            <Group gap="sm">
              {submit && (
                <Button type="submit" loading={form.saving}>
                  {submit}
                </Button>
              )}
              <Button variant="default" disabled={form.saving} onClick={leave}>
                {submit ? 'Cancel' : 'Close'}
              </Button>
            </Group>
          )}
        </div>
      </form>
    </Drawer>
  );
};
