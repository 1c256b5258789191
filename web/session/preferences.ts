import { queryOptions } from '@tanstack/react-query';
import type { Me } from '#contract/accounts.ts';
import type { Preferences, Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { setShortcuts } from '../ui/shortcuts.ts';
import { apply } from './apply-preferences.ts';
import { meQuery } from './queries.ts';

const note = (preferences: Preferences): void => {
  queryClient.setQueryData<Me | null>(meQuery.queryKey, (me) => me && { ...me, preferences });
  apply(preferences);
};

const fetchProfile = async (): Promise<Profile> => {
  const profile = await call('GET /api/users/profile');
  note(profile.preferences); // Before the profile is rendered: its times are in the chosen time zone.
  return profile;
};

/** The user's own account: preferences, two-step verification, passkeys, sessions. */
export const profileQuery = queryOptions({ queryKey: ['profile'], queryFn: fetchProfile });

/** Saves changed preferences on the server, then applies them. */
export const savePreferences = async (change: Partial<Preferences>): Promise<void> => {
  const me = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  if (!me) throw new Error('No one is signed in.');
  const preferences = { ...me.preferences, ...change };
  await call('PUT /api/users/preferences', { body: preferences });
  queryClient.setQueryData<Profile>(profileQuery.queryKey, (was) => was && { ...was, preferences });
  note(preferences);
};

/** Turns single-key shortcuts on or off here immediately, and on the server if it can be reached. */
export const switchShortcuts = (on: boolean): void => {
  setShortcuts(on);
  void savePreferences({ singleKeyShortcuts: on }).catch(() => {});
};
