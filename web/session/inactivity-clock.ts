import { SESSION_ENDS_AFTER } from '#contract/constants.ts';

/** The warning comes so long before the end. */
const WARNING = 5 * 60_000;
/** Activity counts at most this often. */
const ACTIVITY_THROTTLE = 1000;
/** The server is notified of activity at most this often. */
const NOTIFY_SERVER_EVERY = 60_000;

/**
 * Measures the user's inactivity. Activity counts once a second and is sent to the other tabs. The server is notified once a minute,
 * or immediately when the session is about to end. Times in milliseconds.
 */
export class InactivityClock {
  private lastActive: number;
  private lastNotified: number;
  private pending: ReturnType<typeof setTimeout> | undefined;
  private readonly latestEnd: number;
  private readonly endsAfter: number;
  private readonly notifyServer: () => void;
  private readonly notifyTabs: (at: number) => void;

  /** `since`: when the page was opened, which counts as activity. `latestEnd`: when the session ends however active the user is; `endsAfter`: without activity. */
  constructor(
    notifyServer: () => void,
    notifyTabs: (at: number) => void,
    { since = Date.now(), latestEnd = Number.POSITIVE_INFINITY, endsAfter = SESSION_ENDS_AFTER } = {},
  ) {
    this.latestEnd = latestEnd;
    this.endsAfter = endsAfter;
    this.lastActive = since;
    this.lastNotified = since;
    this.notifyServer = notifyServer;
    this.notifyTabs = notifyTabs;
  }

  /** Counts activity in this tab. After the end of the session it has no effect. */
  active(): void {
    const now = Date.now();
    if (now - this.lastActive < ACTIVITY_THROTTLE || this.left() <= 0) return;
    const warned = this.isIdle();
    this.lastActive = now;
    this.notifyTabs(now);
    const wait = this.lastNotified + NOTIFY_SERVER_EVERY - now;
    if (warned || wait <= 0) this.notify();
    else this.pending ??= setTimeout(() => this.notify(), wait);
  }

  /** Counts activity in another tab, which notifies the server itself. */
  activeElsewhere(at: number): void {
    this.lastActive = Math.max(this.lastActive, at);
  }

  /** Returns the time until the session ends. */
  left(): number {
    return Math.min(this.endsAfter - (Date.now() - this.lastActive), this.untilLatestEnd());
  }
  warns(): boolean {
    return this.isIdle() || this.isLatestEndNear();
  }
  /** Whether the session is about to end no matter how active the user is. */
  isLatestEndNear(): boolean {
    return this.untilLatestEnd() <= WARNING;
  }
  stop(): void {
    clearTimeout(this.pending);
  }

  private isIdle(): boolean {
    return Date.now() - this.lastActive >= this.endsAfter - WARNING;
  }
  private untilLatestEnd(): number {
    return this.latestEnd - Date.now();
  }

  private notify(): void {
    clearTimeout(this.pending);
    this.pending = undefined;
    this.lastNotified = Date.now();
    this.notifyServer();
  }
}
