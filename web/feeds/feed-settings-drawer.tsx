import { Checkbox, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Feed, UnknownSender } from '#contract/feeds.ts';
import { groupsQuery } from '../admin/admin-queries.ts';
import type { AdminGroup } from '../admin/admin-types.ts';
import { isOfSame, ownedName } from '../admin/organization.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { useForm } from '../forms/use-form.ts';
import { readAgain, WaitingDrawer } from '../forms/waiting-drawer.tsx';
import { zoneChoices } from '../forms/zone-choices.ts';
import { FacilityRows } from './facility-rows.tsx';
import { FeedActs, messageWords } from './feed-acts.tsx';
import { feedSettingsQuery, feedsQuery } from './feed-queries.ts';
import { ClassMap, DispositionMap, LocationMap } from './setting-maps.tsx';
import { answerOf, checkSettings, errorAt, newValues, type SettingsValues, valuesOf } from './settings-form.ts';

/** Paths of the body and of the form that have an input of their own; any other error stands at the foot. */
const SHOWN = ['timeZone', 'classMap', 'dispositionMap', 'locationMap'].flatMap((name) => [name, `settings.${name}`]);
const SHOWN_ROWS = ['dispositions', 'locations', 'facilities', 'isBackfill'];
const SHOWN_NAMES = ['name', 'sendingApplication', 'sendingFacility'];

/** Answers what the page says of it. */
const add = async (values: SettingsValues): Promise<string> => {
  const { messages } = await call('POST /api/admin/feeds', { body: answerOf(values) });
  const waiting =
    messages === 0 ? '' : ` ${messageWords(messages)} of its sender waited: replay ${messages === 1 ? 'it' : 'them'}.`;
  return `The feed ${values.name.trim()} was added.${waiting}`;
};
const change = async (id: string, values: SettingsValues, version = values.version): Promise<string> => {
  await call('PUT /api/admin/feeds/:id/settings', { params: { id }, body: { ...answerOf(values), version } });
  return `The settings of ${values.name.trim()} were saved. They hold for messages from now on; replay quarantined ones.`;
};

const Edit = ({
  feed,
  initial,
  groups,
  saved,
  takeTheirs,
  close,
}: {
  /** Null for a new one. */
  feed: Feed | null;
  initial: SettingsValues;
  /** The facilities in sight. */
  groups: readonly AdminGroup[];
  saved: (message: string) => void;
  takeTheirs?: () => Promise<void>;
  close: () => void;
}) => {
  const client = useQueryClient();
  const done = (message: string): void => {
    void client.invalidateQueries({ queryKey: feedsQuery.queryKey });
    saved(message);
  };
  const form = useForm<SettingsValues, string>({
    initial,
    check: checkSettings,
    version: feed ? initial.version : undefined,
    save: (values, version) => (feed ? change(feed.id, values, version) : add(values)),
    takeTheirs,
    saved: done,
    keys: { NAME_TAKEN: 'name' },
  });
  const { values, change: set, errors } = form;
  const chosen = groups.find(({ id }) => values.facilities.some(({ groupId }) => groupId === id));
  const facilities = groups
    .filter((group) => !chosen || isOfSame(group, chosen))
    .map((group) => ({ id: group.id, label: ownedName(group) }));
  /** A new feed's times are those of its first facility, unless another zone is chosen after it. */
  const setFacilities = (rows: SettingsValues['facilities']): void => {
    const moved = !feed && rows[0]?.groupId !== values.facilities[0]?.groupId;
    const first = moved ? groups.find(({ id }) => id === rows[0]?.groupId) : undefined;
    set({ facilities: rows, ...(first && { timeZone: first.timeZone }) });
  };
  return (
    <EditDrawer
      title={feed ? `Settings of ${feed.name}` : 'Add a feed'}
      form={form}
      submit="Save"
      wide
      shownFields={[...SHOWN, ...SHOWN_ROWS, ...SHOWN_NAMES]}
      close={close}
    >
      <TextInput
        label="Name"
        maxLength={200}
        value={values.name}
        error={errorAt(errors, 'name')}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <TextInput
          label="Sending application (MSH-3)"
          description="As the sender writes it. Left empty: any."
          maxLength={200}
          value={values.sendingApplication}
          error={errorAt(errors, 'sendingApplication')}
          onChange={({ currentTarget }) => set({ sendingApplication: currentTarget.value })}
        />
        <TextInput
          label="Sending facility (MSH-4)"
          description="As the sender writes it."
          maxLength={200}
          value={values.sendingFacility}
          error={errorAt(errors, 'sendingFacility')}
          onChange={({ currentTarget }) => set({ sendingFacility: currentTarget.value })}
        />
      </SimpleGrid>
      {feed && <FeedActs feed={feed} done={done} />}
      <FacilityRows rows={values.facilities} facilities={facilities} errors={errors} change={setFacilities} />
      <NativeSelect
        label="Time zone"
        description="Of times in messages that carry no offset."
        value={values.timeZone}
        error={errorAt(errors, 'timeZone')}
        onChange={({ currentTarget }) => set({ timeZone: currentTarget.value })}
        data={zoneChoices(values.timeZone)}
      />
      <Checkbox
        label="Back-fill"
        description="Messages tell of the past: facts are kept, nobody is pinged."
        checked={values.isBackfill}
        onChange={({ currentTarget }) => set({ isBackfill: currentTarget.checked })}
      />
      <ClassMap form={form} />
      <DispositionMap form={form} />
      <LocationMap form={form} />
    </EditDrawer>
  );
};

interface DrawerProps {
  saved: (message: string) => void;
  close: () => void;
}

const isFacility = ({ type }: AdminGroup): boolean => type !== 'PROGRAM';

/** Who sends, for which facilities, and how its messages are read; and its end. */
export const FeedSettingsDrawer = ({ feed, ...does }: DrawerProps & { feed: Feed }) => {
  const query = useQuery(feedSettingsQuery(feed.id));
  const groups = useQuery(groupsQuery);
  if (query.data && query.isFetchedAfterMount && groups.data)
    return (
      <Edit
        key={query.data.version}
        feed={feed}
        initial={valuesOf(query.data)}
        groups={groups.data.filter(
          (group) => isFacility(group) && (group.organization?.name ?? feed.organizationName) === feed.organizationName,
        )}
        takeTheirs={() => readAgain(query)}
        {...does}
      />
    );
  return (
    <WaitingDrawer
      title={`Settings of ${feed.name}`}
      needs={[
        [query, 'settings'],
        [groups, 'groups'],
      ]}
      close={does.close}
    />
  );
};

/** A new feed. `sender`: from whom messages wait, where it is set up for them. */
export const AddFeedDrawer = ({ sender, ...does }: DrawerProps & { sender: UnknownSender | null }) => {
  const groups = useQuery(groupsQuery);
  if (!groups.data) return <WaitingDrawer title="Add a feed" needs={[[groups, 'groups']]} close={does.close} />;
  const facilities = groups.data.filter(isFacility);
  return <Edit feed={null} initial={newValues(sender, facilities)} groups={facilities} {...does} />;
};
