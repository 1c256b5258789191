/** All pings of a stay together, as the inbox shows them (docs/decisions/0062). Pure. */
import type { EventCode } from '#contract/event-codes.ts';
import { isOpen, RESOLUTIONS, type Resolution, SYSTEM_USERNAME } from '#contract/management-status.ts';
import type { Ping, StayCard } from '#contract/pings.ts';
import { decidingPing } from '#contract/stay-status.ts';
import { type KeptWork, workOf } from '#server/work/worklist/arrangement.ts';

type Reason = NonNullable<Ping['reason']>;

/** Reasons, the strongest first. RETRACTED and UNMATCHED are about one ping, and weaker than what holds of the stay. */
const STRENGTH: readonly Reason['code'][] = [
  'AFTER_DEATH',
  'DECEASED',
  'FOLLOW_UP_OVERDUE',
  'DISCHARGE_UNCLEAR',
  'READMISSION',
  'FOLLOW_UP_DUE',
  'DESTINATION_UNCLEAR',
  'RECENT_DISCHARGE',
  'FREQUENT_ED',
  'RETRACTED',
  'UNMATCHED',
  'RESIDENT_IN_HOSPITAL',
];

export interface CardContext {
  /** Null if the user never looked. */
  seenUntil: string | null;
  abilities: StayCard['abilities'];
  /** What the team has arranged; null if nothing. */
  work: KeptWork | null;
  /** Who had closed a ping that the system opened again, by event. */
  closers: ReadonlyMap<string, string | null>;
  now: Date;
}

/** Returns the card of a stay. `pings`: one per event, newest first, the retracted ones last. */
export function cardOf(pings: readonly Ping[], context: CardContext): StayCard | null {
  const { seenUntil, abilities, work, closers, now } = context;
  const headline = pings.find((ping) => isActive(ping) && !isUpdate(ping)) ?? pings.find(isActive) ?? canceled(pings);
  if (!headline) return null;
  const [reason = null, ...otherReasons] = reasonsOf(isActive(headline) ? pings : [headline, ...pings]);
  const open = pings.filter(({ currentManagementStatus: { status } }) => isOpen(status));
  const deciding = decidingPing(
    pings,
    (ping) => ping.currentManagementStatus.status,
    (ping) => Number(ping.currentManagementStatus.id),
    ({ state }) => state === 'CANCELLED',
  );
  const unread = open.filter(
    ({ createdDate }) => seenUntil === null || Date.parse(createdDate) > Date.parse(seenUntil),
  );
  return {
    status: deciding.currentManagementStatus.status,
    headline: { eventIdentifier: headline.eventIdentifier, reason },
    otherReasons,
    open: open.map(({ eventIdentifier, currentManagementStatus: { id } }) => ({ eventIdentifier, statusId: id })),
    unread: unread.map(({ eventIdentifier }) => eventIdentifier),
    reopened: reopenedBy(pings, open, closers),
    abilities,
    work: workOf(work, {
      eventIds: pings.map(({ eventIdentifier }) => eventIdentifier),
      isOpen: open.length > 0,
      now: now.getTime(),
    }),
  };
}

/**
 * Returns the reasons that a user can choose from. Nobody calls the facility that they work at, or makes an appointment with a patient who has
 * died; the system's reason is the system's.
 */
export function resolutionsFor(viewer: {
  backOnCensus: boolean;
  isOwnFacility: boolean;
  hasDied: boolean;
}): Resolution[] {
  const { backOnCensus, isOwnFacility, hasDied } = viewer;
  const unfit = new Set<Resolution>(['SYSTEM_RESOLVED']);
  if (!backOnCensus || hasDied) unfit.add('BACK_ON_CENSUS');
  if (isOwnFacility) unfit.add('CONTACTED_FACILITY');
  if (hasDied) unfit.add('CONTACTED_PATIENT').add('SCHEDULED_FOLLOWUP');
  return RESOLUTIONS.filter((code) => !unfit.has(code));
}

/** Returns the arrival if all was retracted: a canceled admission takes the discharge with it. */
const canceled = (pings: readonly Ping[]): Ping | undefined =>
  pings.findLast(({ status }) => ARRIVALS.has(status)) ?? pings[0];
const ARRIVALS = new Set<EventCode>(['ADMIT', 'PRESENTED', 'VISIT', 'STARTED_HHA_SERVICES']);

const isActive = ({ state }: Ping): boolean => state !== 'CANCELLED';

/** A payer change, or a move within the same setting. */
const isUpdate = ({ status, setting, priorSetting }: Ping): boolean =>
  status === 'PAYOR_CHANGE' || (status === 'TRANSFER' && (priorSetting === null || priorSetting === setting));

/** Returns each reason of the stay once, the strongest first. That of a retracted ping counts while it is open, or if all are retracted. */
function reasonsOf(pings: readonly Ping[]): Reason[] {
  const allRetracted = !pings.some(isActive);
  const found = new Map<string, Reason>();
  for (const ping of pings) {
    const counts = allRetracted || isActive(ping) || isOpen(ping.currentManagementStatus.status);
    if (ping.reason && counts && !found.has(ping.reason.code)) found.set(ping.reason.code, ping.reason);
  }
  return [...found.values()].toSorted((a, b) => STRENGTH.indexOf(a.code) - STRENGTH.indexOf(b.code));
}

/** Returns why the system opened a ping of the stay again, and who had closed it; else who had closed the stay before all of its open pings arrived, and when the first did. */
function reopenedBy(
  pings: readonly Ping[],
  open: readonly Ping[],
  closers: CardContext['closers'],
): StayCard['reopened'] {
  for (const { eventIdentifier, currentManagementStatus: last } of open)
    if (last.status === 'NEW' && last.username === SYSTEM_USERNAME && last.otherText !== null && last.date)
      return { date: last.date, closedBy: closers.get(eventIdentifier) ?? null, why: last.otherText };
  let closedBy: Ping['currentManagementStatus'] | null = null;
  for (const { currentManagementStatus: last } of pings)
    if (!isOpen(last.status) && Number(last.id) > Number(closedBy?.id ?? 0)) closedBy = last;
  if (!closedBy?.date || open.length === 0) return null;
  const first = open.map(({ createdDate }) => Date.parse(createdDate)).reduce((a, b) => Math.min(a, b));
  if (first <= Date.parse(closedBy.date)) return null;
  return { date: new Date(first).toISOString(), closedBy: closedBy.displayName ?? closedBy.username ?? '', why: null };
}
