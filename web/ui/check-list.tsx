import { Button, Checkbox, Input, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { type Choice, leftOutWords } from './choice-field.tsx';
import { containsText } from './contains-text.ts';
import { LONGEST_LIST, MOST_SHOWN } from './long-lists.ts';
import classes from './options.module.css';
import { OptionNote } from './options.tsx';

interface Props {
  /** In plural and lower case, e.g. 'groups'. */
  what: string;
  label?: string;
  description?: string;
  error?: string | undefined;
  options: readonly Choice[];
  selected: readonly string[];
  change: (selected: string[]) => void;
}

const Boxes = ({ options, selected, change }: Pick<Props, 'options' | 'selected' | 'change'>) =>
  options.map(({ value, label }) => (
    <Checkbox
      key={value}
      label={label}
      checked={selected.includes(value)}
      onChange={({ currentTarget }) =>
        change(currentTarget.checked ? [...selected, value] : selected.filter((one) => one !== value))
      }
    />
  ));

/** Checkboxes with a search above them. What was selected at first comes first, and keeps its place when it is cleared. */
const LongList = ({ what, options, selected, change }: Props) => {
  const [text, setText] = useState('');
  const [first] = useState(() => new Set(selected));
  const found = options.filter(({ label }) => containsText(label, text.trim()));
  const sorted = [...found.filter(({ value }) => first.has(value)), ...found.filter(({ value }) => !first.has(value))];
  const shown = sorted.slice(0, MOST_SHOWN);
  const values = found.map(({ value }) => value);
  const isAll = values.every((value) => selected.includes(value));
  return (
    <>
      <TextInput
        size="xs"
        type="search"
        aria-label={`Search ${what}`}
        placeholder={`Search ${options.length.toLocaleString('en-US')} ${what}`}
        maxLength={100}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className={classes.line}>
        <span role="status">{selected.length.toLocaleString('en-US')} selected</span>
        {!isAll && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => change([...new Set([...selected, ...values])])}
          >{`Select all ${values.length.toLocaleString('en-US')}${text.trim() ? ' found' : ''}`}</Button>
        )}
        {selected.length > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => change([])}>
            Clear
          </Button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div className={`${classes.checks} ${classes.long}`} tabIndex={0} role="group" aria-label={`Found ${what}`}>
        <Boxes options={shown} selected={selected} change={change} />
        {found.length === 0 && 'No matches. Try fewer letters.'}
      </div>
      <OptionNote>{leftOutWords(shown.length, found.length)}</OptionNote>
    </>
  );
};

/** Chooses any number of things by checkboxes; with a search where there are many. */
export const CheckList = (props: Props) => {
  const { label, description, error, options, selected, change, what } = props;
  const name = useId();
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id: name }}
      description={description}
      error={error}
      role="group"
      aria-labelledby={label ? name : undefined}
      aria-label={label ? undefined : what}
    >
      {options.length > LONGEST_LIST ? (
        <LongList {...props} />
      ) : (
        <div className={classes.checks}>
          <Boxes options={options} selected={selected} change={change} />
        </div>
      )}
    </Input.Wrapper>
  );
};
