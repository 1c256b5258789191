/** Turns a person's facts into the rows of a store. Pure. */
import type { Setting } from '#contract/event-codes.ts';
import { decidingPing } from '#contract/stay-status.ts';
import { discloses } from '#server/people/access/policy.ts';
import type { Row } from '../columns/types.ts';
import { latest } from '../schema.ts';
import { personCells } from './person-cells.ts';
import type { EventFacts, FacilityFacts, PingFacts } from './row-sources.ts';
import {
  type HistoryOptions,
  hasHappened,
  isNotRetracted,
  latestVisit,
  type PersonFacts,
  priorDiagnoses,
  type VisibleHistory,
  visibleHistory,
} from './visible-history.ts';
import { DAY, type VisitCells, visitCells } from './visit-cells.ts';

/** Older pings and events are found in the patient's story and in exports. */
const WINDOW = 730 * DAY;

export interface PersonRows {
  personId: string;
  /** Null if the person has to be removed. */
  person: Row | null;
  pings: Row[];
  events: Row[];
  /** When these rows change only because time passes, in milliseconds; null for never. */
  dueAt: number | null;
}

export interface RowOptions extends HistoryOptions {
  withEvents: boolean;
}

export function rowsOf(all: PersonFacts, options: RowOptions): PersonRows {
  const facts = { ...all, pings: all.pings.filter((ping) => isDisclosed(ping, all)) };
  const { personId } = facts;
  const { now, withEvents } = options;
  // Without a listing the person does not belong to the scope.
  const history = facts.listings.length > 0 ? visibleHistory(facts, options) : null;
  const pings = history ? stays(facts, now).map((stay) => pingRow(stay, facts, history)) : [];
  const events = history && withEvents ? eventRowsOf(facts, history, now) : [];
  return {
    personId,
    person: history && personRow(facts, history, options),
    pings,
    events,
    dueAt: history?.changesAt ?? null,
  };
}

/** `mayReadPing` of server/people/access/policy.ts, for rows already in memory. */
const isDisclosed = ({ facilityId, groupId }: PingFacts, { facilities, consents }: PersonFacts): boolean =>
  discloses(facilities.get(facilityId) as FacilityFacts, consents, groupId);

function personRow(facts: PersonFacts, history: VisibleHistory, { scope }: RowOptions): Row {
  const visits = [...history.visits.values()].filter(hasHappened);
  const { singles, multis, numbers, sortTexts, words } = personCells({
    listings: facts.listings,
    tags: facts.tags,
    scope,
    flagsFor: history.flagsFor,
    encounters: visits.length,
    outsideEncounters: visits.filter(({ facility }) => !scope.groupIds.includes(facility.id)).length,
  });
  const visit = latestVisit(history);
  const row: Row = { key: Number(facts.personId), singles, multis, numbers, sortTexts, words };
  if (visit === null) return row;
  const cells = visitCells({
    visit,
    facility: visit.facility,
    destination: history.destination,
    event: visit.newestEvent,
    setting: visit.state.setting,
    ping: facts.pings.filter(({ isCurrent }) => isCurrent).reduce<PingFacts | null>(preferred, null),
    flags: history.flags.visits.get(visit.id),
    priorDiagnoses: priorDiagnoses(visit, history),
  });
  // A person's row sorts by its latest visit, not by the status of a ping.
  cells.numbers.statusAt = cells.numbers.eventAt;
  return {
    key: row.key,
    singles: renamed(cells.singles, singles),
    multis: renamed(cells.multis, multis),
    numbers: renamed(cells.numbers, numbers),
    sortTexts: renamed(cells.sortTexts, sortTexts),
    words,
  };
}

function renamed<T>(cells: Record<string, T>, into: Record<string, T>): Record<string, T> {
  for (const name in cells) into[latest(name)] = cells[name] as T;
  return into;
}

