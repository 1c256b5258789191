import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Switch, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_DIGEST_HOUR, MESSAGES_AN_HOUR, PREFERENCES_FAILED } from '#contract/notification-words.ts';
import type {
  NotificationPreference,
  NotificationPreferenceFields,
  NotificationSettings,
} from '#contract/notifications.ts';
import { RISK_FACETS } from '#contract/rising-risk-words.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';
import { call } from '../api/call.ts';
import { savedFiltersQuery, searchPreferencesQuery, setDefault } from '../filters/saved-filter-queries.ts';
import { tickOf } from '../forms/fields.ts';
import { type Form, useForm } from '../forms/use-form.ts';
import { useSession } from '../session/session.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { Modal } from '../ui/modal.tsx';
import { Failed, RowsLoading } from '../ui/states.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { notificationPreferencesQuery, notificationSettingsQuery } from './notification-queries.ts';
import { HOURS, quietInWords } from './notification-words.ts';
import classes from './notifications.module.css';
import { MobileNumberModal, type SentCode, VerificationNumberModal } from './phone-modals.tsx';

/** The values of the form. `first`: whether this filter is the default of the module NOTIFICATIONS. */
interface Values extends NotificationPreferenceFields {
  first: boolean;
}

const OFF: NotificationPreferenceFields = {
  email: false,
  text: false,
  timing: 'AT_ONCE',
  hour: DEFAULT_DIGEST_HOUR,
  muted: false,
};

interface Props {
  /** The filter to start with; null for the default filter of notifications. */
  filterId: string | null;
  /** Whether only filters of the event feed are offered. */
  ofFeed?: boolean;
  /** Saves the filter of the list instead, while there is none to be notified by. */
  saveFilter: () => void;
  saved: (message: string) => void;
  close: () => void;
}

/** What a filter reports. */
const nounOf = ({ searchContext }: Pick<SavedFilter, 'searchContext'>): string =>
  searchContext === 'EVENTS' ? 'events' : 'pings';

