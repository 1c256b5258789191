import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import type { Facet } from '#contract/facets.ts';
import type { FacetOption, SearchParametersInput } from '#contract/search.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import classes from './filter-panel.module.css';
import { rememberLabel } from './filter-words.ts';
import { typeaheadQuery } from './typeahead-query.ts';

interface Props {
  facet: Facet;
  label: string;
  /** The other filters, which restrict what is found. */
  parameters: SearchParametersInput;
  choose: (option: FacetOption) => void;
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** The state of the field: what is typed, what it finds, and which option the keys are on. */
const useTypeahead = ({ facet, parameters, choose }: Omit<Props, 'label'>) => {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const { text, setText } = useDebounced('', (typed) => {
    setQuery(typed.trim());
    setActive(0);
  });
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
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (by && options.length > 0) {
      event.preventDefault();
      setActive((active + by + options.length) % options.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      take(options[active]);
    }
    if (event.key === 'Escape' && text) {
      event.stopPropagation();
      clear();
    }
  };
  const foundNothing = query !== '' && !isFetching && options.length === 0 && text.trim() !== '';
  const message = error ? "Couldn't look up values." : foundNothing ? 'No matches. Try fewer letters.' : null;
  return { text, setText, options, active, take, onKeyDown, message };
};

interface MatchesProps {
  id: string;
  label: string;
  options: readonly FacetOption[];
  active: number;
  take: (option: FacetOption) => void;
}

const Matches = ({ id, label, options, active, take }: MatchesProps) => (
  <div
    id={id}
    role="listbox"
    aria-label={`Matches for ${label}`}
    className={classes.options}
    hidden={options.length === 0}
  >
    {options.map((option, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
      <div
        key={option.value}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        className={classes.option}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => take(option)}
      >
        <span className={classes.words}>{option.label}</span>
        <span className={classes.count}>{option.count.toLocaleString('en-US')}</span>
      </div>
    ))}
  </div>
);

/** A field that looks up values of a facet during typing, each with its count. */
export const ValueTypeahead = ({ label, ...props }: Props) => {
  const id = useId();
  const { text, setText, options, active, take, onKeyDown, message } = useTypeahead(props);
  return (
    <div className={classes.typeahead}>
      <TextInput
        size="xs"
        type="search"
        role="combobox"
        aria-label={`Look up ${label}`}
        placeholder={`Look up ${label.toLocaleLowerCase('en-US')}`}
        aria-expanded={options.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={options[active] ? `${id}-${active}` : undefined}
        autoComplete="off"
        maxLength={100}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Matches id={id} label={label} options={options} active={active} take={take} />
      {message && (
        <p role="status" className={classes.dim}>
          {message}
        </p>
      )}
    </div>
  );
};
