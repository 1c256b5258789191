/** A patient's visits with all that happened in them. */
import type { z } from 'zod';
import type { Setting } from '#contract/event-codes.ts';
import type { encounterSummary, hhaCoverage, StoryEncounter, StoryEncounters, VisitKind } from '#contract/story.ts';
import { type ActorTransaction, askAbout } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { episodesOf } from '#server/record/rules/episode.ts';
import { encounterDetailsOf, triggersOf } from '#server/work/details/encounter-details.ts';
import { latestEvents } from '#server/work/details/queries.ts';
import { ccdsOfVisits } from '#server/work/documents/ccds-of-visits.ts';
import { type LoadedPatient, loadRows } from '#server/work/patients/load.ts';
import { facilityOf } from '#server/work/patients/ping.ts';
import {
  eventsAsPings,
  facilitiesOf,
  type PingRow,
  pingsOf,
  type VisitRow,
  visitsOf,
} from '#server/work/patients/queries.ts';
import { gapsBefore } from './gaps.ts';

const KINDS: Partial<Record<Setting, VisitKind>> = {
  EMERGENCY: 'ED',
  INPATIENT: 'INPATIENT',
  OBSERVATION: 'INPATIENT',
  SNF: 'POST_ACUTE',
  LTAC: 'POST_ACUTE',
  REHAB: 'POST_ACUTE',
  HHA: 'POST_ACUTE',
  HOSPICE: 'POST_ACUTE',
  ASSISTED_LIVING: 'POST_ACUTE',
};

const kindOf = ({ state }: VisitRow): VisitKind => KINDS[state.setting] ?? 'OTHER';

/** Loads a patient with all visits that the actor may read. Errors: NOT_FOUND. */
async function loadStory(tx: ActorTransaction, patientId: string, now: Date): Promise<LoadedPatient> {
  const { personId } = await resolvePatient(tx, patientId);
  const [loaded] = await loadRows(tx, [{ personId, encounterId: null }], now, null);
  if (!loaded) throw new ApiError('NOT_FOUND');
  return loaded;
}

/** What a story is about: the visits that the actor may read, with their facilities. */
export type StoryVisits = Pick<LoadedPatient, 'visits' | 'facilities'>;

/** Loads only the visits of a patient, without what rules say of them. Errors: NOT_FOUND. */
export async function loadVisits(tx: ActorTransaction, patientId: string): Promise<StoryVisits> {
  const { personId } = await resolvePatient(tx, patientId);
  await askAbout(tx, [personId]);
  const visits = await visitsOf(tx, [personId], [], null);
  return { visits, facilities: await facilitiesOf(tx, [...new Set(visits.map(({ groupId }) => groupId))]) };
}

const timeOf = ({ state, createdAt }: VisitRow): number =>
  Date.parse((state.admittedAt ?? state.dischargedAt)?.instant ?? createdAt);

/** Returns visits by when they began, newest first. */
export const newestFirst = (visits: readonly VisitRow[]): VisitRow[] =>
  visits.toSorted((a, b) => timeOf(b) - timeOf(a) || Number(b.id) - Number(a.id));

const isOfAgency = ({ groupId }: VisitRow, { facilities }: StoryVisits): boolean =>
  facilities.get(groupId)?.facilityType === 'HHA';

interface Page {
  pageNumber: number;
  pageSize: number;
}

function pageOf<T>(all: readonly T[], { pageNumber, pageSize }: Page) {
  const shown = all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  return { shown, total: all.length, numPages: Math.ceil(all.length / pageSize) };
}

interface Filter extends Page {
  admittingFacilityId?: string | undefined;
  includeHHA: boolean;
  kind?: VisitKind | undefined;
}

