import { FEED_OF_MESSAGE } from '#server/intake/feeds/feed-lookup.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { ReceivedMessage } from './received-message.ts';

type Sender = Pick<ReceivedMessage, 'source' | 'sendingApplication' | 'sendingFacility'>;

/** What people enter and what jobs store takes one turn together, and so does everything from senders without a feed. */
const OWN = '-1';
const WITHOUT_FEED = '0';
/** Milliseconds. Looking up a feed takes as long as a third of storing a message, and one that was set up just now may share the turn of strangers for so long. */
const KNOWN_FOR = 1000;

/** Whose turn messages take in the queue: that of their sender's feed. Which feed a message belongs to is decided when it is processed. */
export class SenderTurns {
  readonly #database: Queryable;
  readonly #known = new Map<string, string>();
  #until = 0;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Returns the turn of each message, in the same order. */
  async of(messages: readonly Sender[]): Promise<string[]> {
    if (performance.now() > this.#until) {
      this.#known.clear();
      this.#until = performance.now() + KNOWN_FOR;
    }
    const keys = messages.map(keyOf);
    const unknown = new Map<string, Sender>();
    for (const [index, key] of keys.entries()) if (!this.#known.has(key)) unknown.set(key, messages[index] as Sender);
    if (unknown.size > 0) {
      const turns = await this.#lookUp([...unknown.values()]);
      for (const [index, key] of [...unknown.keys()].entries()) this.#known.set(key, turns[index] ?? WITHOUT_FEED);
    }
    return keys.map((key) => this.#known.get(key) ?? WITHOUT_FEED);
  }

  async #lookUp(senders: readonly Sender[]): Promise<string[]> {
    const { rows } = await this.#database.query<{ turn: string }>(sql`
      select case when m.source in ('MANUAL', 'LINK') then ${OWN}::bigint else coalesce((${FEED_OF_MESSAGE}), ${WITHOUT_FEED}::bigint) end as turn
      from unnest(${senders.map((m) => m.source)}::text[], ${senders.map((m) => m.sendingApplication)}::text[],
        ${senders.map((m) => m.sendingFacility)}::text[])
        with ordinality as m (source, sending_application, sending_facility, position)
      order by m.position`);
    return rows.map(({ turn }) => turn);
  }
}

const keyOf = ({ source, sendingApplication, sendingFacility }: Sender): string =>
  JSON.stringify([source, sendingApplication, sendingFacility]);
