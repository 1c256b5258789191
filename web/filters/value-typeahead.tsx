import { TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import type { Facet } from '#contract/facets.ts';
import type { FacetOption, SearchParametersInput } from '#contract/search.ts';
import type { TypeaheadKind } from '#contract/typeahead.ts';
import { call } from '../api/call.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import classes from './filter-panel.module.css';
import { rememberLabel } from './filter-words.ts';

/** The calls of the specification that look the values of a facet up. */
const TYPEAHEAD_OF: Partial<Record<Facet, TypeaheadKind>> = {
  facilityName: 'facilities',
  program: 'programs',
  practice: 'practices',
  careCoordinator: 'care-coordinators',
  provider: 'providers',
  city: 'cities',
  zipCode: 'zipCodes',
  diagnoses: 'diagnoses',
  priorDiagnoses: 'diagnoses',
};

/** Values of a facet that begin so, or nearly so; what else is filtered restricts them. `size`: how many at most, five unless said. */
export const lookedUp = (facet: Facet, query: string, parameters: SearchParametersInput, size?: number) => {
  const kind = TYPEAHEAD_OF[facet] ?? 'values';
  const named = kind === 'values' || facet === 'priorDiagnoses' ? { facet } : {};
  const body = { query, parameters, ...named, ...(size === undefined ? {} : { pageSize: size }) };
  return queryOptions({
    queryKey: ['typeahead', kind, body],
    queryFn: () => call('POST /api/typeahead/:kind', { params: { kind }, body }),
    enabled: query !== '',
    retry: false,
    gcTime: 60_000,
  });
};

interface Props {
  facet: Facet;
  label: string;
  /** What else is filtered restricts what is found. */
  parameters: SearchParametersInput;
  choose: (option: FacetOption) => void;
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** A field that looks values up while one types: five of them, each with its count. */
export const ValueTypeahead = ({ facet, label, parameters, choose }: Props) => {
  const id = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const { text, setText } = useDebounced('', (typed) => {
    setQuery(typed.trim());
    setAt(0);
  });
  const { data, error, isFetching } = useQuery({
    ...lookedUp(facet, query, parameters),
    placeholderData: (previous) => previous,
  });
  const options = query && text.trim() ? (data ?? []) : [];
  const take = (option: FacetOption | undefined): void => {
    if (!option) return;
    rememberLabel(facet, option.value, option.label);
    setText('');
    setQuery('');
    choose(option);
  };
  const keys = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (by && options.length > 0) {
      event.preventDefault();
      setAt((at + by + options.length) % options.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      take(options[at]);
    }
    if (event.key === 'Escape' && text) {
      event.stopPropagation();
      setText('');
      setQuery('');
    }
  };
  const said = error ? 'Values could not be looked up.' : query && !isFetching && options.length === 0 && text.trim();
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
        aria-activedescendant={options[at] ? `${id}-${at}` : undefined}
        autoComplete="off"
        maxLength={100}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={keys}
      />
      <div
        id={id}
        role="listbox"
        aria-label={`${label} found`}
        className={classes.options}
        hidden={options.length === 0}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={classes.option}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            <span className={classes.words}>{option.label}</span>
            <span className={classes.count}>{option.count.toLocaleString('en-US')}</span>
          </div>
        ))}
      </div>
      {said && (
        <p role="status" className={classes.dim}>
          {error ? said : 'Nothing begins so in this list.'}
        </p>
      )}
    </div>
  );
};
