import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { ErrorKey, Standing } from '#contract/errors.ts';
import { ApiError } from '../api/error.ts';

/** What is wrong with a form, by the path of the field, as the server words it in `fields` ('grants.0.roleId'). */
export type FieldErrors = Record<string, string>;

type FieldOfKey = Partial<Record<ErrorKey, string | [field: string, message: string]>>;

interface Options<T, R> {
  initial: T;
  /** What can be told before asking the server. */
  check?: (values: T) => Record<string, string | undefined>;
  /** The version that was read, of what is there already. */
  version?: string | undefined;
  /** `version`: the one to be replaced. */
  save: (values: T, version: string | undefined) => Promise<R>;
  saved: (answer: R, values: T) => void | Promise<void>;
  /** Somebody else saved first: what the page shows besides is old. */
  outdated?: (() => void) | undefined;
  /** Opens the form again with what stands now, instead of what was typed. */
  takeTheirs?: (() => Promise<void>) | undefined;
  /** Errors that concern one field but come as a key, e.g. NAME_TAKEN: the field, and words that fit it better than the general ones. */
  keys?: FieldOfKey;
}

export interface Conflict extends Standing {
  /** Saves over what stands. */
  keepMine: () => void;
  takeTheirs: (() => Promise<void>) | undefined;
}

export interface Form<T> {
  values: T;
  change: (part: Partial<T>) => void;
  reset: (values: T) => void;
  /** Of a field: its error, linked to it by Mantine's inputs. */
  errorOf: (path: string) => string | undefined;
  errors: FieldErrors;
  /** What failed as a whole; null where the fields say it all. */
  failure: Error | null;
  /** Somebody else saved first: what stands, and the two ways on. Null where nobody did. */
  conflict: Conflict | null;
  saving: boolean;
  dirty: boolean;
  submit: (event: SubmitEvent<HTMLFormElement>) => void;
}

const errorsOf = (error: Error | null, keys: FieldOfKey): FieldErrors => {
  if (!(error instanceof ApiError)) return {};
  const known = keys[error.errorKey];
  if (!known) return error.fields;
  const [field, message] = typeof known === 'string' ? [known, error.message] : known;
  return { ...error.fields, [field]: message };
};

/**
 * A form that saves pessimistically: what was typed stays until the server has answered, errors stand at their fields and the first
 * of them gets the focus.
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
      const wrong: FieldErrors = {};
      for (const [path, message] of Object.entries(check?.(values) ?? {})) if (message) wrong[path] = message;
      setFound(wrong);
      if (Object.keys(wrong).length === 0) mutation.mutate({ sent: values, over: version });
    },
  };
};
