/** What a single patient's page shows of a visit besides what lists show: flags with the stay that caused each, and the whole episode. */
import { isDeathDisposition } from '#contract/dispositions.ts';
import { DAY } from '#contract/durations.ts';
import { type EventCode, SETTING_LABELS } from '#contract/event-codes.ts';
import type { EncounterDetails } from '#contract/patient-details.ts';
import type { Encounter } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { localDayOf } from '#server/platform/calendar/time-zone.ts';
import type { episodesOf } from '#server/record/rules/episode.ts';
import { isOngoing, type RuleVisit, startOf } from '#server/record/rules/rule-visit.ts';
import type { RecentInpatientStay, RecentSnfStay } from '#server/record/rules/visit-flags.ts';
import { dateOf, diagnosesOf, inWords } from '#server/work/patients/encounter.ts';
import type { LoadedPatient } from '#server/work/patients/load.ts';
import type { FacilityRow, VisitRow } from '#server/work/patients/queries.ts';
import type { EventRow } from './queries.ts';

export interface DetailsContext
  extends Pick<LoadedPatient, 'visits' | 'flags' | 'facilities' | 'timeZone' | 'untilOf'> {
  /** The latest event of each stay because of which a visit has a flag, by encounter id. */
  latestEvents: ReadonlyMap<string, EventRow>;
  episodes: ReturnType<typeof episodesOf>;
  /** The clinical document of each visit (`ccdsOfVisits`). */
  ccds: ReadonlyMap<string, string>;
}

/** Returns the ids of the stays because of which the visit has a flag. */
export function triggersOf(visitId: string, { flags }: Pick<LoadedPatient, 'flags'>): string[] {
  const of = flags.visits.get(visitId);
  return [of?.recentInpatientStay, of?.recentSnfStay].flatMap((stay) => stay?.triggerEncounterId ?? []);
}

/** Adds to an encounter what only a single patient's page shows. `visit`: its row, one of `context.visits`. */
export function encounterDetailsOf(visit: VisitRow, encounter: Encounter, context: DetailsContext): EncounterDetails {
  const diagnoses = diagnosesOf(visit);
  const flags = context.flags.visits.get(visit.id);
  const episode = context.episodes.get(visit.id) ?? [];
  const { recentInpatientStay, recentSnfStay } = flags ?? {};
  return {
    ...encounter,
    diagnosis: diagnoses[0] ?? null,
    allEncounterDiagnoses: diagnoses,
    admittedFromLocation: placeBefore(visit.id, episode, context),
    admissionType: visit.state.admissionType,
    drg: visit.state.drg ?? null,
    potentialReadmissionTriggerInfo: readmissionTrigger(visit.id, context),
    fullVisitDuration: durationOf(episode, encounter, context),
    beginPing: beginPing(encounter.pings),
    endPing: endPing(visit, encounter.pings),
    encounterTags: [...(flags?.encounterTags ?? [])],
    ccdUuid: context.ccds.get(visit.id) ?? null,
    recentInpatientStay: recentInpatientStay ? stayBefore(recentInpatientStay, context) : null,
    recentSnfStay: recentSnfStay
      ? { ...stayBefore(recentSnfStay, context), endValidityDate: instantOf(recentSnfStay.endValidityDate) }
      : null,
  };
}

const BEGINS = new Set<EventCode>(['PRESENTED', 'ADMIT', 'VISIT', 'STARTED_HHA_SERVICES']);
const ENDS = new Set<EventCode>(['DISCHARGE', 'DECEASED', 'CLOSED', 'ENDED_SERVICES', 'ENDED_HHA_SERVICES']);

/** `pings`: newest first, retracted ones last. */
const beginPing = (pings: readonly Ping[]): Ping | null =>
  pings.findLast(({ status, state }) => BEGINS.has(status) && state !== 'CANCELLED') ?? null;

