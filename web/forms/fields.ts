import type { Form } from './use-form.ts';

/** Names of the values of a form, or of a row of it, that are of one kind. */
export type NamesOf<T, V> = { [K in keyof T]: T[K] extends V ? K : never }[keyof T] & string;

/** What an input of a text, or of one of several texts, takes of the form: its value, its error, and what a change does. */
export const textOf = <T, K extends NamesOf<T, string>>({ values, errorOf, change }: Form<T>, name: K) => ({
  value: values[name],
  error: errorOf(name),
  onChange: ({ currentTarget }: { currentTarget: { value: string } }): void =>
    change({ [name]: currentTarget.value } as Partial<T>),
});

/** What a box to tick, or a switch, takes of the form. */
export const tickOf = <T, K extends NamesOf<T, boolean>>({ values, change }: Form<T>, name: K) => ({
  checked: values[name],
  onChange: ({ currentTarget }: { currentTarget: { checked: boolean } }): void =>
    change({ [name]: currentTarget.checked } as Partial<T>),
});