/** How the user is notified of new pings or events that match a saved filter. */
export const EditNotifications = ({ filterId, ofFeed = false, saveFilter, saved, close }: Props) => {
  useReturnFocus();
  const filters = useQuery(savedFiltersQuery);
  const preferences = useQuery({ ...notificationPreferencesQuery, retry: false });
  const settings = useQuery(notificationSettingsQuery);
  const defaults = useQuery({ ...searchPreferencesQuery, retry: false });
  const [chosen, setChosen] = useState(filterId);
  const error = preferences.error ?? filters.error ?? settings.error;
  const first = defaults.data?.find(({ moduleName }) => moduleName === 'NOTIFICATIONS')?.filterId ?? null;
  const all = (filters.data ?? []).filter(({ searchContext }) => !ofFeed || searchContext === 'EVENTS');
  const current = all.find(({ id }) => id === (chosen ?? first)) ?? all[0];
  const isReady = preferences.data && filters.data && settings.data && !defaults.isPending;
  const retry = (): void => {
    for (const query of [preferences, filters, settings]) if (query.error) void query.refetch();
  };
  return (
    <Modal opened onClose={close} title={ofFeed ? 'Edit event feed notifications' : 'Edit notifications'}>
      {error && <Failed what={PREFERENCES_FAILED} error={error} retry={retry} />}
      {!error && !isReady && <RowsLoading rows={3} height={56} />}
      {isReady && !current && (
        <>
          <Text>Save a filter first. Then you can be notified of new {ofFeed ? 'events' : 'pings'} that match it.</Text>
          <Button mt="md" onClick={saveFilter}>
            Save filter
          </Button>
        </>
      )}
      {isReady && current && (
        <>
          <ChoiceField
            label="Saved filter"
            value={current.id}
            data={all.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
          <PreferenceForm
            key={current.id}
            filter={current}
            preference={preferences.data?.find((one) => one.filterId === current.id)}
            settings={settings.data}
            isFirst={first === current.id}
            saved={() => saved(`Notifications for ${current.name} saved.`)}
            close={close}
          />
        </>
      )}
    </Modal>
  );
};

interface FormProps {
  filter: SavedFilter;
  preference: NotificationPreference | undefined;
  settings: NotificationSettings;
  isFirst: boolean;
  saved: () => void;
  close: () => void;
}

const isAboutRisk = ({ userDefinedFacetPreferences: { preferenceMap } }: SavedFilter): boolean =>
  RISK_FACETS.some((facet) => (preferenceMap[facet]?.length ?? 0) > 0);

const PreferenceForm = ({ filter, preference, settings, isFirst, saved, close }: FormProps) => {
  const client = useQueryClient();
  const { filterId: _, ...fields } = preference ?? { filterId: filter.id, ...OFF };
  const form = useForm<Values, NotificationPreference>({
    initial: { ...fields, first: isFirst },
    save: async ({ first, ...body }) => {
      const answer = await call('PUT /api/notification-filter-preferences/:id', { params: { id: filter.id }, body });
      if (first !== isFirst) await setDefault('NOTIFICATIONS', first ? filter.id : null);
      return answer;
    },
    saved: async (answer) => {
      client.setQueryData<NotificationPreference[]>(notificationPreferencesQuery.queryKey, (list = []) => [
        ...list.filter((one) => one.filterId !== answer.filterId),
        answer,
      ]);
      await client.invalidateQueries({ queryKey: searchPreferencesQuery.queryKey });
      saved();
    },
  });
  const [step, setStep] = useState<'number' | SentCode | null>(null);
  const { can } = useSession();
  const isRefused = isAboutRisk(filter) && !can('canViewRisingRiskPatientNotifications');
  if (isRefused && !fields.email && !fields.text)
    return (
      <Text mt="lg" role="note">
        This filter is about rising risk. You don't have access to notifications about these patients. An administrator
        can give it to you.
      </Text>
    );
  return (
    <>
      <form onSubmit={form.submit} noValidate>
        <Channels noun={nounOf(filter)} form={form} settings={settings} askNumber={() => setStep('number')} />
        <Timing noun={nounOf(filter)} form={form} settings={settings} />
        <Stack gap="xs" mt="lg">
          <Switch label="Mute" description="Sends nothing until you unmute it." {...tickOf(form, 'muted')} />
          <Checkbox
            label="Show this filter first"
            description="Opens first here, and from links to a filter that was deleted."
            {...tickOf(form, 'first')}
          />
        </Stack>
        <Text size="xs" c="dimmed" mt="md">
          Messages contain a count and a link, never names. Events reported more than 72 hours late, your own entries,
          and visits under 42 CFR Part 2 are not sent.
        </Text>
        {form.failure && <Failed what="Your notifications weren't changed." error={form.failure} />}
        <Group gap="sm" mt="lg">
          <Button type="submit" loading={form.saving}>
            Save
          </Button>
          <Button variant="default" disabled={form.saving} onClick={close}>
            Cancel
          </Button>
        </Group>
      </form>
      {/* Beside the form: React passes the submit events of their forms on to a form around them. */}
      {step === 'number' && <MobileNumberModal sent={setStep} close={() => setStep(null)} />}
      {step !== null && step !== 'number' && (
        <VerificationNumberModal
          sent={step}
          other={() => setStep('number')}
          close={() => setStep(null)}
          verified={() => {
            setStep(null);
            form.change({ text: true });
          }}
        />
      )}
    </>
  );
};

interface ChannelsProps {
  noun: string;
  form: Form<Values>;
  settings: NotificationSettings;
  askNumber: () => void;
}

const Channels = ({ noun, form, settings, askNumber }: ChannelsProps) => {
  const { phone, hasOptedOut, canEmail, canText, email } = settings;
  const words = phone ? `To the number ending in ${phone}` : 'No mobile number is confirmed yet.';
  return (
    <fieldset className={classes.group}>
      <legend>Notify me of new {noun} by</legend>
      <Checkbox
        label="Email"
        description={canEmail ? `To ${email}` : "This installation can't send email."}
        disabled={!canEmail && !form.values.email}
        error={form.errorOf('email')}
        {...tickOf(form, 'email')}
      />
      <Checkbox
        label="Text message"
        description={canText ? words : "This installation can't send text messages."}
        disabled={(!canText || phone === null) && !form.values.text}
        error={form.errorOf('text')}
        {...tickOf(form, 'text')}
      />
      {hasOptedOut && (
        <Text size="sm" role="note">
          This number replied STOP, so it gets no texts. Reply START to get them again.
        </Text>
      )}
      {canText && (
        <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={askNumber}>
          {phone ? 'Change mobile number' : 'Add mobile number'}
        </Button>
      )}
    </fieldset>
  );
};

const Timing = ({ noun, form, settings }: Omit<ChannelsProps, 'askNumber'>) => {
  const { values, change } = form;
  return (
    <>
      <Radio.Group mt="lg" label="When" value={values.timing} onChange={(timing) => change({ timing: timing })}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="AT_ONCE"
            label="Right away"
            description={`Within about a minute, several ${noun} in one message. At most ${MESSAGES_AN_HOUR} messages an hour; what comes above that waits`}
          />
          <Radio value="DAILY" label="Once a day" description="One message with the count of the day" />
        </Stack>
      </Radio.Group>
      {values.timing === 'DAILY' && (
        <NativeSelect
          mt="sm"
          label="Time of day"
          description="In your time zone"
          data={HOURS}
          value={String(values.hour)}
          onChange={({ currentTarget }) => change({ hour: Number(currentTarget.value) })}
        />
      )}
      {settings.quietHours && (
        <Text size="sm" c="dimmed" mt="sm">
          Nothing is sent during your quiet hours, {quietInWords(settings.quietHours)}. You can change them in your
          profile.
        </Text>
      )}
    </>
  );
};
