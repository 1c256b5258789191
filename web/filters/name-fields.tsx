import { TextInput } from '@mantine/core';
import { type Ref, useState } from 'react';
import { formatDate } from '../ui/format/date.ts';
import { IconSearch } from '../ui/icons.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { type Criteria, withText } from './criteria.ts';
import classes from './name-fields.module.css';
import { readTypedDate, TYPED_DATE } from './typed-date.ts';
import type { ListFilters } from './use-filters.ts';

/** Fewer letters would match almost everyone. */
const MIN_LETTERS = 2;

/** Name or identifier, and date of birth. Neither ever appears in the URL. */
export const NameFields = ({ filters, field }: { filters: ListFilters; field?: Ref<HTMLInputElement> }) => {
  const { criteria, change } = filters;
  const [error, setError] = useState<string | null>(null);
  const apply = (next: Criteria): void => change(next, true);
  const name = useDebounced(criteria.text, (typed) => {
    const text = typed.trim();
    if (text !== criteria.text && (text === '' || text.length >= MIN_LETTERS))
      apply(withText(criteria, text, filters.kind.defaults.sort));
  });
  const applyDate = (typed: string): void => {
    const date = readTypedDate(typed, new Date());
    const wrong = typed.trim() !== '' && date === null;
    setError(wrong ? 'Not a valid date. Use MM/DD/YYYY.' : null);
    if (!wrong && date !== criteria.dateOfBirth) apply({ ...criteria, dateOfBirth: date });
  };
  const born = useDebounced(criteria.dateOfBirth ? formatDate(criteria.dateOfBirth) : '', applyDate, TYPED_DATE);
  return (
    <div className={classes.fields} role="search">
      <TextInput
        ref={field}
        size="xs"
        className={classes.nameField}
        type="search"
        aria-label="Name or identifier"
        placeholder="Name, MRN, or member ID"
        leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={name.text}
        onChange={({ currentTarget }) => name.setText(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && name.flush()}
      />
      <TextInput
        size="xs"
        className={classes.bornField}
        aria-label="Date of birth, MM/DD/YYYY"
        placeholder="Born MM/DD/YYYY"
        autoComplete="off"
        inputMode="numeric"
        maxLength={10}
        error={error}
        value={born.text}
        onChange={({ currentTarget }) => born.setText(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && born.flush()}
        onBlur={born.flush}
      />
    </div>
  );
};
