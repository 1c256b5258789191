import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { counted } from '#contract/counted.ts';
import { SETTING_LABELS, type Setting } from '#contract/event-codes.ts';
import type { Feed, SettingsTrial } from '#contract/feeds.ts';
import { TRIAL_CHANGES } from '#contract/message-words.ts';
import { call } from '../api/call.ts';
import { formatDate, formatDateTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import classes from './feeds.module.css';
import { bodyOf, type SettingsValues } from './settings-form.ts';

type Change = SettingsTrial['changes'][number];

const valueWords = ({ what }: Change, value: string | null): string => {
  if (value === null) return 'none';
  return what === 'setting' && Object.hasOwn(SETTING_LABELS, value) ? SETTING_LABELS[value as Setting] : value;
};

const changeWords = (change: Change): string => {
  const { what, before, after } = change;
  if (before === null && after === null) return TRIAL_CHANGES[what];
  return `${TRIAL_CHANGES[what]}: ${valueWords(change, before)} → ${valueWords(change, after)}`;
};

const Outcome = ({ trial }: { trial: SettingsTrial }) => {
  const { tried, total, changed, since, changes } = trial;
  if (total === 0) return <Text mt="xs">No messages since {formatDate(since)} to try this on.</Text>;
  const scope =
    tried < total
      ? `the newest ${tried.toLocaleString('en-US')} of ${counted(total, 'message')} since ${formatDate(since)}`
      : `${counted(total, 'message')} since ${formatDate(since)}`;
  return (
    <>
      <Text mt="xs">
        {changed === 0
          ? `Of ${scope}, none would read differently.`
          : `Of ${scope}, ${changed.toLocaleString('en-US')} would read differently:`}
      </Text>
      {changes.length > 0 && (
        <ul className={classes.effects}>
          {changes.map((change) => (
            <li key={JSON.stringify([change.what, change.before, change.after])}>
              {changeWords(change)} ({counted(change.messages, 'message')})
              <Text span size="xs" c="dimmed" display="block">
                Such as{' '}
                {change.examples
                  .map(
                    ({ controlId, messageId, receivedAt }) =>
                      `${controlId ?? messageId}, ${formatDateTime(receivedAt)}`,
                  )
                  .join('; ')}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

/** Tries unsaved settings on the messages of the last week. */
export const TrySettings = ({ feed, values }: { feed: Feed; values: SettingsValues }) => {
  const attempt = useMutation({
    mutationFn: (tried: SettingsValues) => {
      const { settings, facilities } = bodyOf(tried);
      return call('POST /api/feeds/:id/try-settings', { params: { id: feed.id }, body: { settings, facilities } });
    },
    gcTime: 0,
  });
  const isOutdated = attempt.variables !== undefined && attempt.variables !== values;
  return (
    <section aria-label="Try these settings">
      <Button variant="default" size="xs" loading={attempt.isPending} onClick={() => attempt.mutate(values)}>
        Try on last week's messages
      </Button>
      <Text size="xs" c="dimmed" mt={4}>
        Shows what would read differently with the settings above, before you save them. Nothing is changed.
      </Text>
      <div aria-live="polite">
        {attempt.error && <Failed what="Couldn't try these settings. Nothing was changed." error={attempt.error} />}
        {attempt.data && isOutdated && !attempt.isPending && (
          <Text mt="xs">The settings have changed since. Try them again.</Text>
        )}
        {attempt.data && !isOutdated && <Outcome trial={attempt.data} />}
      </div>
    </section>
  );
};
