import type { LiveEvent, LiveEvents } from '#contract/live.ts';
import { noteHeard } from './call.ts';

/**
 * One event stream per browser and team. The tab that holds the lock owns the EventSource and tells the others over a channel;
 * when it closes, the lock passes on. Without locks or channels each tab has a stream of its own. Only ids travel.
 */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'stale' | 'paused';
export interface LiveStatus {
  state: LiveState;
  /** When the server was last heard from, in epoch milliseconds; null before the first contact. */
  since: number | null;
}
type Listener = (event: LiveEvent) => void;
/** What the tabs tell each other: events, how the connection is, and of a tab that has just been opened, `joined`. */
type Told = LiveEvent | { kind: 'lost' } | { kind: 'found' } | { kind: 'joined' };

/** Two minutes without contact make what stands on the page stale (ux.md, "Live without jumping"). */
export const STALE_AFTER = 120_000;
/** The server says `alive` every 20 seconds; missing it twice is a lost connection. */
const SILENT_AFTER = 50_000;
const KINDS: (keyof LiveEvents)[] = ['alive', 'ping', 'rows', 'counts', 'reload', 'roster', 'ended'];

/** Owns an EventSource until aborted; opens it again with a growing pause where the browser gave up. */
const stream = (teamId: string, tell: (told: Told) => void, signal: AbortSignal): void => {
  let pause = 1000;
  const open = (): void => {
    if (signal.aborted) return;
    const source = new EventSource(`/api/live?teamId=${encodeURIComponent(teamId)}`);
    source.onopen = () => {
      pause = 1000;
      tell({ kind: 'found' });
    };
    source.onerror = () => {
      tell({ kind: 'lost' });
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(open, pause);
      pause = Math.min(pause * 2, 30_000);
    };
    for (const kind of KINDS)
      source.addEventListener(kind, (message: MessageEvent<string>) => {
        tell({ kind, data: JSON.parse(message.data) });
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
  /** Whether something may have been missed; before the first contact too, for the page has begun to read by then. */
  private lost = true;
  private deaf = false;
  /** The newest counts: who listens later is told them too. */
  private counts: LiveEvent | null = null;
  private readonly clock: ReturnType<typeof setInterval>;

  constructor(teamId: string) {
    const { signal } = this.ending;
    this.clock = setInterval(() => this.check(), 5000);
    // Browsers have no locks where the page came without TLS.
    const { locks } = navigator as { locks?: LockManager | null };
    if (!locks || typeof BroadcastChannel === 'undefined') {
      stream(teamId, (told) => this.hear(told), signal);
      return;
    }
    const channel = new BroadcastChannel(`tidings-live-${teamId}`);
    let leads = false;
    channel.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.kind !== 'joined') this.hear(data);
      else if (leads && this.counts) channel.postMessage(this.counts);
    };
    channel.postMessage({ kind: 'joined' });
    signal.addEventListener('abort', () => channel.close());
    const lead = async (): Promise<void> => {
      // Granted in the moment of closing: kept, it would shut every other tab out.
      if (signal.aborted) return;
      leads = true;
      // Whoever follows a closed tab may have missed what came in between.
      this.lost = true;
      stream(
        teamId,
        (told) => {
          this.hear(told);
          if (!signal.aborted) channel.postMessage(told);
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

  /** Hears every event until the returned function is called. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    if (this.counts) listener(this.counts);
    return () => this.listeners.delete(listener);
  }

  /** While one signs out, its own end is no news; who stays signed in hears again. */
  silence(on: boolean): void {
    this.deaf = on;
  }

  /** Events are not acted on while paused, but for the end of the session; going on asks for everything again. */
  pause(on: boolean): void {
    this.set({ ...this.status, state: on ? 'paused' : 'live' });
    if (!on) this.tell({ kind: 'reload', data: { at: new Date().toISOString() } });
  }

  close(): void {
    clearInterval(this.clock);
    this.ending.abort();
  }

  private hear(told: Told): void {
    if (this.deaf) return;
    if (this.status.state === 'paused') {
      if (told.kind === 'ended') this.tell(told);
      return;
    }
    if (told.kind === 'lost') {
      this.lost = true;
      if (this.status.state !== 'stale') this.set({ ...this.status, state: 'reconnecting' });
      return;
    }
    this.set({ state: 'live', since: Date.now() });
    if (this.lost) {
      this.lost = false;
      this.tell({ kind: 'reload', data: { at: new Date().toISOString() } });
    }
    if (told.kind === 'counts') this.counts = told;
    if (told.kind === 'ping' || told.kind === 'reload') noteHeard();
    if (told.kind !== 'found' && told.kind !== 'joined') this.tell(told);
  }

  private check(): void {
    const { state, since } = this.status;
    if (state === 'paused' || since === null) return;
    const silence = Date.now() - since;
    if (silence > STALE_AFTER && state !== 'stale') {
      this.lost = true;
      this.set({ state: 'stale', since });
    } else if (silence > SILENT_AFTER && state === 'live') {
      this.lost = true;
      this.set({ state: 'reconnecting', since });
    }
  }

  private set(status: LiveStatus): void {
    this.status = status;
    for (const watcher of this.watchers) watcher();
  }

  private tell(event: LiveEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}
