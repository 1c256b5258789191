import { admitSourceLabel } from '#contract/dispositions.ts';
import type { Ping } from '#contract/pings.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { datedKey } from '#server/record/fold/visit-state.ts';
import { type Destination, destinationOf } from '#server/record/rules/destination.ts';
import { mayEdit } from './may-edit.ts';
import type { FacilityRow, PingRow, VisitRow } from './queries.ts';

export interface PingContext {
  facilities: Map<string, FacilityRow>;
  coordinators: readonly { fullName: string; telephone: string | null }[];
  visits: VisitRow[];
  /** Returns the facility that a patient was transferred to. */
  destination: (facilityId: string) => Destination | undefined;
  reasonOf: (row: PingRow) => Ping['reason'];
  actor: Actor;
  now: Date;
}

/** Returns a ping in the form of the contract. */
export function pingOf(row: PingRow, context: PingContext): Ping {
  const { facilities, coordinators, visits, destination, reasonOf } = context;
  const facility = facilities.get(row.facilityId);
  if (!facility) throw new Error(`The facility ${row.facilityId} of a ping was not loaded`);
  const { detail } = row;
  const visit = visits.find(({ id }) => id === row.encounterId);
  const delay = Date.parse(row.receivedAt) - Date.parse(row.eventAt);
  return {
    id: row.pingId,
    eventIdentifier: row.eventId,
    eventDate: row.eventPrecision === 'day' ? row.eventDay : row.eventAt,
    datedByReceipt: isDatedByReceipt(row, visit),
    ...(row.code === 'DECEASED' && visit?.state.isDeathDatedByReport && { datedByReport: true }),
    createdDate: row.createdAt,
    entryDelay: row.eventPrecision === 'day' ? 0 : Math.max(0, Math.round(delay / 60_000)),
    late: row.isLate,
    status: row.code,
    state: row.state,
    ...wasOf(row, destination),
    inferred: detail.inferred,
    ...(detail.reportedByLink && { reportedByLink: detail.reportedByLink }),
    setting: row.setting,
    priorSetting: detail.priorSetting,
    facility: facilityOf(facility),
    dischargedTo: destinationOf(detail, destination),
    admittedFrom: admitSourceLabel(detail.admitSource),
    currentManagementStatus: {
      id: row.statusId ?? '0',
      status: row.managementStatus,
      resolutions: row.statusResolutions ?? [],
      username: row.statusUsername,
      displayName: row.statusName,
      otherText: row.statusOtherText,
      date: row.statusDate,
    },
    payor: detail.payer,
    careCoordinators: coordinators.map(({ fullName, telephone }) => ({ fullName, telephone })),
    manual: row.isManual,
    editable: isEditable(row, facility, context),
    treatingProvider: attendingOf(visit),
    reason: reasonOf(row),
  };
}

/** Returns what a ping said before the latest change of its event, if that was anything else. */
function wasOf(
  { state, detail, setting, eventAt, eventDay, eventPrecision }: PingRow,
  find: PingContext['destination'],
): Pick<Ping, 'was'> {
  const { was } = detail;
  if (!was || state !== 'AMENDED') return {};
  const dischargedTo = destinationOf(was, find);
  const isSameTime =
    eventPrecision === 'day' ? was.eventDate === eventDay : Date.parse(was.eventDate) === Date.parse(eventAt);
  if (isSameTime && was.setting === setting && dischargedTo === destinationOf(detail, find)) return {};
  return { was: { eventDate: was.eventDate, setting: was.setting, dischargedTo } };
}

/** Whether the user may correct and delete the event, which staff entered. */
function isEditable(
  { isManual, state, facilityId: groupId, eventDay: day }: PingRow,
  { isAutomated, timeZone }: FacilityRow,
  { actor, now }: PingContext,
): boolean {
  return isManual && state !== 'CANCELLED' && !isAutomated && mayEdit(actor, { groupId, timeZone, day }, now);
}

function isDatedByReceipt({ code, eventAt }: PingRow, visit: VisitRow | undefined): boolean {
  const dated = visit?.state.datedByReceipt;
  return dated !== undefined && dated.includes(datedKey(code, new Date(eventAt).toISOString()));
}

export function facilityOf(row: FacilityRow): Ping['facility'] {
  const { id, name, type, facilityType, address, timeZone, isPart2Facility } = row;
  return { id, name, type, facilityType, address, timeZone, isPart2Facility };
}

export const attendingOf = (visit: VisitRow | undefined): string | null =>
  nameOfProvider(visit?.state.attending ?? null);

export const nameOfProvider = (provider: VisitRow['state']['attending']): string | null =>
  provider ? [provider.given, provider.family].filter(Boolean).join(' ') : null;
