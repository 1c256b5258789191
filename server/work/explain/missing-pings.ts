/**
 * Why a patient has no ping on a day (docs/decisions/0068). An administrator learns about events in visits that the own lists may read, and about
 * messages of own facilities. Of everything else the answer is the same whether it exists or not.
 */
import { DAY } from '#contract/durations.ts';
import type { MissingPingCode, MissingPingFinding, MissingPings } from '#contract/missing-pings.ts';
import { MISSING_PING_CODES } from '#contract/missing-pings.ts';
import { MESSAGES_KEPT_DAYS } from '#server/intake/messages/partitions.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { placeholderOf } from '#server/record/scoring/names.ts';
import { findingOf, pingFinding, withoutPing } from './missing-findings.ts';
import {
  type AskedDay,
  eventsOn,
  type FacilityRow,
  facilitiesFor,
  factsOn,
  feedOn,
  type ListedRow,
  listedIn,
  otherRecordsOf,
  pingsOn,
  reviewsOf,
} from './missing-queries.ts';

interface Question {
  patientId: string;
  /** At the patient's oldest list; by default today. */
  day?: string | undefined;
  /** Whose messages are looked at; by default those of facilities that know the patient. */
  facilityId?: string | undefined;
}

/**
 * Returns why, the most telling first. Errors: NOT_FOUND for a patient on none of the actor's lists, and for a facility of someone else;
 * BAD_REQUEST for a day to come or before 1900.
 */
export async function missingPings(
  tx: ActorTransaction,
  { patientId, day, facilityId }: Question,
  now: Date,
): Promise<MissingPings> {
  const { personId } = await resolvePatient(tx, patientId);
  const listings = await listedIn(tx, personId);
  const timeZone = listings[0]?.timeZone ?? 'UTC';
  const today = localDateOf(now.getTime(), timeZone);
  checkDay(day ?? today, localDateOf(now.getTime() + DAY, timeZone));
  const on = dayOf(day ?? today, timeZone);
  const facilities = await facilitiesFor(tx, personId);
  if (facilityId !== undefined && !facilities.some(({ id }) => id === facilityId)) throw new ApiError('NOT_FOUND');
  const chosen = facilities.filter(({ id, knows }) => (facilityId === undefined ? knows : id === facilityId));
  const found = [
    ...(await aboutEvents(tx, { personId, listings, on })),
    ...(await aboutPerson(tx, { personId, listings, on })),
    ...(await aboutMessages(tx, { personId, facilities: chosen.slice(0, MOST_FACILITIES), on, now })),
  ];
  const findings = found.length > 0 ? found.sort((a, b) => rank(a.code) - rank(b.code)) : [findingOf('NOTHING')];
  const choices = facilities.map(({ id, name }) => ({ id, name }));
  return { patientId: `${listings[0]?.id}_0`, day: on.day, timeZone, findings, facilities: choices };
}

const MOST_FACILITIES = 10;
const rank = (code: MissingPingCode): number => MISSING_PING_CODES.indexOf(code);

const EARLIEST_DAY = '1900-01-01';

/** Tomorrow may be today where the reader is. Other days are in no zone's calendar, or have nothing to say. */
function checkDay(day: string, tomorrow: string): void {
  if (day > tomorrow || day < EARLIEST_DAY) throw badField('day', 'Choose a day from 1900 until today.');
}

function dayOf(day: string, timeZone: string): AskedDay {
  const instant = (at: number) => new Date(instantOfLocal(at, timeZone)).toISOString();
  return { day, from: instant(Date.parse(day)), to: instant(Date.parse(day) + DAY) };
}

interface AboutPerson {
  personId: string;
  listings: readonly ListedRow[];
  on: AskedDay;
}

