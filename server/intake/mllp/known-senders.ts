/** Which addresses and senders belong to configured feeds, as far as their messages show. Kept in the database, so that a restart doesn't forget them. */
import type { Logger } from 'pino';
import { DAY } from '#contract/durations.ts';
import { OF_WAITING } from '#server/intake/feeds/feed-lookup.ts';
import type { MessageHeader } from '#server/intake/hl7/header.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type BudgetAnswer, type BudgetLimits, StoredBudget } from './stored-budget.ts';

/** An address that sent no feed's message for this long is unknown again. */
const KNOWN_FOR = 30 * DAY;
/** How long an address has to send a feed's messages until it is known, because anyone can claim a feed's name in a few. */
const KNOWN_AFTER = 7 * DAY;
/** Addresses of one feed that can be known. Of more, those that came first are. */
const MOST_OF_A_FEED = 4;
const REFRESH_EVERY = 60_000;
/** Addresses whose messages wait to be looked at. More than this are not from our senders. */
const MOST_WAITING = 10_000;

interface SenderOfFeed {
  application: string | null;
  facility: string | null;
}

/** MSH-3 and MSH-4. */
type SenderInHeader = Pick<MessageHeader, 'sendingApplication' | 'sendingFacility'>;

const isSender = ({ application, facility }: SenderOfFeed, header: SenderInHeader | null): boolean =>
  header !== null &&
  (application ?? header.sendingApplication) === header.sendingApplication &&
  (facility ?? header.sendingFacility) === header.sendingFacility;

/** An address counts as known if it has sent a feed's messages for a week, and did in the last 30 days, and is among the feed's first four. */
export class KnownSenders {
  readonly #database: Queryable;
  readonly #clock: Clock;
  readonly #log: Logger;
  #known: ReadonlySet<string> = new Set();
  /** By address, a stored message that shows whether the address belongs to a feed once it is processed. */
  readonly #waiting = new Map<string, string>();
  /** MSH-3 and MSH-4 of each feed, as it is or as it waits for approval; null accepts any. */
  #feeds: readonly SenderOfFeed[] = [];
  #timer: NodeJS.Timeout | null = null;
  readonly #budget: StoredBudget;

  /** `database`: connections of the pipeline role. */
  constructor(database: Queryable, clock: Clock, log: Logger, limits?: BudgetLimits) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
    this.#budget = new StoredBudget(database, clock, limits);
  }

  readonly isKnown = (address: string): boolean => this.#known.has(address);

  /** Whether a frame may be stored: always from an address or sender of a feed, else within what such an address may have stored on a day. */
  mayStore(address: string, { bytes, header }: { bytes: number; header: SenderInHeader | null }): BudgetAnswer {
    const isOfFeed = this.isKnown(address) || this.#feeds.some((feed) => isSender(feed, header));
    return isOfFeed ? 'taken' : this.#budget.take(address, bytes);
  }

  /** Notes that a message from this address was stored. */
  note(address: string, messageId: string): void {
    if (!this.#waiting.has(address) && this.#waiting.size < MOST_WAITING) this.#waiting.set(address, messageId);
  }

  /** Loads the known addresses, and refreshes them every minute from then on. */
  async start(): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => {
      this.refresh().catch((error: unknown) => this.#log.warn({ err: error }, 'MLLP: known senders not refreshed'));
    }, REFRESH_EVERY);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  async refresh(): Promise<void> {
    const forgotten = new Date(this.#clock().getTime() - KNOWN_FOR);
    const looked = await this.#record([...this.#waiting]);
    for (const { address, isWaiting } of looked) if (!isWaiting) this.#waiting.delete(address);
    await this.#database.query(sql`delete from mllp_senders where last_message_at < ${forgotten}`);
    const { rows } = await this.#database.query<{ address: string }>(sql`
      select distinct address from (
        select address, row_number() over (partition by feed_id order by first_message_at, address) as place from mllp_senders
        where last_message_at - first_message_at >= ${KNOWN_AFTER / 1000} * interval '1 second') as lasting
      where place <= ${MOST_OF_A_FEED}`);
    this.#known = new Set(rows.map(({ address }) => address));
    const feeds = await this.#database.query<SenderOfFeed>(sql`
      select sending_application as application, sending_facility as facility from feeds f
      where f.ended_at is null and f.kind = 'MLLP'
      union select ${OF_WAITING.sendingApplication}, ${OF_WAITING.sendingFacility} from feeds f
      where f.ended_at is null and f.kind = 'MLLP'`);
    this.#feeds = feeds.rows;
    await this.#budget.refresh();
  }

  /** Stores the addresses whose message belongs to a feed. Returns which messages still wait to be processed. */
  async #record(messages: [address: string, id: string][]): Promise<{ address: string; isWaiting: boolean }[]> {
    if (messages.length === 0) return [];
    const { rows } = await this.#database.query<{ address: string; isWaiting: boolean }>(sql`
      with looked as (
        select c.address, m.feed_id, m.received_at, m.status = 'PENDING' as is_waiting
        from unnest(${messages.map(([address]) => address)}::text[], ${messages.map(([, id]) => id)}::bigint[]) as c (address, id)
          left join messages m on m.id = c.id),
      stored as (
        insert into mllp_senders as s (feed_id, address, first_message_at, last_message_at)
        select feed_id, address, received_at, received_at from looked where feed_id is not null order by feed_id, address
        on conflict (feed_id, address) do update set last_message_at = greatest(s.last_message_at, excluded.last_message_at))
      select address, coalesce(is_waiting, false) as "isWaiting" from looked`);
    return rows;
  }
}
