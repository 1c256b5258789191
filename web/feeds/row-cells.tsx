import { NativeSelect, TextInput } from '@mantine/core';
import type { NamesOf } from '../forms/fields.ts';
import type { Cell } from './row-table.tsx';

interface Props<T> {
  cell: Cell<T>;
  /** Which of the row's texts is edited; one that is left out is empty. */
  name: NamesOf<T, string | undefined>;
  error: string | undefined;
}

const tied = <T,>({ cell: { row, change, label }, name, error }: Props<T>) => ({
  size: 'xs',
  'aria-label': label,
  value: (row[name] as string | undefined) ?? '',
  error,
  onChange: ({ currentTarget }: { currentTarget: { value: string } }): void =>
    change({ [name]: currentTarget.value } as Partial<T>),
});

/** A text of a row. */
export const TextCell = <T,>({
  maxLength,
  inputMode,
  ...props
}: Props<T> & { maxLength: number; inputMode?: 'numeric' }) => (
  <TextInput {...tied(props)} maxLength={maxLength} inputMode={inputMode} />
);

/** One of several texts, each with the words that stand for it. */
export const ChoiceCell = <T,>({ data, ...props }: Props<T> & { data: { value: string; label: string }[] }) => (
  <NativeSelect {...tied(props)} data={data} />
);
