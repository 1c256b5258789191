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
  apply(profile.preferences); // Before anything is drawn with it: its times are on the chosen clock already.
  return profile;
};

/** One's own account: preferences, second factor, passkeys, sessions. */
export const profileQuery = queryOptions({ queryKey: ['profile'], queryFn: fetchProfile });

/** Fetches the user's preferences once and applies them; until then, and without an answer, what this browser remembers holds. */
export const usePreferencesOfUser = (): void => {
  useQuery({ ...profileQuery, retry: false });
};

/** Keeps preferences on the server, then applies them. */
export const savePreferences = async (preferences: Preferences): Promise<void> => {
  await call('PUT /api/users/preferences', { body: preferences });
  queryClient.setQueryData<Profile>(profileQuery.queryKey, (was) => was && { ...was, preferences });
  apply(preferences);
};

/** Turns single-key shortcuts on or off here at once, and on the server where it can be reached. */
export const switchShortcuts = (on: boolean): void => {
  setShortcuts(on);
  const profile = queryClient.getQueryData<Profile>(profileQuery.queryKey);
  if (profile) void savePreferences({ ...profile.preferences, singleKeyShortcuts: on }).catch(() => {});
};
