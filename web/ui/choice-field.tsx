import { NativeSelect, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { containsText } from './contains-text.ts';
import { IconChevronDown } from './icons.ts';
import { LONGEST_LIST, MOST_SHOWN } from './long-lists.ts';
import classes from './options.module.css';
import { OptionList, OptionNote, useOptionKeys } from './options.tsx';

export interface Choice {
  value: string;
  label: string;
}

interface Props {
  label?: string;
  /** Where there is no visible label. */
  'aria-label'?: string;
  description?: string;
  error?: string | undefined;
  size?: 'xs' | 'sm';
  mt?: string;
  mb?: string;
  maw?: number;
  disabled?: boolean;
  data: readonly Choice[];
  value: string;
  /** Gets what an event of a select has, so that `textOf` connects either. */
  onChange: (event: { currentTarget: { value: string } }) => void;
}

/** What says that options are left out; null if none are. */
export const leftOutWords = (shown: number, all: number): string | null =>
  shown < all ? `${shown} of ${all.toLocaleString('en-US')}. Type part of a name to find others.` : null;

const useCombobox = ({ data, value, onChange }: Pick<Props, 'data' | 'value' | 'onChange'>) => {
  /** Null while the list is closed and the field shows the choice. */
  const [typed, type] = useState<string | null>(null);
  const current = data.find((one) => one.value === value);
  const found = typed === null ? [] : data.filter(({ label }) => containsText(label, typed.trim()));
  const options = found.slice(0, MOST_SHOWN);
  const close = (): void => type(null);
  const take = (option: Choice | undefined): void => {
    if (!option) return;
    close();
    onChange({ currentTarget: { value: option.value } });
  };
  const keys = useOptionKeys({ options, take, close });
  const open = (): void => {
    if (typed !== null) return;
    type('');
    keys.setActive(0);
  };
  const nothing = typed !== null && found.length === 0 ? 'No matches. Try fewer letters.' : null;
  return {
    text: typed ?? current?.label ?? '',
    isOpen: typed !== null,
    type: (text: string): void => {
      type(text);
      keys.setActive(0);
    },
    open,
    close,
    options,
    take,
    keys,
    message: nothing ?? leftOutWords(options.length, found.length),
    onKeyDown: (event: KeyboardEvent): void => {
      if (typed === null && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
        event.preventDefault();
        open();
      } else keys.onKeyDown(event);
    },
  };
};

/** Outside the component, so that it runs once, when the list opens: it may lie below the end of a drawer. */
const show = (list: HTMLElement | null): void => list?.scrollIntoView?.({ block: 'nearest' });

/** A field whose list is searched by typing. The value changes only when an option is chosen. */
const Combobox = ({ data, value, onChange, mt, mb, maw, label, 'aria-label': ariaLabel, ...input }: Props) => {
  const { keys, ...box } = useCombobox({ data, value, onChange });
  return (
    <div className={classes.field} style={{ marginTop: space(mt), marginBottom: space(mb), maxWidth: maw }}>
      <TextInput
        {...input}
        {...keys.field}
        label={label}
        aria-label={ariaLabel}
        rightSection={<IconChevronDown size={14} stroke={1.75} aria-hidden />}
        rightSectionPointerEvents="none"
        placeholder={box.isOpen ? (data.find((one) => one.value === value)?.label ?? 'Search') : undefined}
        value={box.text}
        onClick={box.open}
        onBlur={box.close}
        onChange={({ currentTarget }) => box.type(currentTarget.value)}
        onKeyDown={box.onKeyDown}
      />
      {box.isOpen && (
        <div ref={show} className={classes.over}>
          <OptionList
            id={keys.id}
            label={`Choices for ${label ?? ariaLabel ?? ''}`}
            options={box.options.map((one) => ({ key: one.value, label: one.label, selected: one.value === value }))}
            active={keys.active}
            take={(at) => box.take(box.options[at])}
          />
          <OptionNote>{box.message}</OptionNote>
        </div>
      )}
    </div>
  );
};

const space = (size: string | undefined): string | undefined => size && `var(--mantine-spacing-${size})`;

/** Chooses one of several: a plain select, or a field that looks choices up by name where there are many. */
export const ChoiceField = (props: Props) =>
  props.data.length > LONGEST_LIST ? <Combobox {...props} /> : <NativeSelect {...props} data={[...props.data]} />;
