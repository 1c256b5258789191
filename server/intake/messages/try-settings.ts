/**
 * What would read differently if a feed had other settings? Its messages of the last week are read twice, with the settings in force and
 * with the others, and compared. Nothing is stored, and nothing else of the pipeline runs: how visits and pings follow is shown by the preview
 * of a single message. Runs in the preview thread.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DAY } from '#contract/durations.ts';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { type FeedSettings, feedSettings } from '#contract/feed-settings.ts';
import type { SettingsTrial } from '#contract/feeds.ts';
import { TRIAL_DAYS, TRIAL_EXAMPLES, TRIAL_MESSAGES, TRIAL_TIME, type TrialChange } from '#contract/message-words.ts';
import type { Feed } from '#server/intake/feeds/feed-lookup.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { PendingMessage } from './queries.ts';
import { type ReadMessage, readMessage } from './read-message.ts';

/** Settings as the form has them, with the facility identifiers of the feed. */
export interface TriedSettings {
  settings: Partial<FeedSettings>;
  /** Facility identifier → group ID. */
  facilities: Record<string, string>;
}

/** A difference. `before` and `after` are shown, so they hold codes and settings only. */
interface Difference {
  what: TrialChange;
  before: string | null;
  after: string | null;
}

const CHUNK = 100;
const MOST_CHANGES = 50;
/** A disposition that isn't mapped is free text. */
const CODE = /^[A-Za-z\d][A-Za-z\d ./_-]{0,19}$/;
const shownCode = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : CODE.test(text) ? text : '(text)';

/** Returns what two readings of one message differ in, without values that identify a patient. */
function differencesOf(before: ReadMessage, after: ReadMessage): Difference[] {
  if (before.kind !== 'facts' || after.kind !== 'facts') {
    const [was, becomes] = [outcomeOf(before), outcomeOf(after)];
    return was === becomes ? [] : [{ what: 'outcome', before: was, after: becomes }];
  }
  const found = before.facts.flatMap((fact, index) => {
    const other = after.facts[index];
    if (other === undefined) return [];
    const differences = factDifferences(fact.adt, other.adt);
    return fact.groupId === other.groupId
      ? differences
      : [{ what: 'facility' as const, before: null, after: null }, ...differences];
  });
  return found.filter((one, index) => found.findIndex((other) => isDeepStrictEqual(one, other)) === index);
}

/** Reasons name fields and identifiers of systems only (docs/feeds.md). */
const outcomeOf = (read: ReadMessage): string => (read.kind === 'facts' ? 'Applied' : read.reason);

function factDifferences(before: AdtFacts, after: AdtFacts): Difference[] {
  const found: Difference[] = [];
  const [was, becomes] = [before.visit, after.visit];
  if (was?.setting !== becomes?.setting)
    found.push({ what: 'setting', before: was?.setting ?? null, after: becomes?.setting ?? null });
  if (was?.disposition !== becomes?.disposition)
    found.push({ what: 'disposition', before: shownCode(was?.disposition), after: shownCode(becomes?.disposition) });
  if (!isDeepStrictEqual(timesOf(before), timesOf(after))) found.push({ what: 'time', before: null, after: null });
  if (!isDeepStrictEqual(recordOf(before), recordOf(after)))
    found.push({ what: 'recordNumber', before: null, after: null });
  if (!isDeepStrictEqual(restOf(before), restOf(after))) found.push({ what: 'other', before: null, after: null });
  return found;
}

const timesOf = ({ sentAt, recordedAt, occurredAt, visit, patient, disbelieved }: AdtFacts) => [
  sentAt,
  recordedAt,
  occurredAt,
  visit?.admittedAt,
  visit?.dischargedAt,
  visit?.expectedDischargeAt,
  patient.birthDate,
  patient.deceasedAt,
  disbelieved,
];

const recordOf = ({ patient }: AdtFacts) => [patient.recordNumber, patient.recordAuthority];

/** What the comparisons above leave out, such as the name of a unit. */
const restOf = ({ visit, merge, patient, facilityIdentifier }: AdtFacts) => {
  const { setting: _setting, disposition: _disposition, admittedAt: _in, dischargedAt: _out, ...rest } = visit ?? {};
  const { expectedDischargeAt: _expected, ...visitRest } = rest as Partial<NonNullable<AdtFacts['visit']>>;
  const {
    birthDate: _birth,
    deceasedAt: _died,
    recordNumber: _number,
    recordAuthority: _authority,
    ...person
  } = patient;
  return [visitRest, merge, person, facilityIdentifier];
};

