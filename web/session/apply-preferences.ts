import type { Preferences } from '#contract/users.ts';
import { setDensity } from '../ui/density.ts';
import { setReaderZone } from '../ui/format/date.ts';
import { setShortcuts } from '../ui/shortcuts.ts';

/** Makes the pages follow the user's preferences. Until they are known, those stored in this browser apply. */
export const apply = ({ density, singleKeyShortcuts, timeZone }: Preferences): void => {
  setDensity(density);
  setShortcuts(singleKeyShortcuts);
  setReaderZone(timeZone);
};
