import { TextInput } from '@mantine/core';
import type { NamesOf } from '../forms/fields.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import type { Cell } from './row-table.tsx';

interface Props<T> {
  cell: Cell<T>;
  /** The text of the row to edit; undefined is shown as empty. */
  name: NamesOf<T, string | undefined>;
  error: string | undefined;
}

const inputProps = <T,>({ cell: { row, change, label }, name, error }: Props<T>) => ({
  size: 'xs' as const,
  'aria-label': label,
  value: (row[name] as string | undefined) ?? '',
  error,
  onChange: ({ currentTarget }: { currentTarget: { value: string } }): void =>
    change({ [name]: currentTarget.value } as Partial<T>),
});

/** A text field in a row. */
export const TextCell = <T,>({
  maxLength,
  inputMode,
  ...props
}: Props<T> & { maxLength: number; inputMode?: 'numeric' }) => (
  <TextInput {...inputProps(props)} maxLength={maxLength} inputMode={inputMode} />
);

/** A select in a row. */
export const ChoiceCell = <T,>({ data, ...props }: Props<T> & { data: { value: string; label: string }[] }) => (
  <ChoiceField {...inputProps(props)} data={data} />
);
