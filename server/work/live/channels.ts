/** Streams with the same permissions share a channel, so that each change is looked up once, however many pages are open. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LiveEvent } from '#contract/live.ts';
import type { Actor } from '#server/people/access/actor.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import type { Change } from '#server/platform/changes/change-log.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { LIST_FLAGS } from '#server/work/list-gaps/list-gaps.ts';
import type { SearchPool } from '#server/work/search/search-threads.ts';
import { ChangedRows, ROWS_DELAY } from './changed-rows.ts';
import { inboxCounts, LISTS_OF_ROWS, liveEventsFor, reviewCount } from './live-events.ts';

/** Milliseconds from one count of a channel to the next. Each waits until the search has read everything, and many pings come at once. */
const COUNT_EVERY = 500;

/** Returns an event as a stream carries it. */
export const frameOf = ({ kind, data }: LiveEvent): string => `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;

export interface Listener {
  /** Takes frames of one or more events. */
  send: (frames: string) => void;
  /** Called if changes could not be looked up: the page has to reload everything. */
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
  readonly #rows: ChangedRows;
  readonly #channels = new Map<string, Channel>();

  constructor(deps: ChannelDeps) {
    this.#deps = deps;
    this.#rows = new ChangedRows(deps);
  }

  /** Sends the listener the actor's changes from now on. Returns a function that ends it. */
  join(actor: Actor, listener: Listener): () => void {
    const flags = [
      'canViewPings',
      'canViewPatients',
      'canViewEventFeed',
      'canUploadRoster',
      'canManageUsers',
      'canUsePreAdmit',
    ] as const;
    const key = JSON.stringify([actor.teamId, actor.isOperator, ...flags.map((flag) => actor.groupsWith(flag))]);
    const channel = this.#channels.get(key) ?? new Channel(actor, this.#deps, this.#rows);
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
  #waiting: Change[] = [];
  #isSending = false;
  #counting: Promise<void> | null = null;
  #countAgain = false;
  #reviewsTimer: NodeJS.Timeout | null = null;
  #feedsTimer: NodeJS.Timeout | null = null;

  /** `actor`: any of the listening users; all see the same groups. */
  constructor(actor: Actor, deps: ChannelDeps, rows: ChangedRows) {
    this.#actor = actor;
    this.#deps = deps;
    const leave = deps.follower.subscribe((changes) => {
      for (const change of changes) {
        if (change.kind === 'review') this.#noteReviews(change);
        else if (change.kind === 'feed') this.#noteFeeds();
        else if (change.kind === 'held') this.#noteHeld(change);
        else if (change.kind !== 'person') this.#waiting.push(change);
      }
      void this.#sendChanges();
    });
    const leaveRows = rows.watch({
      groupIds: [...new Set(LISTS_OF_ROWS.flatMap((flag) => actor.groupsWith(flag)))],
      notice: () => this.#sendRows(),
    });
    this.close = () => {
      leave();
      leaveRows();
      if (this.#reviewsTimer) clearTimeout(this.#reviewsTimer);
      if (this.#feedsTimer) clearTimeout(this.#feedsTimer);
    };
  }

  async #sendChanges(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    const { db, clock } = this.#deps;
    try {
      while (this.#waiting.length > 0 && this.listeners.size > 0) {
        const changes = this.#waiting;
        this.#waiting = [];
        const events = await liveEventsFor(db, this.#actor, changes, clock());
        this.#send(events);
        // A stay that waits needs no action.
        if (events.some(({ kind }) => kind === 'ping' || kind === 'stay')) this.#count();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isSending = false;
    }
  }

  #sendRows(): void {
    this.#send([{ kind: 'rows', data: { at: this.#deps.clock().toISOString() } }]);
    // What was due may be done: a logged contact is no ping.
    if (this.#actor.can('canViewPings')) this.#count();
  }

  /** Counts matches a moment after they changed, because a roster opens many. Operators review those of all groups. */
  #noteReviews({ groupId }: Change): void {
    const { isOperator } = this.#actor;
    const groups = this.#actor.groupsWith('canManageUsers');
    if (groups.length === 0 || !(isOperator || (groupId !== null && groups.includes(groupId)))) return;
    this.#reviewsTimer ??= setTimeout(() => {
      this.#reviewsTimer = null;
      reviewCount(this.#deps.db, this.#actor).then(
        (event) => this.#send([event]),
        (error: unknown) => this.#fail(error),
      );
    }, ROWS_DELAY);
  }

  /** Only that something changed is sent, since a page asks which facilities concern it. Many feeds may change with one look. */
  #noteFeeds(): void {
    if (!LIST_FLAGS.some((flag) => this.#actor.can(flag))) return;
    this.#feedsTimer ??= setTimeout(() => {
      this.#feedsTimer = null;
      this.#send([{ kind: 'feeds', data: { at: this.#deps.clock().toISOString() } }]);
    }, ROWS_DELAY);
  }

  /** Two holds are seldom entered in one moment, so each is sent. */
  #noteHeld({ groupId }: Change): void {
    if (groupId !== null && this.#actor.groupsWith('canUsePreAdmit').includes(groupId))
      this.#send([{ kind: 'held', data: { at: this.#deps.clock().toISOString() } }]);
  }

  /** Counts in the background, because counting takes longer than sending a ping. Changes during a count trigger another one. */
  #count(): void {
    if (this.#counting) {
      this.#countAgain = true;
      return;
    }
    this.#countAgain = false;
    const counted = inboxCounts(this.#deps.search, this.#actor, this.#deps.clock()).then(
      (counts) => this.#send([{ kind: 'counts', data: counts }]),
      (error: unknown) => this.#fail(error),
    );
    this.#counting = Promise.all([counted, sleep(COUNT_EVERY, null, { ref: false })]).then(() => {
      this.#counting = null;
      if (this.#countAgain && this.listeners.size > 0) this.#count();
    });
  }

  /** Writes events once, and to each stream at once: with many streams that is most of the work. */
  #send(events: readonly LiveEvent[]): void {
    const frames = events.map(frameOf).join('');
    if (frames !== '') for (const listener of this.listeners) listener.send(frames);
  }

  #fail(error: unknown): void {
    this.#deps.log.warn(
      { err: error, teamId: this.#actor.teamId },
      'Live: changes could not be sent; streams are closed and will reconnect',
    );
    for (const listener of this.listeners) listener.fail();
  }
}
