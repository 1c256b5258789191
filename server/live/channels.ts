/**
 * Streams that see the same share one channel: what a change means for them is found out once, however many pages are open.
 */
import type { Logger } from 'pino';
import type { LiveEvent } from '#contract/live.ts';
import type { Actor } from '#server/access/actor.ts';
import type { Clock } from '#server/clock.ts';
import type { Change } from '#server/database/change-log.ts';
import type { Database } from '#server/database/pool.ts';
import { liveEventsFor } from './changes.ts';
import type { LiveHub } from './hub.ts';

export interface Listener {
  send: (event: LiveEvent) => void;
  /** What was to be told could not be found out: the page must ask for everything again. */
  fail: () => void;
}

export interface ChannelDeps {
  db: Database;
  hub: LiveHub;
  clock: Clock;
  log: Logger;
}

/** More changes than this at a time are told as 'reload'. */
const MANY = 200;

export class Channels {
  readonly #deps: ChannelDeps;
  readonly #channels = new Map<string, Channel>();

  constructor(deps: ChannelDeps) {
    this.#deps = deps;
  }

  /** Tells the listener what changes for the actor from now on; answers with what ends that. */
  join(actor: Actor, listener: Listener): () => void {
    const key = JSON.stringify([actor.teamId, actor.groupsWith('canViewPings'), actor.groupsWith('canUploadRoster')]);
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
  #waiting: Change[] = [];
  #isTelling = false;

  /** `actor`: any of those who listen; all see the same groups. */
  constructor(actor: Actor, deps: ChannelDeps) {
    this.#actor = actor;
    this.#deps = deps;
    this.close = deps.hub.subscribe((changes) => {
      this.#waiting.push(...changes);
      void this.#tell();
    });
  }

  async #tell(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    const { db, clock, log } = this.#deps;
    try {
      while (this.#waiting.length > 0 && this.listeners.size > 0) {
        const changes = this.#waiting;
        this.#waiting = [];
        const reload: LiveEvent = { kind: 'reload', data: { at: clock().toISOString() } };
        const events = changes.length > MANY ? [reload] : await liveEventsFor(db, this.#actor, changes, clock());
        for (const event of events) for (const listener of this.listeners) listener.send(event);
      }
    } catch (error) {
      log.warn(
        { err: error, teamId: this.#actor.teamId },
        'Live: changes could not be told; the streams are closed and come back',
      );
      for (const listener of this.listeners) listener.fail();
    } finally {
      this.#isTelling = false;
    }
  }
}