/** What became of the events of the day for each list; for a list without any, whether the patient was on it. */
async function aboutEvents(
  tx: ActorTransaction,
  { personId, listings, on }: AboutPerson,
): Promise<MissingPingFinding[]> {
  const events = await eventsOn(tx, personId, on);
  const eventIds = events.map(({ id }) => id);
  const pings = await pingsOn(tx, personId, eventIds, on);
  const moved = pings.filter(({ eventId, isMoved }) => isMoved && !eventIds.includes(eventId));
  const nameOf = (groupId: string) => listings.find((each) => each.groupId === groupId)?.groupName ?? '';
  const perList = listings.flatMap((listing) => {
    const found = events.map((event) => {
      const ping = pings.find(({ eventId, groupId }) => eventId === event.id && groupId === listing.groupId);
      return ping ? pingFinding(ping, event, listing.groupName) : withoutPing(event, listing);
    });
    return found.length > 0 ? found : membership(listing, on);
  });
  return [...moved.map((ping) => pingFinding(ping, null, nameOf(ping.groupId))), ...perList];
}

function membership({ groupName, listedAt, leftAt }: ListedRow, { to }: AskedDay): MissingPingFinding[] {
  if (leftAt !== null && leftAt < to) return [findingOf('LEFT_LIST', { groupName, date: leftAt })];
  return listedAt >= to ? [findingOf('NOT_LISTED_YET', { groupName, date: listedAt })] : [];
}

async function aboutPerson(
  tx: ActorTransaction,
  { personId, listings, on }: AboutPerson,
): Promise<MissingPingFinding[]> {
  const ids = listings.map(({ id }) => id);
  const [reviews, others] = [await reviewsOf(tx, personId, ids, on.to), await otherRecordsOf(tx, personId, ids)];
  const unnamed = listings.filter(({ leftAt, name }) => leftAt === null && placeholderOf(name) !== null);
  return [
    ...unnamed.map(({ groupName }) => findingOf('PLACEHOLDER_NAME', { groupName })),
    ...reviews.map((review) => findingOf('IN_REVIEW', review)),
    ...others.map(({ id, groupName }) => findingOf('OTHER_RECORD', { groupName, patientId: `${id}_0` })),
  ];
}

interface AboutMessages {
  personId: string;
  facilities: readonly FacilityRow[];
  on: AskedDay;
  now: Date;
}

/** Outcomes that the events already tell (`record/fold/outcomes.ts`). */
const CHANGES_EVENTS = /^(Created|Updated): /;

async function aboutMessages(
  tx: ActorTransaction,
  { personId, facilities, on, now }: AboutMessages,
): Promise<MissingPingFinding[]> {
  const ids = facilities.map(({ id }) => id);
  const facts = ids.length > 0 ? await factsOn(tx, personId, ids, on) : [];
  const isKept = Date.parse(on.from) > now.getTime() - MESSAGES_KEPT_DAYS * DAY;
  const found: MissingPingFinding[] = [];
  for (const { id, name: facilityName, isAutomated } of facilities) {
    const own = facts.filter(({ facilityId }) => facilityId === id);
    for (const { outcome, receivedAt: date, messageId } of own.filter((fact) => !CHANGES_EVENTS.test(fact.outcome)))
      found.push(findingOf('NO_NEW_EVENT', { facilityName, detail: outcome || null, date, messageId }));
    if (!isAutomated && own.length === 0) found.push(findingOf('NO_ENTRY', { facilityName }));
    if (isAutomated && isKept) found.push(...(await aboutFeed(tx, { id, facilityName, on, hasOwn: own.length > 0 })));
  }
  return found;
}

async function aboutFeed(
  tx: ActorTransaction,
  { id, facilityName, on, hasOwn }: { id: string; facilityName: string; on: AskedDay; hasOwn: boolean },
): Promise<MissingPingFinding[]> {
  const { messages, pausedAt } = await feedOn(tx, id, on);
  const total = messages.reduce((sum, { count }) => sum + count, 0);
  const stopped = messages.flatMap(({ status, reason, count, messageId }) =>
    status === 'APPLIED' ? [] : [findingOf(status, { facilityName, detail: reason || null, count, messageId })],
  );
  const paused = pausedAt === null ? [] : [findingOf('FEED_PAUSED', { facilityName, date: pausedAt })];
  if (total === 0) return [...paused, findingOf('NO_MESSAGE', { facilityName })];
  const none = hasOwn ? [] : [findingOf('NO_MESSAGE_OF_PATIENT', { facilityName, count: total })];
  return [...paused, ...stopped, ...none];
}
