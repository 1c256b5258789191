import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import { FILTER_NAME_LIMIT, type SearchModule } from '#contract/saved-filter-words.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';
import type { SearchContext } from '#contract/search.ts';
import { call } from '../api/call.ts';
import { savedFieldsOf } from '../filters/search-parameters.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { useUnfilteredCount } from '../lists/unfiltered-count.ts';
import { useSession } from '../session/session.ts';
import { Modal } from '../ui/modal.tsx';
import type { SavedFilterChanges } from './use-saved-filter-changes.ts';

interface Props {
  filters: ListFilters;
  context: SearchContext;
  module: SearchModule | null;
  /** Rows of the filtered list; null while unknown. */
  total: number | null;
  changes: SavedFilterChanges;
  saved: (filter: SavedFilter) => void;
  close: () => void;
}

/** How many pings the filter would have matched recently, so that users see what they save. */
const Preview = ({ filters, context }: Pick<Props, 'filters' | 'context'>) => {
  const { visibleTo, criteria } = filters;
  const { name: _, ...body } = savedFieldsOf(criteria, 'preview', { context, visibleTo });
  const { data, isPending } = useQuery({
    queryKey: ['filter-preview', body],
    queryFn: () => call('POST /api/patient-search-params/preview', { body }),
    retry: false,
  });
  return (
    <Text c="dimmed" role="status" mt="sm">
      {isPending && 'Checking how many pings match…'}
      {data &&
        `In the last ${data.days} days this filter would have matched ${counted(data.pings, 'ping', 'pings')}${data.pings > 0 ? ` for ${counted(data.patients, 'patient', 'patients')}` : ''}.`}
      {!isPending && !data && "Couldn't check how many pings match. You can still save the filter."}
    </Text>
  );
};

/** Saves the current criteria under a name. Without a name, nothing is saved. */
export const SaveFilterModal = ({ filters, context, module, total, changes, saved, close }: Props) => {
  const { can } = useSession();
  const [name, setName] = useState('');
  const [asDefault, setAsDefault] = useState(false);
  const [shared, setShared] = useState(false);
  const isPersonal = filters.criteria.text !== '' || filters.criteria.dateOfBirth !== null;
  const unfiltered = useUnfilteredCount(total === 0);
  const { create, share, makeDefault } = changes;
  const save = async (): Promise<void> => {
    if (name.trim() === '' || create.isPending) return;
    const fields = savedFieldsOf(filters.criteria, name.trim(), { ...filters.kind, visibleTo: filters.visibleTo });
    const created = await create.mutateAsync(fields).catch(() => null);
    if (!created) return;
    if (shared && !isPersonal) share.mutate({ saved: created, shared: true });
    if (asDefault && module) makeDefault.mutate({ module, id: created.id });
    saved(created);
  };
  return (
    <Modal opened onClose={() => create.isPending || close()} title="Save filter">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextInput
          label="Name"
          description={`${shared && !isPersonal ? 'Everyone on your team will see it.' : 'Only you can see it unless you share it.'} Don't include patient names.`}
          data-autofocus
          maxLength={FILTER_NAME_LIMIT}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Checkbox
          mt="md"
          label="Share with my team"
          description={
            isPersonal
              ? "A filter that looks for a name, ID or birth date can't be shared."
              : 'Others can use it and be notified by it. Only you and administrators can change it.'
          }
          disabled={isPersonal}
          checked={shared && !isPersonal}
          onChange={({ currentTarget }) => setShared(currentTarget.checked)}
        />
        {module && (
          <Checkbox
            mt="md"
            label="Make this my default view"
            checked={asDefault}
            onChange={({ currentTarget }) => setAsDefault(currentTarget.checked)}
          />
        )}
        {can('canViewPings') && <Preview filters={filters} context={context} />}
        {total === 0 && unfiltered !== null && (
          <Text c="dimmed" mt="sm">
            Nothing matches right now. Without filters there are {counted(unfiltered, 'patient', 'patients')}.
          </Text>
        )}
        <Group gap="sm" mt="lg">
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
          <Button variant="default" disabled={create.isPending} onClick={close}>
            Cancel
          </Button>
        </Group>
      </form>
    </Modal>
  );
};
