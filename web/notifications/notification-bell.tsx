import { ActionIcon } from '@mantine/core';
import type { NotificationPreference } from '#contract/notifications.ts';
import { IconBell, IconBellOff, IconBellRinging } from '../ui/icons.ts';
import { notifies, preferenceInWords } from './notification-words.ts';

/** Returns the icon of what a filter sends: something, nothing for now, or nothing. */
export const bellOf = (preference: NotificationPreference | undefined) => {
  if (notifies(preference)) return IconBellRinging;
  return preference?.muted && (preference.email || preference.text) ? IconBellOff : IconBell;
};

/** The button that opens the notifications of a filter. */
export const NotificationBell = ({
  name,
  preference,
  edit,
}: {
  name: string;
  preference: NotificationPreference | undefined;
  edit: () => void;
}) => {
  const Bell = bellOf(preference);
  const words = preferenceInWords(preference);
  return (
    <ActionIcon aria-label={`Notifications for ${name}: ${words}`} title={`Notifications: ${words}`} onClick={edit}>
      <Bell size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
};
