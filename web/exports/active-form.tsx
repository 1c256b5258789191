import { Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SearchContext } from '#contract/facets.ts';
import { pathOf } from '../api/call.ts';
import { savedFiltersQuery, searchPreferencesQuery, setDefault } from '../filters/saved-filter-queries.ts';
import { useSession } from '../session/session.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { IconDownload } from '../ui/icons.ts';
import { showToast } from '../ui/toasts.tsx';

const LISTS = [
  ['ALL', 'Patients', 'canViewPatients'],
  ['PINGS', 'Pings', 'canViewPings'],
] as const;

/** The default filter of exports, and how to change it. */
const useDefaultFilter = () => {
  const client = useQueryClient();
  const { data: preferences } = useQuery(searchPreferencesQuery);
  const current = preferences?.find(({ moduleName }) => moduleName === 'EXPORTS')?.filterId ?? null;
  const change = useMutation({
    mutationFn: (filterId: string | null) => setDefault('EXPORTS', filterId),
    onError: () => showToast({ type: 'warning', message: "Couldn't change your default filter. Try again." }),
    onSettled: () => client.invalidateQueries({ queryKey: searchPreferencesQuery.queryKey }),
  });
  return { current, change };
};

/** Downloads the patients with an open encounter whom a saved filter finds. */
export const ActiveForm = ({ close }: { close: () => void }) => {
  const { team, can } = useSession();
  const lists = LISTS.filter(([, , permission]) => can(permission));
  const { data: filters } = useQuery(savedFiltersQuery);
  const { current, change } = useDefaultFilter();
  const [chosen, choose] = useState<{ context?: SearchContext; filterId?: string }>({});
  const defaultFilter = filters?.find(({ id }) => id === current);
  const context = chosen.context ?? (defaultFilter && contextOf(defaultFilter)) ?? lists[0]?.[0] ?? 'ALL';
  const ofList = filters?.filter((filter) => contextOf(filter) === context) ?? [];
  const wanted = chosen.filterId ?? current ?? '';
  const filterId = ofList.some(({ id }) => id === wanted) ? wanted : '';
  const query = { teamId: team.id, searchContext: context, ...(filterId && { filterId }) };
  return (
    <Stack gap="md">
      <Text size="sm">A CSV file with everyone on the list who is in a facility or in care now.</Text>
      {lists.length > 1 && (
        <NativeSelect
          label="List"
          value={context}
          data={lists.map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => choose({ context: currentTarget.value as SearchContext, filterId: '' })}
        />
      )}
      <ChoiceField
        label="Saved filter"
        value={filterId}
        data={[{ value: '', label: 'No filter' }, ...ofList.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={({ currentTarget }) => choose({ context, filterId: currentTarget.value })}
      />
      {filterId && (
        <Checkbox
          label="Make this my default for exports"
          checked={filterId === current}
          disabled={change.isPending}
          onChange={({ currentTarget }) => change.mutate(currentTarget.checked ? filterId : null)}
        />
      )}
      <Group gap="sm">
        <Button
          component="a"
          href={pathOf('GET /api/export/patient-active-encounters', { query })}
          download
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
        >
          Download
        </Button>
        <Button variant="default" onClick={close}>
          Close
        </Button>
      </Group>
    </Stack>
  );
};

const contextOf = ({ searchContext }: { searchContext?: SearchContext | undefined }): SearchContext =>
  searchContext ?? 'ALL';
