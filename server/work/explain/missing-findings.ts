/** What became of an event for a list, or why it brought no ping: the delivery policy of `record/pings/notify.ts`, explained. Pure. */
import type { MissingPingCode, MissingPingFinding } from '#contract/missing-pings.ts';
import type { DayEvent, DayPing, ListedRow } from './missing-queries.ts';

const NONE: Omit<MissingPingFinding, 'code'> = {
  groupName: null,
  facilityName: null,
  event: null,
  date: null,
  detail: null,
  count: null,
  patientId: null,
  messageId: null,
};

/** Returns a finding with what is known. */
export const findingOf = (
  code: MissingPingCode,
  known: Partial<Omit<MissingPingFinding, 'code'>> = {},
): MissingPingFinding => ({ code, ...NONE, ...known });

/** Returns what became of a ping. `event`: null if its visit is another person's now, about which nothing else is shown. */
export function pingFinding(ping: DayPing, event: DayEvent | null, groupName: string): MissingPingFinding {
  const { code, day, timeZone, isMoved, state, status, resolutions, otherText, statusAt, sentAt, isLate } = ping;
  const shown = {
    groupName,
    facilityName: event?.facilityName ?? null,
    event: event ? eventOf(event) : { code, date: day, timeZone },
    patientId: `${ping.rosterPatientId}_${ping.encounterId}`,
  };
  if (isMoved) return findingOf('PING_MOVED', { ...shown, date: sentAt });
  if (state === 'CANCELLED') return findingOf('PING_RETRACTED', { ...shown, date: sentAt });
  if (status === 'RESOLVED' || status === 'DISMISSED') {
    const bySystem = resolutions?.includes('SYSTEM_RESOLVED') ?? false;
    const detail = bySystem ? otherText : null;
    return findingOf(bySystem ? 'PING_SYSTEM_RESOLVED' : 'PING_RESOLVED', { ...shown, detail, date: statusAt });
  }
  return findingOf(isLate ? 'PING_LATE' : 'PING_SENT', { ...shown, date: sentAt });
}

const eventOf = ({ code, precision, day, at, timeZone }: DayEvent) => ({
  code,
  date: precision === 'day' ? day : at,
  timeZone,
});

/** An admission that was only inferred is not sent later than this. */
const INFERRED_FOR = 24 * 3_600_000;

/** Returns why an event brought a list no ping. */
export function withoutPing(
  event: DayEvent,
  { groupId, groupName, listedAt, leftAt, opensFrom }: ListedRow,
): MissingPingFinding {
  const { facilityName, receivedAt } = event;
  const shown = { groupName, facilityName, event: eventOf(event) };
  if (event.facilityId === groupId) return findingOf('OWN_FACILITY', shown);
  if (event.state === 'CANCELLED') return findingOf('CANCELED_FIRST', shown);
  if (event.isBackfill) return findingOf('BACKFILL', shown);
  if (listedAt > receivedAt) return findingOf('EVENT_BEFORE_LISTING', { ...shown, date: listedAt });
  if (leftAt !== null && leftAt <= receivedAt) return findingOf('EVENT_AFTER_LEAVING', { ...shown, date: leftAt });
  if (event.isPart2 && !event.consents.includes(groupId)) return findingOf('NO_CONSENT', shown);
  const isStale = event.isOver || Date.parse(receivedAt) - Date.parse(event.at) > INFERRED_FOR;
  if (event.isInferred && isStale) return findingOf('INFERRED', shown);
  return findingOf('NOT_SENT', { ...shown, date: opensFrom });
}
