/** Turns a person's facts into the rows of a store. Pure. */
import { DAY } from '#contract/durations.ts';
import type { Setting } from '#contract/event-codes.ts';
import { isOpen } from '#contract/management-status.ts';
import { decidingPing } from '#contract/stay-status.ts';
import { UNASSIGNED, WAITING } from '#contract/worklist-words.ts';
import { discloses } from '#server/people/access/policy.ts';
import { isWaiting } from '#server/work/worklist/arrangement.ts';
import type { Row } from '../columns/types.ts';
import { latest, type PingSingle } from '../schema.ts';
import { DUE_TODAY, type DueCells, dueCells } from './due-cells.ts';
import { personCells } from './person-cells.ts';
import type { EventFacts, FacilityFacts, ListingFacts, PingFacts } from './row-sources.ts';
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
import { nextMidnight, type VisitCells, visitCells } from './visit-cells.ts';
import { storyInformation, visitsWithSummary } from './written-facts.ts';

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
  const context = history && { ...facts, scope: options.scope, readable: history.visits };
  const summaries = context ? visitsWithSummary(facts.documents, context) : NONE;
  const pings = history ? stays(facts, now).map((stay) => pingRow(stay, facts, { ...history, summaries }, now)) : [];
  const events = history && withEvents ? eventRowsOf(facts, { ...history, summaries }, now) : [];
  return {
    personId,
    person:
      history && context && personRow(facts, { ...history, summaries }, options, storyInformation(facts, context)),
    pings,
    events,
    dueAt: history && earlier(nextChange(history, pings, facts, now), wakesAt(facts, now)),
  };
}

/** `mayReadPing` of server/people/access/policy.ts, for rows already in memory. */
const isDisclosed = ({ facilityId, groupId }: PingFacts, { facilities, consents }: PersonFacts): boolean =>
  discloses(facilities.get(facilityId) as FacilityFacts, consents, groupId);

/** Returns when the next wait of the person's stays ends by its day, in milliseconds. */
function wakesAt({ pings, work }: PersonFacts, now: number): number | null {
  let next: number | null = null;
  for (const { encounterId } of pings) {
    const at = Date.parse(work.get(encounterId)?.wakesAt ?? '');
    if (at > now) next = earlier(next, at);
  }
  return next;
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** The visits that the scope may read, and which of them have a discharge summary. */
type History = VisibleHistory & { summaries: ReadonlySet<string> };
const NONE: ReadonlySet<string> = new Set();

function personRow(facts: PersonFacts, history: History, { scope }: RowOptions, written: readonly string[]): Row {
  const visits = [...history.visits.values()].filter(hasHappened);
  const { singles, multis, numbers, sortTexts, words } = personCells({
    listings: facts.listings,
    tags: facts.tags,
    scope,
    flagsFor: history.flagsFor,
    written,
    enrolledIn: history.enrollments.map(({ program }) => program.name),
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
    hasSummary: history.summaries.has(visit.id),
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
  /** One per event. */
  events: readonly PingFacts[];
  groupIds: readonly string[];
  /** Who has taken it, or UNASSIGNED. */
  owner: string;
  waiting: typeof WAITING | null;
}

function stays({ pings, work }: PersonFacts, now: number): StayPings[] {
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
          ({ state }) => state === 'CANCELLED',
        ),
        events,
        groupIds: [...new Set(own.map(({ groupId }) => groupId))],
        ...arranged(own, work, now),
      };
    })
    .filter(({ ping }) => ping.at * 1000 >= now - WINDOW);
}

/** What is due becomes overdue with the next day. */
function nextChange(
  { changesAt }: VisibleHistory,
  pings: readonly Row[],
  { listings }: PersonFacts,
  now: number,
): number | null {
  const hasClock = pings.some(({ singles }) => singles['dueWork'] !== null);
  if (!hasClock) return changesAt;
  return Math.min(changesAt ?? Number.POSITIVE_INFINITY, nextMidnight(now, (listings[0] as ListingFacts).timeZone));
}

function arranged(pings: readonly PingFacts[], work: PersonFacts['work'], now: number) {
  const { ownerId = null, wakesAt = null, seen = null } = work.get(pings[0]?.encounterId ?? '') ?? {};
  const waits = isWaiting(seen && { wakesAt, seen }, {
    eventIds: pings.map(({ eventId }) => String(eventId)),
    isOpen: pings.some(({ status }) => isOpen(status)),
    now,
  });
  return { owner: ownerId ?? UNASSIGNED, waiting: waits ? WAITING : null } as const;
}

function pingRow(
  { ping, deciding, events, groupIds, owner, waiting }: StayPings,
  facts: PersonFacts,
  history: History,
  now: number,
): Row {
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
    hasSummary: history.summaries.has(ping.encounterId),
    priorDiagnoses: priorDiagnoses(visit, history),
  });
  const { dueWork, needsAction, ...due } = dueCells(events, deciding.status, facts, history, now);
  // What waits needs no one's action until its wait ends, or something is due first.
  const needed = waiting === null || due.urgency >= DUE_TODAY ? needsAction : null;
  const ofPing = { managementStatus: deciding.status, owner, waiting, dueWork, needsAction: needed };
  return rowOf(ping.id, facts.personId, cells, ofPing, groupIds, due);
}

function eventOf({ eventId, encounterId, at, code, setting, day }: PingFacts, { events }: PersonFacts) {
  if (code !== null) return { code, at, setting: setting as Setting, day: day as number };
  return events.get(encounterId)?.find(({ id }) => id === eventId) as EventFacts;
}

/** An event in the feed is no work of a team. */
const NO_WORK = { owner: null, waiting: null, dueWork: null, needsAction: null };
const NOT_DUE = { dueDay: null, urgency: 0 };

function rowOf(
  key: number,
  parent: string,
  { singles, multis, numbers, sortTexts }: VisitCells,
  ofPing: Record<PingSingle, string | null>,
  group: readonly string[],
  due: Pick<DueCells, 'dueDay' | 'urgency'>,
): Row {
  return {
    key,
    parent: Number(parent),
    singles: { ...singles, ...ofPing },
    multis: { ...multis, group },
    numbers: { ...numbers, ...due },
    sortTexts,
    words: {},
  };
}

function eventRowsOf(facts: PersonFacts, history: History, now: number): Row[] {
  const pingsByEvent = Map.groupBy(facts.pings, ({ eventId }) => eventId);
  return [...history.visits.values()].flatMap((visit) => {
    const recent = visit.events.filter(({ at }) => at * 1000 >= now - WINDOW);
    const about = {
      visit,
      facility: visit.facility,
      destination: history.destination,
      flags: history.flags.visits.get(visit.id),
      hasSummary: history.summaries.has(visit.id),
      priorDiagnoses: recent.length > 0 ? priorDiagnoses(visit, history) : [],
    };
    return recent.map((event) => {
      const ping = (pingsByEvent.get(event.id) ?? []).reduce<PingFacts | null>(preferred, null);
      const cells = visitCells({ ...about, event, setting: event.setting, ping });
      return rowOf(
        event.id,
        facts.personId,
        cells,
        { ...NO_WORK, managementStatus: ping?.status ?? null },
        visit.readers,
        NOT_DUE,
      );
    });
  });
}
