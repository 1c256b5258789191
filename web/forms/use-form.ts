import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { ErrorKey, Standing } from '#contract/errors.ts';
import { ApiError } from '../api/error.ts';

/** Errors by the path of their field, as in the server's `fields` ('grants.0.roleId'). */
export type FieldErrors = Record<string, string>;

type FieldOfKey = Partial<Record<ErrorKey, string | [field: string, message: string]>>;

interface Options<T, R> {
  initial: T;
  /** Returns the errors that can be found without the server. */
  check?: (values: T) => Record<string, string | undefined>;
  /** The version that was loaded, if the record exists already. */
  version?: string | undefined;
  /** `version`: the version to replace. */
  save: (values: T, version: string | undefined) => Promise<R>;
  saved: (answer: R, values: T) => void | Promise<void>;
  /** Called when someone else saved first, so that what the rest of the page shows is out of date. */
  outdated?: (() => void) | undefined;
  /** Reopens the form with the saved version instead of the user's input. */
  takeTheirs?: (() => Promise<void>) | undefined;
  /** Errors that come as a key but concern one field, such as NAME_TAKEN: the field and, if it needs one, a more specific message. */
  keys?: FieldOfKey;
}

export interface Conflict extends Standing {
  /** Overwrites the other change. */
  keepMine: () => void;
  takeTheirs: (() => Promise<void>) | undefined;
}

export interface Form<T> {
  values: T;
  change: (part: Partial<T>) => void;
  reset: (values: T) => void;
  /** Returns the error of a field. */
  errorOf: (path: string) => string | undefined;
  errors: FieldErrors;
  /** The failure of the whole form; null if the errors of its fields cover it. */
  failure: Error | null;
  /** Set when someone else saved first: their version, and the two ways to continue. */
  conflict: Conflict | null;
  saving: boolean;
  dirty: boolean;
  submit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Shows errors without saving, such as those that prevent a preview. */
  showProblems: (within: HTMLFormElement | null, problems: Record<string, string | undefined>) => void;
}

const errorsOf = (error: Error | null, keys: FieldOfKey): FieldErrors => {
  if (!(error instanceof ApiError)) return {};
  const known = keys[error.errorKey];
  if (!known) return error.fields;
  const [field, message] = typeof known === 'string' ? [known, error.message] : known;
  return { ...error.fields, [field]: message };
};

/**
 * A form that waits for the server: the input stays until the answer comes, errors are shown at their fields, and the first field with
 * an error gets the focus.
 */
export const useForm = <T extends object, R>({
  initial,
  check,
  version,
  save,
  saved,
  outdated,
  takeTheirs,
  keys = {},
}: Options<T, R>): Form<T> => {
  const sent = useRef<HTMLFormElement>(null);
  const [start, setStart] = useState(initial);
  const [values, setValues] = useState(initial);
  const [found, setFound] = useState<FieldErrors>({});
  const mutation = useMutation({
    mutationFn: ({ sent: what, over }: { sent: T; over: string | undefined }) => save(what, over),
    onSuccess: (answer, { sent: what }) => saved(answer, what),
    onError: (error) => {
      if (error instanceof ApiError && error.errorKey === 'CHANGED_BY_OTHER') outdated?.();
    },
  });
  const standing = mutation.error instanceof ApiError ? mutation.error.standing : undefined;
  const errors = { ...found, ...errorsOf(mutation.error, keys) };
  const count = Object.keys(errors).length;
  const show = (problems: Record<string, string | undefined>): boolean => {
    const wrong = Object.entries(problems).filter((pair): pair is [string, string] => Boolean(pair[1]));
    setFound(Object.fromEntries(wrong));
    return wrong.length === 0;
  };
  useEffect(() => {
    if (count > 0) sent.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [count]);
  return {
    values,
    change: (part) => setValues((was) => ({ ...was, ...part })),
    reset: (next) => {
      setStart(next);
      setValues(next);
      setFound({});
      mutation.reset();
    },
    errorOf: (path) => errors[path],
    errors,
    failure:
      mutation.error && !standing && Object.keys(errorsOf(mutation.error, keys)).length === 0 ? mutation.error : null,
    conflict: standing
      ? { ...standing, keepMine: () => mutation.mutate({ sent: values, over: standing.version }), takeTheirs }
      : null,
    saving: mutation.isPending,
    dirty: JSON.stringify(values) !== JSON.stringify(start),
    submit: (event) => {
      event.preventDefault();
      sent.current = event.currentTarget;
      if (mutation.isPending) return;
      mutation.reset();
      if (show(check?.(values) ?? {})) mutation.mutate({ sent: values, over: version });
    },
    showProblems: (within, problems) => {
      sent.current = within;
      show(problems);
    },
  };
};
