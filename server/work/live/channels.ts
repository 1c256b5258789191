/**
 * Streams that see the same share one channel: what a change means for them is found out once, however many pages are open.
 */
import type { Logger } from 'pino';
import type { LiveEvent } from '#contract/live.ts';
import type { Actor } from '#server/people/access/actor.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import type { Change } from '#server/platform/changes/change-log.ts';
import type { Database } from '#server/platform/database/pool.ts';
import type { SearchPool } from '#server/work/search/search-threads.ts';
import { inboxCounts, listsAnyOf, liveEventsFor } from './live-events.ts';

/** Milliseconds. */
const ROWS_AFTER = 500;

export interface Listener {
  send: (event: LiveEvent) => void;
  /** What was to be told could not be found out: the page must ask for everything again. */
  fail: () => void;
}

export interface ChannelDeps {
  db: Database;
  search: SearchPool;
  follower: ChangeFollower;
  clock: Clock;
  log: Logger;
}

export class Channels {
  readonly #deps: ChannelDeps;
  readonly #channels = new Map<string, Channel>();

  constructor(deps: ChannelDeps) {
    this.#deps = deps;
  }

  /** Tells the listener what changes for the actor from now on; answers with what ends that. */
  join(actor: Actor, listener: Listener): () => void {
    const flags = ['canViewPings', 'canViewPatients', 'canUploadRoster'] as const;
    const key = JSON.stringify([actor.teamId, ...flags.map((flag) => actor.groupsWith(flag))]);
    const channel = this.#channels.get(key) ?? new Channel(actor, this.#deps);
    this.#channels.set(key, channel);
    channel.listeners.add(listener);
    return () => {
      channel.listeners.delete(listener);
      if (channel.listeners.size > 0) return;
      channel.close();
      this.#channels.delete(key);
    };
  }
}

class Channel {
  readonly listeners = new Set<Listener>();
  readonly close: () => void;
  readonly #actor: Actor;
  readonly #deps: ChannelDeps;
  readonly #hasLists: boolean;
  #waiting: Change[] = [];
  #isTelling = false;
  #counting: Promise<void> | null = null;
  #countAgain = false;
  readonly #persons = new Set<string>();
  #look: NodeJS.Timeout | null = null;

  /** `actor`: any of those who listen; all see the same groups. */
  constructor(actor: Actor, deps: ChannelDeps) {
    this.#actor = actor;
    this.#deps = deps;
    this.#hasLists = actor.can('canViewPatients');
    const leave = deps.follower.subscribe((changes) => {
      for (const change of changes) {
        if (change.kind === 'person') this.#noteRows(change);
        else this.#waiting.push(change);
      }
      void this.#tell();
    });
    this.close = () => {
      leave();
      if (this.#look) clearTimeout(this.#look);
    };
  }

  async #tell(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    const { db, clock } = this.#deps;
    try {
      while (this.#waiting.length > 0 && this.listeners.size > 0) {
        const changes = this.#waiting;
        this.#waiting = [];
        const events = await liveEventsFor(db, this.#actor, changes, clock());
        this.#send(events);
        if (events.some(({ kind }) => kind === 'ping')) this.#count();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isTelling = false;
    }
  }

  /** Lists are asked for again once for all that happens within a moment; who may see none is spared the question. */
  #noteRows({ subjectId }: Change): void {
    if (!this.#hasLists) return;
    if (subjectId !== null) this.#persons.add(subjectId);
    this.#look ??= setTimeout(() => void this.#tellRows(), ROWS_AFTER);
  }

  async #tellRows(): Promise<void> {
    const persons = [...this.#persons];
    this.#persons.clear();
    this.#look = null;
    try {
      if (!(await listsAnyOf(this.#deps.db, this.#actor, persons))) return;
      this.#send([{ kind: 'rows', data: { at: this.#deps.clock().toISOString() } }]);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Counting a long list takes longer than telling a ping, so no ping waits for it; what changes meanwhile is counted next. */
  #count(): void {
    if (this.#counting) {
      this.#countAgain = true;
      return;
    }
    this.#countAgain = false;
    this.#counting = inboxCounts(this.#deps.search, this.#actor, this.#deps.clock())
      .then(
        (counts) => this.#send([{ kind: 'counts', data: counts }]),
        (error: unknown) => this.#fail(error),
      )
      .finally(() => {
        this.#counting = null;
        if (this.#countAgain && this.listeners.size > 0) this.#count();
      });
  }

  #send(events: readonly LiveEvent[]): void {
    for (const event of events) for (const listener of this.listeners) listener.send(event);
  }

  #fail(error: unknown): void {
    this.#deps.log.warn(
      { err: error, teamId: this.#actor.teamId },
      'Live: changes could not be told; the streams are closed and come back',
    );
    for (const listener of this.listeners) listener.fail();
  }
}
