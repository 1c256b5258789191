import { SESSION_ENDS_AFTER, SESSION_RESET_THROTTLE, SESSION_WARNING_AFTER } from '#contract/constants.ts';

/** The server needs to hear of activity only this often; what came in between is told at the end of it. */
export const TELL_EVERY = 60_000;

/**
 * How long nobody has done anything here. Activity counts once a second, is told to the other tabs, and to the server once a minute, or
 * at once when the session is about to end. Times in milliseconds.
 */
export class InactivityClock {
  private lastActive: number;
  private lastTold: number;
  private later: ReturnType<typeof setTimeout> | undefined;
  private readonly tellServer: () => void;
  private readonly tellOthers: (at: number) => void;

  /** `since`: when the page was opened, which is activity. */
  constructor(tellServer: () => void, tellOthers: (at: number) => void, since = Date.now()) {
    this.lastActive = since;
    this.lastTold = since;
    this.tellServer = tellServer;
    this.tellOthers = tellOthers;
  }

  /** Somebody did something in this tab. After the end it changes nothing any more. */
  active(): void {
    const now = Date.now();
    if (now - this.lastActive < SESSION_RESET_THROTTLE || this.left() <= 0) return;
    const warned = this.warns();
    this.lastActive = now;
    this.tellOthers(now);
    const wait = this.lastTold + TELL_EVERY - now;
    if (warned || wait <= 0) this.tell();
    else this.later ??= setTimeout(() => this.tell(), wait);
  }

  /** Somebody did something in another tab, which tells the server itself. */
  heard(at: number): void {
    this.lastActive = Math.max(this.lastActive, at);
  }

  /** Until the session ends. */
  left(): number {
    return SESSION_ENDS_AFTER - (Date.now() - this.lastActive);
  }
  warns(): boolean {
    return Date.now() - this.lastActive >= SESSION_WARNING_AFTER;
  }
  stop(): void {
    clearTimeout(this.later);
  }

  private tell(): void {
    clearTimeout(this.later);
    this.later = undefined;
    this.lastTold = Date.now();
    this.tellServer();
  }
}
