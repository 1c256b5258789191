/** The time at which rules are evaluated. It also remembers the next time at which a comparison made through it would change. */
export class RuleClock {
  readonly now: number;
  private next = Number.POSITIVE_INFINITY;

  constructor(now: number) {
    this.now = now;
  }

  /** Whether `at` is now or earlier. */
  isPast(at: number): boolean {
    if (at <= this.now) return true;
    if (at < this.next) this.next = at;
    return false;
  }

  /** Whether `at` is in the last `length` milliseconds. At exactly `length` it no longer is. */
  isWithin(at: number, length: number): boolean {
    return this.isPast(at) && !this.isPast(at + length);
  }

  /** Milliseconds since 1970; null if time alone changes none of the comparisons. */
  get changesAt(): number | null {
    return Number.isFinite(this.next) ? this.next : null;
  }
}
