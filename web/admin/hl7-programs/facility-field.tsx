import { TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { FACILITY_TYPE_LABELS } from '#contract/groups.ts';
import type { FacilityOption } from '#contract/hl7-programs.ts';
import { call } from '../../api/call.ts';
import type { Form } from '../../forms/use-form.ts';
import { TYPING_PAUSE } from '../../ui/use-debounced.ts';
import classes from './hl7-programs.module.css';
import type { ProgramValues } from './program-values.ts';

/** The server looks for nothing shorter. */
const SHORTEST = 2;

const facilitiesQuery = (query: string) =>
  queryOptions({
    queryKey: ['hl7-program-facilities', query],
    queryFn: () => call('GET /api/admin/hl7-programs/facilities', { query: { query } }),
    retry: false,
    gcTime: 60_000,
  });

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

const about = ({ facilityType, state }: FacilityOption): string =>
  [facilityType && FACILITY_TYPE_LABELS[facilityType], state].filter(Boolean).join(' · ');

/** A field that finds facilities by name during typing. What is typed is no choice until one is taken. */
const useFacilities = (form: Form<ProgramValues>) => {
  const { admittingFacilityId: id, admittingFacilityName: text } = form.values;
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => {
      setQuery(text.trim());
      setActive(0);
    }, TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const isOpen = id === '' && query.length >= SHORTEST && query === text.trim();
  const { data, error, isFetching } = useQuery({ ...facilitiesQuery(query), enabled: isOpen });
  const options = isOpen ? (data ?? []) : [];
  const take = (option: FacilityOption | undefined): void => {
    if (option) form.change({ admittingFacilityId: option.id, admittingFacilityName: option.name });
  };
  const type = (typed: string): void => form.change({ admittingFacilityId: '', admittingFacilityName: typed });
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (by && options.length > 0) {
      event.preventDefault();
      setActive((active + by + options.length) % options.length);
    }
    if (event.key === 'Enter' && options.length > 0) {
      event.preventDefault();
      take(options[active]);
    }
    if (event.key === 'Escape' && options.length > 0) {
      event.stopPropagation();
      setQuery('');
    }
  };
  const foundNothing = isOpen && !isFetching && data?.length === 0;
  const message = error && isOpen ? "Couldn't look up facilities." : foundNothing ? 'No facility found.' : null;
  return { text, type, options, active, take, onKeyDown, message };
};

/** The facility at which the patient has to be admitted; empty for any. */
export const FacilityField = ({ form }: { form: Form<ProgramValues> }) => {
  const id = useId();
  const { text, type, options, active, take, onKeyDown, message } = useFacilities(form);
  return (
    <div>
      <TextInput
        label="Admitting facility"
        description="Type the start of its name, and choose it. Empty: any facility."
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={options[active] ? `${id}-${active}` : undefined}
        autoComplete="off"
        maxLength={100}
        value={text}
        error={form.errorOf('admittingFacilityName') ?? form.errorOf('admittingFacilityId')}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div
        id={id}
        role="listbox"
        aria-label="Facilities found"
        className={classes.options}
        hidden={options.length === 0}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={option.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classes.option}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            <span>{option.name}</span>
            <span className={classes.dim}>{about(option)}</span>
          </div>
        ))}
      </div>
      {message && (
        <p role="status" className={classes.dim}>
          {message}
        </p>
      )}
    </div>
  );
};