type StoredMessage = Pick<
  PendingMessage,
  'id' | 'source' | 'raw' | 'receivedAt' | 'sendingApplication' | 'sendingFacility'
> & {
  controlId: string | null;
};

/** Returns what would read differently in the feed's messages of the last week, newest first. The caller has checked access to the feed. */
export async function trySettings(
  pipeline: Database,
  feedId: string,
  { settings, facilities }: TriedSettings,
  now: Date,
): Promise<SettingsTrial> {
  const since = new Date(now.getTime() - TRIAL_DAYS * DAY);
  const inForce = await feedInForce(pipeline, feedId);
  const tried: Feed = {
    ...inForce,
    settings: feedSettings.parse({ ...DEFAULT_FEED_SETTINGS, ...settings }),
    facilities,
  };
  const trial: SettingsTrial = { since: since.toISOString(), tried: 0, total: 0, changed: 0, changes: [] };
  trial.total = await countMessages(pipeline, feedId, since);
  const found = new Map<string, SettingsTrial['changes'][number]>();
  const until = Date.now() + TRIAL_TIME;
  for (let last: string | null = null; trial.tried < TRIAL_MESSAGES && Date.now() < until; ) {
    const messages: StoredMessage[] = await nextMessages(pipeline, feedId, since, last);
    for (const message of messages) {
      const differences = differencesOf(readMessage(message, inForce), readMessage(message, tried));
      if (differences.length > 0) trial.changed += 1;
      for (const difference of differences) note(found, difference, message);
    }
    trial.tried += messages.length;
    last = messages.at(-1)?.id ?? null;
    if (messages.length < CHUNK) break;
    // Other previews take turns.
    await breathe();
  }
  trial.changes = [...found.values()].sort((a, b) => b.messages - a.messages).slice(0, MOST_CHANGES);
  return trial;
}

function note(
  found: Map<string, SettingsTrial['changes'][number]>,
  difference: Difference,
  message: StoredMessage,
): void {
  const key = JSON.stringify(difference);
  const known = found.get(key) ?? { ...difference, messages: 0, examples: [] };
  known.messages += 1;
  if (known.examples.length < TRIAL_EXAMPLES) {
    const { id, controlId, receivedAt } = message;
    known.examples.push({ messageId: id, controlId, receivedAt: new Date(receivedAt).toISOString() });
  }
  found.set(key, known);
}

/** Returns the feed as its next message would be read, also while it is paused. */
async function feedInForce(pipeline: Database, id: string): Promise<Feed> {
  const { rows } = await pipeline.query<{
    settings: object;
    isBackfill: boolean;
    facilities: Record<string, string>;
  }>(sql`
    select f.settings, f.is_backfill as "isBackfill",
      coalesce((select jsonb_object_agg(identifier, group_id::text) from feed_facilities where feed_id = f.id), '{}') as facilities
    from feeds f where f.id = ${id}`);
  const { settings = {}, isBackfill = false, facilities = {} } = rows[0] ?? {};
  const { data } = feedSettings.safeParse({ ...DEFAULT_FEED_SETTINGS, ...settings });
  return { id, settings: data ?? null, isBackfill, isPaused: false, facilities };
}

async function countMessages(pipeline: Database, feedId: string, since: Date): Promise<number> {
  const { rows } = await pipeline.query<{ total: number }>(sql`
    select count(*)::int as total from messages m
    where m.feed_id = ${feedId} and m.received_at >= ${since} and m.raw is not null`);
  return rows[0]?.total ?? 0;
}

async function nextMessages(
  pipeline: Database,
  feedId: string,
  since: Date,
  last: string | null,
): Promise<StoredMessage[]> {
  const { rows } = await pipeline.query<StoredMessage>(sql`
    select m.id, m.source, m.raw, m.received_at as "receivedAt", m.sending_application as "sendingApplication",
      m.sending_facility as "sendingFacility", m.control_id as "controlId"
    from messages m
    where m.feed_id = ${feedId} and m.received_at >= ${since} and m.raw is not null and (${last}::bigint is null or m.id < ${last}::bigint)
    order by m.id desc limit ${CHUNK}`);
  return rows;
}