/** Returns the event that ended the stay: not a death after a discharge alive, wherever it was reported. */
function endPing({ state, diedAt }: VisitRow, pings: readonly Ping[]): Ping | null {
  const { dischargedAt, disposition } = state;
  const leftAlive = !isDeathDisposition(disposition) && dischargedAt !== null && diedAt !== null;
  const lasts = dischargedAt?.precision === 'day' ? DAY - 1 : 0;
  const diedLater = leftAlive && Date.parse(diedAt) > Date.parse(dischargedAt.instant) + lasts;
  const isEnd = ({ status }: Ping) => ENDS.has(status) && !(status === 'DECEASED' && diedLater);
  return pings.find((ping) => isEnd(ping) && ping.state !== 'CANCELLED') ?? null;
}

const instantOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Returns the facility of the stay before the visit in its episode; at the same one, with the kind of care there. */
function placeBefore(visitId: string, episode: readonly RuleVisit[], { facilities }: DetailsContext): string | null {
  const index = episode.findIndex(({ id }) => id === visitId);
  const [before, visit] = [episode[index - 1], episode[index]];
  const name = before && facilities.get(before.facilityId)?.name;
  if (!name) return null;
  return before.facilityId === visit?.facilityId ? `${name} (${SETTING_LABELS[before.setting]})` : name;
}

function durationOf(
  episode: readonly RuleVisit[],
  { visitDuration }: Encounter,
  { timeZone, untilOf }: DetailsContext,
): string | null {
  const [first] = episode;
  if (!first || episode.length === 1) return visitDuration;
  const from = startOf(first);
  const ends = episode.map((stay) => (isOngoing(stay) ? untilOf(stay.id).getTime() : stay.dischargedAt));
  // An account that ended in an admission (PV1-36 09) has no discharge; the stay after it has.
  if (from === null || ends.at(-1) === null) return null;
  const to = Math.max(from, ...ends.filter((end) => end !== null));
  const minutes = Math.floor((to - from) / 60_000);
  const days = localDayOf(to, timeZone) - localDayOf(from, timeZone);
  return inWords({ days, minutes, isInDays: minutes >= 48 * 60 });
}

function readmissionTrigger(
  visitId: string,
  { visits, flags, facilities }: DetailsContext,
): EncounterDetails['potentialReadmissionTriggerInfo'] {
  const of = flags.visits.get(visitId);
  const trigger = of?.readmission ?? of?.readmissionRiskAfter;
  const stay = trigger && stayOf(trigger.triggerEncounterId, visits, facilities);
  if (!stay) return null;
  const { visit, facility } = stay;
  return {
    triggerEncounterId: visit.id,
    dischargeEventDate: dateOf(visit.state.dischargedAt),
    creatorGroupType: facility.type,
    creatorGroupName: facility.name,
    dischargeSetting: visit.state.setting,
    triggerEncounterDiagnosis: diagnosesOf(visit)[0] ?? null,
  };
}

function stayOf(id: string, visits: readonly VisitRow[], facilities: ReadonlyMap<string, FacilityRow>) {
  const visit = visits.find((each) => each.id === id);
  const facility = visit && facilities.get(visit.groupId);
  return visit && facility ? { visit, facility } : null;
}

function stayBefore(
  { triggerEncounterId, triggerFacilityId, triggerDate }: RecentInpatientStay | RecentSnfStay,
  { visits, facilities, latestEvents }: DetailsContext,
): NonNullable<EncounterDetails['recentInpatientStay']> {
  const visit = visits.find(({ id }) => id === triggerEncounterId);
  const last = latestEvents.get(triggerEncounterId);
  return {
    triggerEncounterId,
    triggerEncounterGroupId: triggerFacilityId,
    triggerEncounterGroup: facilities.get(triggerFacilityId)?.name ?? '',
    triggerEncounterDiagnosis: (visit && diagnosesOf(visit)[0]) ?? null,
    triggerDate: triggerDate === null ? null : dateAt(triggerDate, visit),
    lastEventDate: last?.date ?? null,
    lastEventType: last?.code ?? null,
  };
}

/** Returns the visit's own time for it, which may be a day without a time of day. */
function dateAt(at: number, visit: VisitRow | undefined): string {
  const moments = [visit?.state.admittedAt, visit?.state.dischargedAt];
  const own = moments.find((moment) => moment && Date.parse(moment.instant) === at);
  return dateOf(own ?? null) ?? new Date(at).toISOString();
}
