import type { Clock } from '#server/platform/calendar/clock.ts';

interface Count {
  count: number;
  since: Date;
}

/** Admits so many events of a key in a minute and counts the rest, so that a flood of refusals becomes one entry instead of a full disk. */
export class Flood<Key> {
  readonly #most: number;
  readonly #clock: Clock;
  #minute = 0;
  #seen = new Map<string, number>();
  #rest = new Map<string, Count & { key: Key }>();

  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  /** Returns whether the event is to be written by itself. */
  admit(key: Key): boolean {
    const now = this.#clock();
    const minute = Math.floor(now.getTime() / 60_000);
    if (minute !== this.#minute) this.#seen.clear();
    this.#minute = minute;
    const name = JSON.stringify(key);
    const seen = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, seen);
    if (seen <= this.#most) return true;
    const rest = this.#rest.get(name) ?? { key, count: 0, since: now };
    rest.count++;
    this.#rest.set(name, rest);
    return false;
  }

  /** Returns what was counted since the last time. */
  take(): (Count & { key: Key })[] {
    const counted = [...this.#rest.values()];
    this.#rest.clear();
    return counted;
  }
}
