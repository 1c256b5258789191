import { TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { FACILITY_TYPE_LABELS } from '#contract/groups.ts';
import type { FacilityOption } from '#contract/hl7-programs.ts';
import { call } from '../../api/call.ts';
import type { Form } from '../../forms/use-form.ts';
import { OptionList, OptionNote, useOptionKeys } from '../../ui/options.tsx';
import { TYPING_PAUSE } from '../../ui/use-debounced.ts';
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

const about = ({ facilityType, state }: FacilityOption): string =>
  [facilityType && FACILITY_TYPE_LABELS[facilityType], state].filter(Boolean).join(' · ');

/** A field that finds facilities by name during typing. What is typed is no choice until one is taken. */
const useFacilities = (form: Form<ProgramValues>) => {
  const { admittingFacilityId: id, admittingFacilityName: text } = form.values;
  const [query, setQuery] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQuery(text.trim()), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const isOpen = id === '' && query.length >= SHORTEST && query === text.trim();
  const { data, error, isFetching } = useQuery({ ...facilitiesQuery(query), enabled: isOpen });
  const options = isOpen ? (data ?? []) : [];
  const take = (option: FacilityOption | undefined): void => {
    if (option) form.change({ admittingFacilityId: option.id, admittingFacilityName: option.name });
  };
  const keys = useOptionKeys({ options, take, close: () => setQuery('') });
  const type = (typed: string): void => {
    keys.setActive(0);
    form.change({ admittingFacilityId: '', admittingFacilityName: typed });
  };
  const foundNothing = isOpen && !isFetching && data?.length === 0;
  const message = error && isOpen ? "Couldn't look up facilities." : foundNothing ? 'No facility found.' : null;
  return { text, type, options, take, keys, message };
};

/** The facility at which the patient has to be admitted; empty for any. */
export const FacilityField = ({ form }: { form: Form<ProgramValues> }) => {
  const { text, type, options, take, keys, message } = useFacilities(form);
  return (
    <div>
      <TextInput
        {...keys.field}
        label="Admitting facility"
        description="Type the start of its name, and choose it. Empty: any facility."
        value={text}
        error={form.errorOf('admittingFacilityName') ?? form.errorOf('admittingFacilityId')}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={keys.onKeyDown}
      />
      <OptionList
        id={keys.id}
        label="Facilities found"
        options={options.map((option) => ({ key: option.id, label: option.name, aside: about(option) }))}
        active={keys.active}
        take={(at) => take(options[at])}
      />
      <OptionNote>{message}</OptionNote>
    </div>
  );
};
