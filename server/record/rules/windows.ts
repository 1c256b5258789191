export const DAY = 86_400_000;

/** The moment at which rules are asked, and the next one at which a window that a rule looked through begins or ends. */
export class Watch {
  readonly now: number;
  private next = Number.POSITIVE_INFINITY;

  constructor(now: number) {
    this.now = now;
  }

  /** Whether `at` has come. */
  isPast(at: number): boolean {
    if (at <= this.now) return true;
    if (at < this.next) this.next = at;
    return false;
  }

  /** Whether `at` lies in the so many milliseconds up to now; it does no more when exactly so many have gone by. */
  isWithin(at: number, length: number): boolean {
    return this.isPast(at) && !this.isPast(at + length);
  }

  /** Milliseconds since 1970; null where nothing that was looked at will change by the clock alone. */
  get changesAt(): number | null {
    return Number.isFinite(this.next) ? this.next : null;
  }
}
