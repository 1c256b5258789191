import { Button, Text, TextInput } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { counted } from '#contract/counted.ts';
import classes from '../admin.module.css';

interface Props {
  placeholder: string;
  text: string;
  type: (text: string) => void;
  field?: Ref<HTMLInputElement>;
  /** Further filters. */
  children?: ReactNode;
}

/** The search above a list. */
export const ListSearch = ({ placeholder, text, type, field, children }: Props) => (
  <div className={classes.filters} role="search">
    <TextInput
      ref={field}
      label="Search"
      placeholder={placeholder}
      type="search"
      maxLength={100}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
    {children}
  </div>
);

interface CountProps {
  total: number;
  one: string;
  many: string;
  /** How many filters limit the list. */
  filters: number;
  clear: () => void;
}

/** How many entries there are, and how many filters limit the list. */
export const ListCount = ({ total, one, many, filters, clear }: CountProps) => (
  <Text size="sm" c="dimmed" className="tabular" aria-live="polite">
    {total.toLocaleString('en-US')} {total === 1 ? one : many}
    {filters > 0 && ` ${total === 1 ? 'matches' : 'match'} ${counted(filters, 'filter')}`}
    {filters > 0 && (
      <Button size="compact-xs" variant="subtle" ml="sm" onClick={clear}>
        Clear all
      </Button>
    )}
  </Text>
);
