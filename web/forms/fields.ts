import type { Form } from './use-form.ts';

/** The names of a form's values that have type `V`. */
export type NamesOf<T, V> = { [K in keyof T]: T[K] extends V ? K : never }[keyof T] & string;

/** Returns the props that connect a text input, or a select, to the form: value, error and change handler. */
export const textOf = <T, K extends NamesOf<T, string>>(
  { values, errorOf, change }: Pick<Form<T>, 'values' | 'errorOf' | 'change'>,
  name: K,
) => ({
  value: values[name],
  error: errorOf(name),
  onChange: ({ currentTarget }: { currentTarget: { value: string } }): void =>
    change({ [name]: currentTarget.value } as Partial<T>),
});

/** Returns the props that connect a checkbox or a switch to the form. */
export const tickOf = <T, K extends NamesOf<T, boolean>>({ values, change }: Form<T>, name: K) => ({
  checked: values[name],
  onChange: ({ currentTarget }: { currentTarget: { checked: boolean } }): void =>
    change({ [name]: currentTarget.checked } as Partial<T>),
});
