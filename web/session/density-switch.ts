import type { Profile } from '#contract/users.ts';
import { queryClient } from '../api/query-client.ts';
import { currentDensity, setDensity } from '../ui/density.ts';
import { profileQuery, savePreferences } from './preferences.ts';

/** Switches between comfortable and compact rows: here immediately, and on the server if it can be reached. */
export const switchDensity = (): void => {
  const density = currentDensity() === 'compact' ? 'comfortable' : 'compact';
  setDensity(density);
  const profile = queryClient.getQueryData<Profile>(profileQuery.queryKey);
  if (profile) void savePreferences({ ...profile.preferences, density }).catch(() => {});
};
