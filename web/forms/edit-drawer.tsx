import { Alert, Button, Drawer, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useBack } from '../router/use-back.ts';
import { useUnloadWarning } from '../router/use-unload-warning.ts';
import { Failed } from '../ui/states.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { AboutPatient } from './about-patient.tsx';
import { ChangedByOther } from './changed-by-other.tsx';
import classes from './forms.module.css';
import type { Form } from './use-form.ts';

interface Props<T> {
  title: string;
  form: Form<T>;
  /** The label of the save button; absent if the form is read-only. */
  submit?: string;
  wide?: boolean;
  /** The fields that show their own errors. */
  shownFields?: readonly string[];
  /** What saving will change; always visible above the buttons. */
  summary?: ReactNode;
  close: () => void;
  children: ReactNode;
}

/** Returns the errors of fields that have no input in the form, which are listed together. */
const unshownErrors = (errors: Record<string, string>, shown: readonly string[]): [string, string][] =>
  Object.entries(errors).filter(([path]) => !shown.some((field) => path === field || path.startsWith(`${field}.`)));

/** Outside the component, so that it runs once, when the button appears, and not on every later keystroke. */
const focus = (button: HTMLButtonElement | null): void => button?.focus();

/** Marks the first field, where the drawer's focus starts, unless the form has marked another. */
const startAtFirstField = (fields: HTMLDivElement | null): void => {
  if (fields?.querySelector('[data-autofocus]') === null)
    fields.querySelector('input:enabled, select:enabled, textarea:enabled')?.setAttribute('data-autofocus', '');
};

/** The focus goes back to the field that it left. */
const AskToDiscard = ({ keep, discard }: { keep: () => void; discard: () => void }) => {
  useReturnFocus();
  return (
    <div role="alertdialog" aria-label="Unsaved changes" className={classes.asking}>
      <span>You have unsaved changes.</span>
      <Group gap="sm">
        <Button size="xs" ref={focus} variant="default" onClick={keep}>
          Keep editing
        </Button>
        <Button size="xs" variant="default" onClick={discard}>
          Discard changes
        </Button>
      </Group>
    </div>
  );
};

/** A form beside a list. It asks before discarding unsaved changes. */
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
  useReturnFocus();
  const [asking, ask] = useState(false);
  const leave = (): void => {
    if (form.saving) return;
    if (form.dirty && submit) ask(true);
    else close();
  };
  useBack(leave);
  useUnloadWarning(form.dirty && submit !== undefined);
  const unshown = unshownErrors(form.errors, shownFields);
  return (
    <Drawer
      opened
      onClose={leave}
      position="right"
      size={wide ? 720 : 520}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ body: classes.drawerBody }}
    >
      <form onSubmit={form.submit} noValidate className={classes.form}>
        <div className={classes.fields} ref={startAtFirstField}>
          <AboutPatient />
          {children}
        </div>
        <div className={classes.foot}>
          {summary && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <div className={classes.summary} tabIndex={0} role="region" aria-label="What saving does">
              {summary}
            </div>
          )}
          {form.conflict && <ChangedByOther conflict={form.conflict} />}
          {form.failure && <Failed what="Your changes weren't saved." error={form.failure} />}
          {unshown.length > 0 && (
            <Alert role="alert" color="caution" title="Your changes weren't saved." m="md">
              {unshown.map(([path, message]) => (
                <div key={path}>
                  {path}: {message}
                </div>
              ))}
            </Alert>
          )}
          {asking ? (
            <AskToDiscard keep={() => ask(false)} discard={close} />
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
