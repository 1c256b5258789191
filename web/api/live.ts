/**
 * One event stream per browser and team. The tab that holds the lock owns the EventSource and forwards its events to the other tabs
 * over a channel; when that tab closes, another gets the lock. Without locks or channels, each tab has its own stream. Events carry
 * ids only.
 */
import type { LiveEvent, LiveEvents } from '#contract/live.ts';
import { noteLiveEvent } from './call.ts';

type LiveState = 'connecting' | 'live' | 'reconnecting' | 'stale' | 'paused';
export interface LiveStatus {
  state: LiveState;
  /** The last contact with the server, in epoch milliseconds; null before the first. */
  since: number | null;
}
type Listener = (event: LiveEvent) => void;
/** What travels between tabs: events, whether the connection was lost or found, and `joined` from a tab that has just opened. */
type TabMessage = LiveEvent | { kind: 'lost' } | { kind: 'found' } | { kind: 'joined' };

/** After two minutes without contact the page no longer counts as current. */
const STALE_AFTER = 120_000;
/** The server sends `alive` every 20 seconds; after two missing ones the connection counts as lost. */
const SILENT_AFTER = 50_000;
/** All kinds, by type: an EventSource hears only those that it listens for. */
const KINDS: Record<keyof LiveEvents, true> = {
  alive: true,
  ping: true,
  stay: true,
  rows: true,
  counts: true,
  reviews: true,
  reload: true,
  roster: true,
  feeds: true,
  viewers: true,
  held: true,
  rights: true,
  ended: true,
};

/** Keeps an EventSource open until aborted; where the browser gives up, reopens it after a growing pause. */
const stream = (teamId: string, publish: (message: TabMessage) => void, signal: AbortSignal): void => {
  let pause = 1000;
  const open = (): void => {
    if (signal.aborted) return;
    const source = new EventSource(`/api/live?teamId=${encodeURIComponent(teamId)}`);
    source.onopen = () => {
      pause = 1000;
      publish({ kind: 'found' });
    };
    source.onerror = () => {
      publish({ kind: 'lost' });
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(open, pause);
      pause = Math.min(pause * 2, 30_000);
    };
    for (const kind of Object.keys(KINDS) as (keyof LiveEvents)[])
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
        publish({ kind, data: JSON.parse(data) });
        if (kind === 'ended') source.close();
      });
    signal.addEventListener('abort', () => source.close(), { once: true });
  };
  open();
};

/** The live connection of a team, as one tab sees it. */
export class Live {
  private status: LiveStatus = { state: 'connecting', since: null };
  private readonly watchers = new Set<() => void>();
  private readonly listeners = new Set<Listener>();
  private readonly ending = new AbortController();
  /** Whether events may have been missed. True at first: the page starts loading before the first contact. */
  private missed = true;
  /** The latest counts, for listeners that are added later. */
  private readonly counts = new Map<'counts' | 'reviews', LiveEvent>();
  private readonly clock: ReturnType<typeof setInterval>;

  constructor(teamId: string) {
    const { signal } = this.ending;
    this.clock = setInterval(() => this.check(), 5000);
    addEventListener('offline', () => this.check(), { signal });
    // Browsers offer no locks on a page that was loaded without TLS.
    const { locks } = navigator as { locks?: LockManager | null };
    if (!locks || typeof BroadcastChannel === 'undefined') {
      stream(teamId, (message) => this.receive(message), signal);
      return;
    }
    const channel = new BroadcastChannel(`tidings-live-${teamId}`);
    let leads = false;
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (data.kind !== 'joined') this.receive(data);
      else if (leads) for (const latest of this.counts.values()) channel.postMessage(latest);
    };
    channel.postMessage({ kind: 'joined' });
    signal.addEventListener('abort', () => channel.close());
    const lead = async (): Promise<void> => {
      // The lock was granted while this tab was closing: holding it would shut out every other tab.
      if (signal.aborted) return;
      leads = true;
      // Between a closed tab's stream and this one, events may have been missed.
      this.missed = true;
      stream(
        teamId,
        (message) => {
          this.receive(message);
          if (!signal.aborted) channel.postMessage(message);
        },
        signal,
      );
      return new Promise((end) => signal.addEventListener('abort', () => end()));
    };
    locks.request(`tidings-live-${teamId}`, { signal }, lead).catch(() => {});
  }

  /** For useSyncExternalStore. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };
  readonly current = (): LiveStatus => this.status;

  /** Calls `listener` with every event until the returned function is called. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    for (const latest of this.counts.values()) listener(latest);
    return () => this.listeners.delete(listener);
  }

  /** While paused, only the end of the session and changed permissions are passed on; resuming reloads everything. */
  pause(on: boolean): void {
    this.set({ ...this.status, state: on ? 'paused' : 'live' });
    if (!on) this.notify({ kind: 'reload', data: { at: new Date().toISOString() } });
  }

  close(): void {
    clearInterval(this.clock);
    this.ending.abort();
  }

  private receive(message: TabMessage): void {
    if (this.status.state === 'paused') {
      if (message.kind === 'ended' || message.kind === 'rights') this.notify(message);
      return;
    }
    if (message.kind === 'lost') {
      this.missed = true;
      if (this.status.state !== 'stale') this.set({ ...this.status, state: 'reconnecting' });
      return;
    }
    this.set({ state: 'live', since: Date.now() });
    if (this.missed) {
      this.missed = false;
      this.notify({ kind: 'reload', data: { at: new Date().toISOString() } });
    }
    if (message.kind === 'counts' || message.kind === 'reviews') this.counts.set(message.kind, message);
    if (message.kind !== 'found' && message.kind !== 'joined') this.notify(message);
  }

  private check(): void {
    const { state, since } = this.status;
    if (state === 'paused' || since === null) return;
    const silence = Date.now() - since;
    if (silence > STALE_AFTER && state !== 'stale') {
      this.missed = true;
      this.set({ state: 'stale', since });
    } else if ((silence > SILENT_AFTER || !navigator.onLine) && state === 'live') {
      this.missed = true;
      this.set({ state: 'reconnecting', since });
    }
  }

  private set(status: LiveStatus): void {
    this.status = status;
    for (const watcher of this.watchers) watcher();
  }

  private notify(event: LiveEvent): void {
    // Also before the first contact the read model may have been behind.
    if (event.kind === 'ping' || event.kind === 'reload') noteLiveEvent();
    for (const listener of this.listeners) listener(event);
  }
}
