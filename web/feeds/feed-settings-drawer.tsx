import { Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DirectoryGroup } from '#contract/admin.ts';
import { FEED_TEXTS } from '#contract/admin-fields.ts';
import type { Feed, UnknownSender } from '#contract/feeds.ts';
import { directoryQuery } from '../admin/admin-queries.ts';
import { Note } from '../admin/note.tsx';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../forms/fields.ts';
import type { Form } from '../forms/use-form.ts';
import { readAgain, WaitingDrawer } from '../forms/waiting-drawer.tsx';
import { zoneChoices } from '../forms/zone-choices.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { DateOrderSelect } from './date-order.tsx';
import { DocumentTokens } from './document-tokens.tsx';
import { FacilityRows } from './facility-rows.tsx';
import { FeedActions } from './feed-actions.tsx';
import { feedSettingsQuery, outpatientCodesQuery } from './feed-queries.ts';
import classes from './feeds.module.css';
import { changedCodes, ObservationEffect, ObservationMap } from './observation-codes.tsx';
import { ClassMap, DispositionMap, LocationMap } from './setting-maps.tsx';
import { newValues, type SettingsValues, valuesOf } from './settings-form.ts';
import { TrySettings } from './settings-trial.tsx';
import { type EditedFeed, useSettingsForm } from './use-settings-form.ts';

/** Paths of the body and of the form that have an input of their own. Other errors are shown at the bottom. */
const SHOWN = ['timeZone', 'dateOrder', 'classMap', 'dispositionMap', 'locationMap'].flatMap((name) => [
  name,
  `settings.${name}`,
]);
const SHOWN_ROWS = ['observation', 'dispositions', 'locations', 'facilities', 'isBackfill'];
const SHOWN_NAMES = ['name', 'sendingApplication', 'sendingFacility'];

const Name = ({ form }: { form: Form<SettingsValues> }) => (
  <TextInput label="Name" maxLength={FEED_TEXTS.name.max} {...textOf(form, 'name')} />
);

/** The name, and the MSH-3 and MSH-4 that identify the feed's messages. */
const Sender = ({ form }: { form: Form<SettingsValues> }) => (
  <>
    <Name form={form} />
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm" className={classes.fieldsInLine}>
      <TextInput
        label="Sending application (MSH-3)"
        description="Exactly as the sender writes it. Leave empty to match any, if no other feed has the same sending facility."
        maxLength={200}
        {...textOf(form, 'sendingApplication')}
      />
      <TextInput
        label="Sending facility (MSH-4)"
        description="Exactly as the sender writes it."
        maxLength={200}
        {...textOf(form, 'sendingFacility')}
      />
    </SimpleGrid>
  </>
);

const FeedForm = ({ close, ...edited }: EditedFeed & { close: () => void }) => {
  const { feed, kind } = edited;
  const isFhir = kind === 'FHIR';
  const form = useSettingsForm(edited);
  const { values, errors } = form;
  const seen = useQuery(outpatientCodesQuery(feed?.id)).data;
  const changed = changedCodes(edited.initial.observation, values.observation);
  return (
    <EditDrawer
      title={feed ? `Settings for ${feed.name}` : isFhir ? 'Add FHIR feed' : 'Add feed'}
      form={form}
      submit="Save"
      wide
      shownFields={[...SHOWN, ...SHOWN_ROWS, ...SHOWN_NAMES]}
      summary={changed && <ObservationEffect changed={changed} seen={seen} />}
      close={close}
    >
      {feed?.waiting && (
        <Note>
          The sender and facilities below are waiting for an operator's approval.{' '}
          {feed.approvedAt
            ? 'Until then, the feed runs with the ones approved before.'
            : 'Until then, its messages are kept and not processed.'}
        </Note>
      )}
      {isFhir ? <Name form={form} /> : <Sender form={form} />}
      {isFhir && feed && <DocumentTokens feed={feed} />}
      {feed && <FeedActions feed={feed} done={form.done} />}
      <FacilityRows
        isFhir={isFhir}
        rows={values.facilities}
        facilities={form.facilities}
        errors={errors}
        change={form.setFacilities}
      />
      <ChoiceField
        label="Time zone"
        description="Used when a message's times have no time zone."
        {...textOf(form, 'timeZone')}
        data={zoneChoices(values.timeZone)}
      />
      {!isFhir && <DateOrderSelect form={form} feed={feed} />}
      <Checkbox
        label="Historical feed"
        description="Visits are recorded, no pings are sent."
        {...tickOf(form, 'isBackfill')}
      />
      {isFhir && (
        <Note>
          FHIR has codes for these, which need no entry. Enter codes of your own here: PV1-2 is Encounter.class, PV1-10
          serviceType, PV1-18 type, PV1-36 dischargeDisposition, and PV1-3.1 the name of the location.
        </Note>
      )}
      <ClassMap form={form} />
      <ObservationMap form={form} seen={seen} />
      <DispositionMap form={form} />
      <LocationMap form={form} />
      {feed && <TrySettings feed={feed} values={values} />}
    </EditDrawer>
  );
};

interface DrawerProps {
  saved: (message: string) => void;
  close: () => void;
}

const isFacility = ({ type }: DirectoryGroup): boolean => type !== 'PROGRAM';

/** The settings of a feed: sender, facilities, and how its messages are read. */
export const FeedSettingsDrawer = ({ feed, ...handlers }: DrawerProps & { feed: Feed }) => {
  const query = useQuery(feedSettingsQuery(feed.id));
  const groups = useQuery(directoryQuery);
  if (query.data && query.isFetchedAfterMount && groups.data)
    return (
      <FeedForm
        key={query.data.version}
        feed={feed}
        kind={feed.kind === 'FHIR' ? 'FHIR' : 'MLLP'}
        initial={valuesOf(query.data)}
        groups={groups.data.groups.filter(
          (group) => isFacility(group) && (group.organization?.name ?? feed.organizationName) === feed.organizationName,
        )}
        takeTheirs={() => readAgain(query)}
        {...handlers}
      />
    );
  return (
    <WaitingDrawer
      title={`Settings for ${feed.name}`}
      needs={[
        [query, 'settings'],
        [groups, 'groups'],
      ]}
      close={handlers.close}
    />
  );
};

/** The form of a new feed. `sender`: the unknown sender it is set up for, if any. */
export const AddFeedDrawer = ({ sender, ...handlers }: DrawerProps & { sender: UnknownSender | null }) => (
  <NewFeed kind="MLLP" sender={sender} title="Add feed" {...handlers} />
);

/** The form of a new feed of FHIR messages. */
export const AddFhirFeedDrawer = (handlers: DrawerProps) => (
  <NewFeed kind="FHIR" sender={null} title="Add FHIR feed" {...handlers} />
);

const NewFeed = ({
  kind,
  sender,
  title,
  ...handlers
}: DrawerProps & Pick<EditedFeed, 'kind'> & { sender: UnknownSender | null; title: string }) => {
  const groups = useQuery(directoryQuery);
  if (!groups.data) return <WaitingDrawer title={title} needs={[[groups, 'groups']]} close={handlers.close} />;
  const facilities = groups.data.groups.filter(isFacility);
  return <FeedForm feed={null} kind={kind} initial={newValues(sender, facilities)} groups={facilities} {...handlers} />;
};
