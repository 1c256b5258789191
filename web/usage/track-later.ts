import type { track as tracking } from './track.ts';

/** `track` for the first page, which doesn't wait for the tracking code to load. */
export const track: typeof tracking = (name, extra) => {
  void import('./track.ts').then(
    (usage) => usage.track(name, extra),
    () => {}, // Offline: the event is lost, which is acceptable.
  );
};
