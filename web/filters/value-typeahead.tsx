import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Facet } from '#contract/facets.ts';
import type { FacetOption, SearchParametersInput } from '#contract/search.ts';
import { OptionList, OptionNote, useOptionKeys } from '../ui/options.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import classes from './filter-panel.module.css';
import { rememberLabel } from './filter-words.ts';
import { typeaheadQuery } from './typeahead-query.ts';

interface Props {
  facet: Facet;
  label: string;
  /** The other filters, which restrict what is found. */
  parameters: SearchParametersInput;
  /** Whether the user has just asked for the field. */
  takesFocus: boolean;
  choose: (option: FacetOption) => void;
}

/** The state of the field: what is typed, what it finds, and which option the keys are on. */
const useTypeahead = ({ facet, parameters, choose }: Omit<Props, 'label' | 'takesFocus'>) => {
  const [query, setQuery] = useState('');
  const { text, setText } = useDebounced('', (typed) => setQuery(typed.trim()));
  const { data, error, isFetching } = useQuery({
    ...typeaheadQuery(facet, query, parameters),
    placeholderData: (previous) => previous,
  });
  const options = query && text.trim() ? (data ?? []) : [];
  const clear = (): void => {
    setText('');
    setQuery('');
  };
  const take = (option: FacetOption | undefined): void => {
    if (!option) return;
    rememberLabel(facet, option.value, option.label);
    clear();
    choose(option);
  };
  const keys = useOptionKeys({ options, take, close: clear });
  const type = (typed: string): void => {
    setText(typed);
    keys.setActive(0);
  };
  const foundNothing = query !== '' && !isFetching && options.length === 0 && text.trim() !== '';
  const message = error ? "Couldn't look up values." : foundNothing ? 'No matches. Try fewer letters.' : null;
  return { text, type, options, take, keys, message };
};

/** A field that looks up values of a facet during typing, each with its count. */
export const ValueTypeahead = ({ label, takesFocus, ...props }: Props) => {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const { text, type, options, take, keys, message } = useTypeahead(props);
  return (
    <div className={classes.typeahead}>
      <TextInput
        {...keys.field}
        ref={field}
        size="xs"
        type="search"
        aria-label={`Look up ${label}`}
        placeholder={`Look up ${label.toLocaleLowerCase('en-US')}`}
        value={text}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={keys.onKeyDown}
      />
      <OptionList
        id={keys.id}
        label={`Matches for ${label}`}
        options={options.map((option) => ({
          key: option.value,
          label: option.label,
          aside: option.count.toLocaleString('en-US'),
        }))}
        active={keys.active}
        take={(at) => take(options[at])}
      />
      <OptionNote>{message}</OptionNote>
    </div>
  );
};