/** Returns the ping to show: not retracted before retracted, then the newest, then the one whose status was set last. */
function preferred(a: PingFacts | null, b: PingFacts): PingFacts {
  if (a === null) return b;
  const differences = [
    Number(isNotRetracted(b)) - Number(isNotRetracted(a)),
    b.at - a.at,
    b.eventId - a.eventId,
    (b.statusId ?? 0) - (a.statusId ?? 0),
    b.id - a.id,
  ];
  return (differences.find((difference) => difference !== 0) ?? 0) > 0 ? b : a;
}

/** A stay with pings: one row. */
interface StayPings {
  /** The newest. */
  ping: PingFacts;
  /** The one whose status the stay has (docs/decisions/0062). */
  deciding: PingFacts;
  groupIds: readonly string[];
}

function stays({ pings }: PersonFacts, now: number): StayPings[] {
  return [...Map.groupBy(pings, ({ encounterId }) => encounterId).values()]
    .map((own) => {
      // Of one event, the status that any group set last counts.
      const events = [...Map.groupBy(own, ({ eventId }) => eventId).values()]
        .map((ofEvent) => ofEvent.reduce<PingFacts | null>(preferred, null) as PingFacts)
        .toSorted((a, b) => (preferred(a, b) === a ? -1 : 1));
      return {
        ping:
          own.filter(({ isCurrent }) => isCurrent).reduce<PingFacts | null>(preferred, null) ??
          (events[0] as PingFacts),
        deciding: decidingPing(
          events,
          ({ status }) => status,
          ({ statusId }) => statusId ?? 0,
        ),
        groupIds: [...new Set(own.map(({ groupId }) => groupId))],
      };
    })
    .filter(({ ping }) => ping.at * 1000 >= now - WINDOW);
}

function pingRow({ ping, deciding, groupIds }: StayPings, facts: PersonFacts, history: VisibleHistory): Row {
  const visit = history.visits.get(ping.encounterId) ?? null;
  const event = eventOf(ping, facts);
  const cells = visitCells({
    visit,
    facility: facts.facilities.get(ping.facilityId) as FacilityFacts,
    destination: history.destination,
    event,
    setting: event.setting,
    ping: deciding,
    flags: history.flags.visits.get(ping.encounterId),
    priorDiagnoses: priorDiagnoses(visit, history),
  });
  return rowOf(ping.id, facts.personId, cells, deciding.status, groupIds);
}

function eventOf({ eventId, encounterId, at, code, setting, day }: PingFacts, { events }: PersonFacts) {
  if (code !== null) return { code, at, setting: setting as Setting, day: day as number };
  return events.get(encounterId)?.find(({ id }) => id === eventId) as EventFacts;
}

function rowOf(
  key: number,
  parent: string,
  { singles, multis, numbers, sortTexts }: VisitCells,
  managementStatus: string | null,
  group: readonly string[],
): Row {
  return {
    key,
    parent: Number(parent),
    singles: { ...singles, managementStatus },
    multis: { ...multis, group },
    numbers,
    sortTexts,
    words: {},
  };
}

function eventRowsOf(facts: PersonFacts, history: VisibleHistory, now: number): Row[] {
  const pingsByEvent = Map.groupBy(facts.pings, ({ eventId }) => eventId);
  return [...history.visits.values()].flatMap((visit) => {
    const recent = visit.events.filter(({ at }) => at * 1000 >= now - WINDOW);
    const about = {
      visit,
      facility: visit.facility,
      destination: history.destination,
      flags: history.flags.visits.get(visit.id),
      priorDiagnoses: recent.length > 0 ? priorDiagnoses(visit, history) : [],
    };
    return recent.map((event) => {
      const ping = (pingsByEvent.get(event.id) ?? []).reduce<PingFacts | null>(preferred, null);
      const cells = visitCells({ ...about, event, setting: event.setting, ping });
      return rowOf(event.id, facts.personId, cells, ping?.status ?? null, visit.readers);
    });
  });
}
