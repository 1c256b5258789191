import { currentDensity, setDensity } from '../ui/density.ts';
import { savePreferences } from './preferences.ts';

/** Switches between comfortable and compact rows: here immediately, and on the server if it can be reached. */
export const switchDensity = (): void => {
  const density = currentDensity() === 'compact' ? 'comfortable' : 'compact';
  setDensity(density);
  void savePreferences({ density }).catch(() => {});
};
