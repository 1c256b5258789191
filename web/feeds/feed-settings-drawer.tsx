import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Feed } from '#contract/feeds.ts';
import { groupsQuery } from '../admin/admin-queries.ts';
import type { AdminGroup } from '../admin/admin-types.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { useForm } from '../forms/use-form.ts';
import { readAgain, WaitingDrawer } from '../forms/waiting-drawer.tsx';
import { zoneChoices } from '../forms/zone-choices.ts';
import { feedSettingsQuery, feedsQuery } from './feed-queries.ts';
import { RowTable } from './row-table.tsx';
import { ClassMap, DispositionMap, LocationMap } from './setting-maps.tsx';
import {
  answerOf,
  checkSettings,
  errorAt,
  type FeedSettingsAnswer,
  type SettingsValues,
  valuesOf,
} from './settings-form.ts';

/** Paths of the body and of the form that have an input of their own; any other error stands at the foot. */
const SHOWN = ['timeZone', 'classMap', 'dispositionMap', 'locationMap'].flatMap((name) => [name, `settings.${name}`]);
const SHOWN_ROWS = ['dispositions', 'locations', 'facilities', 'isBackfill'];

const Edit = ({
  feed,
  answer,
  groups,
  saved,
  takeTheirs,
  close,
}: {
  feed: Feed;
  answer: FeedSettingsAnswer;
  groups: AdminGroup[];
  saved: (message: string) => void;
  takeTheirs: () => Promise<void>;
  close: () => void;
}) => {
  const client = useQueryClient();
  const form = useForm<SettingsValues, FeedSettingsAnswer>({
    initial: valuesOf(answer),
    check: checkSettings,
    version: answer.version,
    save: (values, version) =>
      call('PUT /api/admin/feeds/:id/settings', {
        params: { id: feed.id },
        body: { ...answerOf(values), version: version ?? answer.version },
      }),
    takeTheirs,
    saved: () => {
      void client.invalidateQueries({ queryKey: feedsQuery.queryKey });
      saved(`The settings of ${feed.name} were saved. They hold for messages from now on; replay quarantined ones.`);
    },
  });
  const { values, change, errors } = form;
  const facilities = groups
    .filter(
      ({ type, organization }) =>
        type !== 'PROGRAM' && (organization?.name ?? feed.organizationName) === feed.organizationName,
    )
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <EditDrawer
      title={`Settings of ${feed.name}`}
      form={form}
      submit="Save"
      wide
      shownFields={[...SHOWN, ...SHOWN_ROWS]}
      close={close}
    >
      <NativeSelect
        label="Time zone"
        description="Of times in messages that carry no offset."
        value={values.timeZone}
        error={errorAt(errors, 'timeZone')}
        onChange={({ currentTarget }) => change({ timeZone: currentTarget.value })}
        data={zoneChoices(values.timeZone)}
      />
      <Checkbox
        label="Back-fill"
        description="Messages tell of the past: facts are kept, nobody is pinged."
        checked={values.isBackfill}
        onChange={({ currentTarget }) => change({ isBackfill: currentTarget.checked })}
      />
      <section aria-label="Facilities">
        <Text component="h3" size="md" fw={650} m={0}>
          Facilities
        </Text>
        <Text size="sm" c="dimmed" mb="xs">
          How this sender names each facility (PV1-3.4, EVN-7 or MSH-4). An asterisk stands for every other name;
          without one, messages of unknown facilities wait in quarantine.
        </Text>
        <RowTable
          label="facilities"
          rows={values.facilities}
          empty="No row: every message waits in quarantine."
          add={() => ({
            identifier: '',
            groupId: facilities.length === 1 ? (facilities[0]?.value ?? '') : '',
            registrationIsVisit: false,
          })}
          change={(rows) => change({ facilities: rows })}
          columns={[
            {
              head: 'Sender writes',
              cell: (row, set, at, label) => (
                <TextInput
                  size="xs"
                  aria-label={label}
                  maxLength={200}
                  value={row.identifier}
                  error={errorAt(errors, `facilities.${at}.identifier`)}
                  onChange={({ currentTarget }) => set({ identifier: currentTarget.value })}
                />
              ),
            },
            {
              head: 'Facility',
              width: '40%',
              cell: (row, set, at, label) => (
                <NativeSelect
                  size="xs"
                  aria-label={label}
                  value={row.groupId}
                  error={errorAt(errors, `facilities.${at}.groupId`)}
                  onChange={({ currentTarget }) => set({ groupId: currentTarget.value })}
                  data={[{ value: '', label: 'Choose' }, ...facilities]}
                />
              ),
            },
            {
              head: 'Registration is a visit',
              width: '110px',
              cell: (row, set, _, label) => (
                <Checkbox
                  pt={5}
                  aria-label={label}
                  checked={row.registrationIsVisit}
                  onChange={({ currentTarget }) => set({ registrationIsVisit: currentTarget.checked })}
                />
              ),
            },
          ]}
        />
      </section>
      <ClassMap form={form} />
      <DispositionMap form={form} />
      <LocationMap form={form} />
    </EditDrawer>
  );
};

/** How one feed's messages are read. */
export const FeedSettingsDrawer = ({
  feed,
  saved,
  close,
}: {
  feed: Feed;
  saved: (message: string) => void;
  close: () => void;
}) => {
  const query = useQuery(feedSettingsQuery(feed.id));
  const groups = useQuery(groupsQuery);
  if (query.data && query.isFetchedAfterMount && groups.data)
    return (
      <Edit
        key={query.data.version}
        feed={feed}
        answer={query.data}
        groups={groups.data}
        saved={saved}
        takeTheirs={() => readAgain(query)}
        close={close}
      />
    );
  return (
    <WaitingDrawer
      title={`Settings of ${feed.name}`}
      needs={[
        [query, 'settings'],
        [groups, 'groups'],
      ]}
      close={close}
    />
  );
};
