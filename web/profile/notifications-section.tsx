import { Button, Group, NativeSelect, Switch, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { NotificationSettings } from '#contract/notifications.ts';
import { call } from '../api/call.ts';
import { tickOf } from '../forms/fields.ts';
import { Loaded } from '../forms/loaded.tsx';
import { useForm } from '../forms/use-form.ts';
import { deliveriesQuery, notificationSettingsQuery } from '../notifications/notification-queries.ts';
import { fateInWords, HOURS, topicInWords } from '../notifications/notification-words.ts';
import { Failed } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import classes from './profile.module.css';
import { Section } from './section.tsx';

const QUIET = { from: 21, until: 7 };

/** Quiet hours, and what became of the latest notifications. */
export const NotificationsSection = ({ saved }: { saved: (message: string) => void }) => {
  const settings = useQuery(notificationSettingsQuery);
  return (
    <Section id="notifications" title="Notifications">
      <Text mb="sm">
        You choose notifications for each saved filter: open the filter menu of a list, then Edit notifications.
      </Text>
      <Loaded query={settings} what="notification settings">
        {(loaded) => <QuietForm settings={loaded} saved={saved} />}
      </Loaded>
      <Deliveries />
    </Section>
  );
};

const QuietForm = ({ settings, saved }: { settings: NotificationSettings; saved: (message: string) => void }) => {
  const client = useQueryClient();
  const form = useForm({
    initial: { on: settings.quietHours !== null, ...(settings.quietHours ?? QUIET) },
    check: ({ on, from, until }) =>
      on && from === until ? { until: 'Choose an hour that differs from the start.' } : {},
    save: ({ on, from, until }) =>
      call('PUT /api/notification-settings', { body: { quietHours: on ? { from, until } : null } }),
    saved: (answer, values) => {
      client.setQueryData(notificationSettingsQuery.queryKey, answer);
      form.reset(values);
      saved(values.on ? 'Quiet hours saved.' : 'Quiet hours turned off.');
    },
  });
  const hourOf = (name: 'from' | 'until') => ({
    data: HOURS,
    value: String(form.values[name]),
    error: form.errorOf(name),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      form.change({ [name]: Number(currentTarget.value) }),
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <Switch
        label="Quiet hours"
        description="Messages wait until they are over. In your time zone."
        {...tickOf(form, 'on')}
      />
      {form.values.on && (
        <Group gap="sm" align="flex-start">
          <NativeSelect label="From" {...hourOf('from')} />
          <NativeSelect label="Until" {...hourOf('until')} />
        </Group>
      )}
      {form.failure && <Failed what="Your quiet hours weren't saved." error={form.failure} />}
      <Button
        type="submit"
        variant="default"
        loading={form.saving}
        disabled={!form.dirty}
        style={{ alignSelf: 'flex-start' }}
      >
        Save quiet hours
      </Button>
    </form>
  );
};

const Deliveries = () => {
  const query = useQuery(deliveriesQuery);
  const now = useNow();
  return (
    <>
      <Text fw={550} mt="lg" mb="xs" id="deliveries">
        Latest notifications
      </Text>
      <Loaded query={query} what="latest notifications">
        {(list) =>
          list.length === 0 ? (
            <Text c="dimmed">No notifications yet.</Text>
          ) : (
            <ul className={classes.items} aria-labelledby="deliveries">
              {list.map((each) => (
                <li key={each.id}>
                  <div>
                    <span className={classes.name}>{topicInWords(each)}</span>
                    <Text size="sm" className={classes.dim}>
                      {fateInWords(each, now)}
                    </Text>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
};
