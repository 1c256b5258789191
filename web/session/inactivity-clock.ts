import { SESSION_ENDS_AFTER } from '#contract/constants.ts';

const WARNING_AFTER = 35 * 60_000;
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
  private readonly notifyServer: () => void;
  private readonly notifyTabs: (at: number) => void;

  /** `since`: when the page was opened, which counts as activity. `latestEnd`: when the session ends however active the user is. */
  constructor(
    notifyServer: () => void,
    notifyTabs: (at: number) => void,
    { since = Date.now(), latestEnd = Number.POSITIVE_INFINITY } = {},
  ) {
    this.latestEnd = latestEnd;
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
    return Math.min(SESSION_ENDS_AFTER - (Date.now() - this.lastActive), this.untilLatestEnd());
  }
  warns(): boolean {
    return this.isIdle() || this.isLatestEndNear();
  }
  /** Whether the session is about to end no matter how active the user is. */
  isLatestEndNear(): boolean {
    return this.untilLatestEnd() <= SESSION_ENDS_AFTER - WARNING_AFTER;
  }
  stop(): void {
    clearTimeout(this.pending);
  }

  private isIdle(): boolean {
    return Date.now() - this.lastActive >= WARNING_AFTER;
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
