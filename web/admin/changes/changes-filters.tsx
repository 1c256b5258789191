import { NativeSelect, TextInput } from '@mantine/core';
import { LOG_KINDS, type LogKind } from '#contract/audit-log-kinds.ts';
import { LOG_KIND_LABELS } from '#contract/audit-log-words.ts';
import { type Typing, useDebounced } from '../../ui/use-debounced.ts';
import classes from './changes.module.css';
import { type ChangesFilter, type FilterPart, isDay } from './changes-search.ts';
import { PersonField } from './person-field.tsx';

/** A day is applied once it is whole; one that is not is dropped when the field is left. */
const DAYS: Typing = {
  isWhole: (text) => text === '' || isDay(text),
  written: (text) => (isDay(text) ? text : ''),
};

interface DayProps {
  label: string;
  value: string | undefined;
  error?: string | undefined;
  choose: (day: string | undefined) => void;
}

const DayField = ({ label, value = '', error, choose }: DayProps) => {
  const { text, setText, flush } = useDebounced(value, (day) => choose(day || undefined), DAYS);
  return (
    <TextInput
      type="date"
      label={label}
      error={error}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={flush}
    />
  );
};

/** What limits the audit log. */
export const ChangesFilters = ({ filter, change }: { filter: ChangesFilter; change: (part: FilterPart) => void }) => {
  const { user, by, kind, from, to } = filter;
  return (
    <div className={classes.filters} role="search" aria-label="Audit log">
      <PersonField label="Done by" id={by} choose={(id) => change({ by: id })} />
      <PersonField label="About account" id={user} choose={(id) => change({ user: id })} />
      <NativeSelect
        label="Kind"
        value={kind ?? ''}
        onChange={({ currentTarget }) => change({ kind: (currentTarget.value as LogKind | '') || undefined })}
        data={[
          { value: '', label: 'All kinds' },
          ...LOG_KINDS.map((each) => ({ value: each, label: LOG_KIND_LABELS[each] })),
        ]}
      />
      <DayField label="From" value={from} choose={(day) => change({ from: day })} />
      <DayField
        label="To"
        value={to}
        error={from && to && to < from ? 'This is before the first day.' : undefined}
        choose={(day) => change({ to: day })}
      />
    </div>
  );
};
