import type { track as tracking } from './track.ts';

/** `track`, for what loads first: tracking itself comes later. */
export const track: typeof tracking = (name, extra) => {
  void import('./track.ts').then(
    (usage) => usage.track(name, extra),
    () => {}, // Offline: nobody's work depends on it.
  );
};
