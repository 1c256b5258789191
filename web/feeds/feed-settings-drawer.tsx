import { Checkbox, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Feed, UnknownSender } from '#contract/feeds.ts';
import { groupsQuery } from '../admin/admin-queries.ts';
import type { AdminGroup } from '../admin/admin-types.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../forms/fields.ts';
import type { Form } from '../forms/use-form.ts';
import { readAgain, WaitingDrawer } from '../forms/waiting-drawer.tsx';
import { zoneChoices } from '../forms/zone-choices.ts';
import { FacilityRows } from './facility-rows.tsx';
import { FeedActs } from './feed-acts.tsx';
import { feedSettingsQuery } from './feed-queries.ts';
import { ClassMap, DispositionMap, LocationMap } from './setting-maps.tsx';
import { newValues, type SettingsValues, valuesOf } from './settings-form.ts';
import { type EditedFeed, useSettingsForm } from './use-settings-form.ts';

/** Paths of the body and of the form that have an input of their own; any other error stands at the foot. */
const SHOWN = ['timeZone', 'classMap', 'dispositionMap', 'locationMap'].flatMap((name) => [name, `settings.${name}`]);
const SHOWN_ROWS = ['dispositions', 'locations', 'facilities', 'isBackfill'];
const SHOWN_NAMES = ['name', 'sendingApplication', 'sendingFacility'];

/** The name, and by what MSH-3 and MSH-4 its messages are known. */
const Sender = ({ form }: { form: Form<SettingsValues> }) => (
  <>
    <TextInput label="Name" maxLength={200} {...textOf(form, 'name')} />
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
      <TextInput
        label="Sending application (MSH-3)"
        description="As the sender writes it. Left empty: any."
        maxLength={200}
        {...textOf(form, 'sendingApplication')}
      />
      <TextInput
        label="Sending facility (MSH-4)"
        description="As the sender writes it."
        maxLength={200}
        {...textOf(form, 'sendingFacility')}
      />
    </SimpleGrid>
  </>
);

const Edit = ({ close, ...edited }: EditedFeed & { close: () => void }) => {
  const { feed } = edited;
  const form = useSettingsForm(edited);
  const { values, errors } = form;
  return (
    <EditDrawer
      title={feed ? `Settings of ${feed.name}` : 'Add a feed'}
      form={form}
      submit="Save"
      wide
      shownFields={[...SHOWN, ...SHOWN_ROWS, ...SHOWN_NAMES]}
      close={close}
    >
      <Sender form={form} />
      {feed && <FeedActs feed={feed} done={form.done} />}
      <FacilityRows rows={values.facilities} facilities={form.facilities} errors={errors} change={form.setFacilities} />
      <NativeSelect
        label="Time zone"
        description="Of times in messages that carry no offset."
        {...textOf(form, 'timeZone')}
        data={zoneChoices(values.timeZone)}
      />
      <Checkbox
        label="Back-fill"
        description="Messages tell of the past: facts are kept, nobody is pinged."
        {...tickOf(form, 'isBackfill')}
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
