/**
 * What would this message do? A preview runs the real pipeline in a transaction that is always rolled back, so that it reports exactly
 * what would happen and changes nothing (except sequences).
 */
import { randomInt } from 'node:crypto';
import type { z } from 'zod';
import type { messagePreview } from '#contract/feeds.ts';
import { feedsOf } from '#server/intake/feeds/feed-lookup.ts';
import { messagesIn } from '#server/intake/hl7/batch.ts';
import { headerOf } from '#server/intake/hl7/header.ts';
import { parseMessage } from '#server/intake/hl7/message.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { Process } from './message-queue.ts';
import type { MessageOutcome, PendingMessage } from './queries.ts';
import { UNREADABLE_HEADER } from './read-message.ts';

export type MessagePreview = z.output<typeof messagePreview>;

/** A preview, with the roster patients whom the message is about, for the audit log. */
export type AuditedPreview = MessagePreview & { patientIds: readonly string[] };

export interface PreviewDeps {
  /** Connected as the pipeline role. */
  pipeline: Database;
  process: Process;
}

/** Returns what the message would do in a feed. The caller has checked access to the feed. Errors: BAD_REQUEST for several messages. */
export async function preview(
  { pipeline, process }: PreviewDeps,
  feedId: string,
  text: string,
  now: Date,
): Promise<AuditedPreview> {
  const sender = await senderOfFhirFeed(pipeline, feedId);
  const received = sender === undefined ? asHl7(text) : asFhir(text, sender);
  if (received === null) return quarantined(UNREADABLE_HEADER);
  const message: PendingMessage = {
    // No stored message has a negative ID, and no two previews share one.
    id: String(-randomInt(1, 2 ** 47)),
    receivedAt: now.toISOString(),
    ...received,
    // A message with a feed has been counted before, so that the preview doesn't lock the feed's counts.
    feedId,
  };
  return inRolledBackTransaction(pipeline, async (tx) => {
    const [feed] = await feedsOf(tx, [message]);
    if (feed === 'unapproved' || feed?.id !== feedId) {
      return quarantined("MSH-3/MSH-4 of this message don't match an approved sender of this feed.");
    }
    // A paused feed can be previewed, so that its settings can be tried before it is resumed.
    await tx.query(sql`update feeds set paused_at = null where id = ${feedId} and paused_at is not null`);
    const { rows } = await tx.query<Newest>(sql`
      select (select coalesce(max(id), 0) from events) as event, (select coalesce(max(id), 0) from roster_patients) as listing`);
    const [outcome] = await process(tx, [message]);
    return report(tx, outcome as MessageOutcome, rows[0] ?? { event: '0', listing: '0' });
  });
}

type Received = Pick<PendingMessage, 'source' | 'raw' | 'sendingApplication' | 'sendingFacility'>;

/** Returns an HL7 v2 message as it would be received; null if it is none. Errors: BAD_REQUEST for several. */
function asHl7(text: string): Received | null {
  const [first, second] = messagesIn(Buffer.from(text));
  const single = first?.toString('utf8');
  if (second) throw new ApiError('BAD_REQUEST', { message: 'Preview one message at a time.' });
  const parsed = single && parseMessage(single);
  if (!parsed) return null;
  const { sendingApplication, sendingFacility } = headerOf(parsed);
  // The text came as UTF-8, whatever its MSH-18 declares; a byte order mark overrides MSH-18.
  return { source: 'MLLP', raw: Buffer.from(`\ufeff${single}`), sendingApplication, sendingFacility };
}

/** A FHIR message is the feed's by its token, which a preview doesn't have. */
const asFhir = (text: string, sendingApplication: string): Received => ({
  source: 'FHIR',
  raw: Buffer.from(text),
  sendingApplication,
  sendingFacility: '',
});

/** Returns what messages of a FHIR feed name as their sender; undefined for a feed of another kind. */
async function senderOfFhirFeed(pipeline: Database, feedId: string): Promise<string | undefined> {
  const { rows } = await pipeline.query<{ sender: string }>(
    sql`select sending_application as sender from feeds where id = ${feedId} and kind = 'FHIR'`,
  );
  return rows[0]?.sender;
}

/** The highest ids from before. */
interface Newest {
  event: string;
  listing: string;
}

const quarantined = (reason: string): AuditedPreview => ({
  outcome: 'quarantine',
  reason,
  facilityName: null,
  matching: null,
  events: [],
  recipients: 0,
  patientIds: [],
});

/** Carries the result out of a transaction that is rolled back. */
class RolledBack<T> extends Error {
  override name = 'RolledBack';
  readonly result: T;
  constructor(result: T) {
    super('rolled back on purpose');
    this.result = result;
  }
}

async function inRolledBackTransaction<T>(database: Database, fn: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(
      async (tx) => {
        throw new RolledBack(await fn(tx));
      },
      { retries: 3 },
    );
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}

const OUTCOMES: Partial<Record<MessageOutcome['status'], MessagePreview['outcome']>> = {
  APPLIED: 'facts',
  NOT_ACTED_ON: 'not-acted-on',
};

/** Returns what this transaction wrote: such rows carry its ID in `xmin`. */
async function report(
  tx: Transaction,
  { id, status, reason }: MessageOutcome,
  newest: Newest,
): Promise<AuditedPreview> {
  const events = await tx.query<MessagePreview['events'][number] & { id: string }>(sql`
    select id, code as status,
      case when state = 'CANCELLED' then 'cancelled' when id > ${newest.event} then 'added' else 'amended' end as change,
      case when event_precision = 'day' then event_day::text
        else to_char(event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end as "eventDate"
    from events where xmin = pg_current_xact_id()::xid order by event_at, id`);
  const pinged = await tx.query<{ recipients: number }>(sql`
    select count(distinct group_id)::int as recipients from pings
    where xmin = pg_current_xact_id()::xid and event_id = any (${events.rows.map((event) => event.id)}::bigint[])`);
  const patients = await tx.query<Pick<MessagePreview, 'facilityName' | 'matching'>>(sql`
    select g.name as "facilityName", case
      when exists (select from match_reviews r
        where r.subject = 'SOURCE_PATIENT' and r.subject_id = s.id and r.decided_at is null) then 'review'
      when exists (select from source_patients o where o.person_id = s.person_id and o.id <> s.id)
        or exists (select from roster_patients l
          where l.person_id = s.person_id and (l.group_id, l.member_id) <> (s.group_id, s.record_number)) then 'matched'
      else 'new' end as matching
    from facts f join source_patients s on s.id = f.source_patient_id join groups g on g.id = s.group_id
    where f.message_id = ${id} order by f.ordinal limit 1`);
  const known = await tx.query<{ id: string }>(sql`
    select patient as id from patients_of_message(${id}) patient where patient <= ${newest.listing}`);
  const patient = patients.rows[0] ?? { facilityName: null, matching: null };
  return {
    outcome: OUTCOMES[status] ?? 'quarantine',
    reason,
    ...patient,
    events: events.rows.map(({ id: _, ...event }) => event),
    recipients: pinged.rows[0]?.recipients ?? 0,
    patientIds: known.rows.map((listing) => listing.id),
  };
}
