import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Preferences, Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { setDensity } from '../ui/density.ts';
import { setReaderZone } from '../ui/format/date.ts';
import { setShortcuts } from '../ui/shortcuts.ts';

const apply = ({ density, singleKeyShortcuts, timeZone }: Preferences): void => {
  setDensity(density);
  setShortcuts(singleKeyShortcuts);
  setReaderZone(timeZone);
};

const fetchProfile = async (): Promise<Profile> => {
  const profile = await call('GET /api/users/profile');
  apply(profile.preferences); // Before the profile is rendered: its times are in the chosen time zone.
  return profile;
};

/** The user's own account: preferences, two-step verification, passkeys, sessions. */
export const profileQuery = queryOptions({ queryKey: ['profile'], queryFn: fetchProfile });

/** Loads the user's preferences once and applies them. Until then, and if that fails, this browser's stored ones apply. */
export const useSavedPreferences = (): void => {
  useQuery({ ...profileQuery, retry: false });
};

/** Saves preferences on the server, then applies them. */
export const savePreferences = async (preferences: Preferences): Promise<void> => {
  await call('PUT /api/users/preferences', { body: preferences });
  queryClient.setQueryData<Profile>(profileQuery.queryKey, (was) => was && { ...was, preferences });
  apply(preferences);
};

/** Turns single-key shortcuts on or off here immediately, and on the server if it can be reached. */
export const switchShortcuts = (on: boolean): void => {
  setShortcuts(on);
  const profile = queryClient.getQueryData<Profile>(profileQuery.queryKey);
  if (profile) void savePreferences({ ...profile.preferences, singleKeyShortcuts: on }).catch(() => {});
};