/** Returns a page of the patient's visits, without home health unless asked for. */
export async function listEncounters(
  tx: ActorTransaction,
  patientId: string,
  { admittingFacilityId, includeHHA, kind, ...page }: Filter,
  now: Date,
): Promise<StoryEncounters> {
  const loaded = await loadStory(tx, patientId, now);
  // A visit that was merged into another one took place: it is the other one.
  const visits = newestFirst(loaded.visits).filter(
    (visit) => !visit.state.isMerged && (includeHHA || !isOfAgency(visit, loaded)),
  );
  const chosen = visits.filter(
    (visit) =>
      (admittingFacilityId === undefined || visit.groupId === admittingFacilityId) &&
      (kind === undefined || kindOf(visit) === kind),
  );
  const { shown, ...pages } = pageOf(chosen, page);
  const facilityIds = [...new Set(visits.map(({ groupId }) => groupId))];
  return {
    encounters: await encountersOf(tx, shown, loaded),
    ...pages,
    facilities: facilityIds
      .map((id) => ({ id, name: loaded.facilities.get(id)?.name ?? '' }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}

async function encountersOf(
  tx: ActorTransaction,
  visits: readonly VisitRow[],
  loaded: LoadedPatient,
): Promise<StoryEncounter[]> {
  const encounterIds = visits.map(({ id }) => id);
  const triggers = visits.flatMap(({ id }) => triggersOf(id, loaded));
  const [sent, happened, events, ccds] = await Promise.all([
    pingsOf(tx, encounterIds),
    eventsAsPings(tx, { eventIds: [], encounterIds }),
    latestEvents(tx, triggers),
    ccdsOfVisits(tx, loaded.personId, loaded.patient.id),
  ]);
  const pings = sent.filter(({ listingPersonId }) => listingPersonId === loaded.personId);
  const pingsBy = Map.groupBy(pings, ({ encounterId }) => encounterId);
  const pingBy = new Map(pings.map((row) => [row.eventId, row]));
  const eventsBy = Map.groupBy(happened, ({ encounterId }) => encounterId);
  const episodes = episodesOf(loaded.counted);
  const gaps = gapsBefore(loaded.counted, loaded.timeZone);
  const inForm = (rows: readonly PingRow[]) => rows.map((row) => loaded.pingOf(row));
  return visits.map((visit) => {
    const encounter = loaded.encounterOf(visit, inForm(pingsBy.get(visit.id) ?? []));
    return {
      ...encounterDetailsOf(visit, encounter, { ...loaded, latestEvents: events, ccds, episodes }),
      kind: kindOf(visit),
      events: inForm((eventsBy.get(visit.id) ?? []).map((row) => pingBy.get(row.eventId) ?? row)),
      episodeId: episodes.get(visit.id)?.[0]?.id ?? visit.id,
      gapBefore: gaps.get(visit.id) ?? null,
    };
  });
}

/** Returns a page of the periods in which a home health agency looked after the patient. */
export async function listHhaCoverage(
  tx: ActorTransaction,
  patientId: string,
  page: Page,
  now: Date,
): Promise<z.infer<typeof hhaCoverage>> {
  const { personId } = await resolvePatient(tx, patientId);
  if (!(await hasAgency(tx, personId))) return { coverages: [], total: 0, numPages: 0 };
  const found = await loadVisits(tx, patientId);
  const { shown, ...pages } = pageOf(
    newestFirst(found.visits).filter((visit) => isOfAgency(visit, found)),
    page,
  );
  if (shown.length === 0) return { coverages: [], ...pages };
  const loaded = await loadStory(tx, patientId, now);
  const coverages = shown.map((visit) => {
    const { id, admittingFacility, admittedDate, dischargedDate, visitDuration } = loaded.encounterOf(visit, []);
    return {
      id,
      agency: admittingFacility,
      startDate: admittedDate,
      endDate: dischargedDate,
      duration: visitDuration,
    };
  });
  return { coverages, ...pages };
}

/** Whether the person has a visit of a home health agency. Most have none, and then hundreds of visits need not be read. */
async function hasAgency(tx: ActorTransaction, personId: string): Promise<boolean> {
  const { rows } = await tx.query(sql`
    select from encounters e join groups g on g.id = e.group_id
    where e.person_id = ${personId} and g.facility_type = 'HHA' limit 1`);
  return rows.length > 0;
}

/** Visits of a summary, which the specification gives no pages: more than people have in many years. All are on the pages of the visits. */
const MOST_SUMMARIZED = 200;

/** Returns the latest event of each visit, newest first. */
export async function summarizeEncounters(
  tx: ActorTransaction,
  patientId: string,
): Promise<z.infer<typeof encounterSummary>[]> {
  const loaded = await loadVisits(tx, patientId);
  const visits = newestFirst(loaded.visits).slice(0, MOST_SUMMARIZED);
  const events = await latestEvents(
    tx,
    visits.map(({ id }) => id),
  );
  return visits.flatMap(({ id, groupId }) => {
    const [event, facility] = [events.get(id), loaded.facilities.get(groupId)];
    if (!event || !facility) return [];
    return [
      {
        encounterId: id,
        event: { eventDate: event.date, status: event.code },
        encounter: { admittingFacility: facilityOf(facility) },
      },
    ];
  });
}
