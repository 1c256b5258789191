/** From facts to rows: everything that a store shows of a person. Pure. */
import type { Permission } from '#contract/permissions.ts';
import { readersOf } from '#server/access/policy.ts';
import { type PatientFlags, patientFlags } from '#server/rules/patient-flags.ts';
import { byRank, ruleVisit } from '#server/rules/rule-visit.ts';
import type { Row } from '../columns/types.ts';
import { latest } from '../schema.ts';
import type { Scope } from '../scope.ts';
import { personCells } from './person-cells.ts';
import type { EventFacts, ListingFacts, PingFacts, VisitFacts } from './queries.ts';
import { DAY, isOngoing, nextMidnight, visitCells } from './visit-cells.ts';

/** Older pings and events are in the story and in exports. */
export const WINDOW = 730 * DAY;

export interface PersonFacts {
  personId: string;
  /** By the scope's groups; none: the person is none of its. */
  listings: readonly ListingFacts[];
  visits: readonly VisitFacts[];
  /** By visit, the oldest first. */
  events: ReadonlyMap<string, readonly EventFacts[]>;
  pings: readonly PingFacts[];
  consents: ReadonlySet<string>;
  facilities: ReadonlyMap<string, VisitFacts['facility']>;
}

export interface PersonRows {
  personId: string;
  /** Null: the person is to be taken out. */
  person: Row | null;
  pings: Row[];
  events: Row[];
  /** Keys of rows that may be there from before, and are to be taken out. */
  gonePings: number[];
  goneEvents: number[];
  /** When the clock alone changes these rows, in milliseconds; null for never. */
  dueAt: number | null;
}

export interface RowOptions {
  scope: Scope;
  withEvents: boolean;
  /** Milliseconds. */
  now: number;
  /** Takes what codes of diagnoses mean. */
  noteDiagnosis: (code: string, description: string) => void;
}

export function rowsOf(facts: PersonFacts, options: RowOptions): PersonRows {
  const { personId, listings, visits, events, pings } = facts;
  const gone = {
    gonePings: pings.map(({ id }) => Number(id)),
    goneEvents: visits.flatMap(({ id }) => (events.get(id) ?? []).map((event) => Number(event.id))),
  };
  if (listings.length === 0) return { personId, person: null, pings: [], events: [], ...gone, dueAt: null };
  const story = storyOf(facts, options);
  const person = personRow(facts, story, options);
  const pingRows = currentPings(facts, options.now).map((ping) => pingRow(ping, facts, story, options.now));
  const eventRows = options.withEvents ? eventRowsOf(facts, story, options.now) : [];
  return {
    personId,
    person,
    pings: pingRows,
    events: eventRows,
    gonePings: without(gone.gonePings, pingRows),
    goneEvents: options.withEvents ? without(gone.goneEvents, eventRows) : [],
    dueAt: dueAt(story, options.now),
  };
}

function without(keys: number[], rows: readonly Row[]): number[] {
  const kept = new Set(rows.map(({ key }) => key));
  return keys.filter((key) => !kept.has(key));
}

/** What the scope may know of a person's visits. */
interface Story {
  readers: ReadonlyMap<string, readonly string[]>;
  readable: ReadonlyMap<string, VisitFacts>;
  flags: PatientFlags;
  flagsFor: (permission: Permission | null) => PatientFlags;
  diagnoses: ReadonlyMap<string, readonly string[]>;
}

function storyOf(facts: PersonFacts, { scope, now, noteDiagnosis }: RowOptions): Story {
  const { listings, visits, events, pings, consents } = facts;
  const told = new Set(pings.map(({ encounterId, groupId }) => `${encounterId} ${groupId}`));
  const readers = new Map(
    visits.map(({ id, facility }) => [
      id,
      readersOf(scope.groupIds, {
        encounterId: id,
        facilityId: facility.id,
        isPart2: facility.isPart2,
        listings,
        told,
        consents,
      }),
    ]),
  );
  const flagsOf = (mayRead: (groupId: string) => boolean) =>
    patientFlags(
      visits.filter(({ id }) => readers.get(id)?.some(mayRead)).map((visit) => asRuleVisit(visit, events.get(visit.id))),
      now,
      (listings[0] as ListingFacts).timeZone,
    );
  const flags = flagsOf(() => true);
  const readable = visits.filter(({ id }) => readers.get(id)?.length);
  return {
    readers,
    readable: new Map(readable.map((visit) => [visit.id, visit])),
    flags,
    flagsFor: (permission) => {
      const part = permission && scope.parts[permission];
      return part ? flagsOf((groupId) => part.includes(groupId)) : flags;
    },
    diagnoses: new Map(readable.map((visit) => [visit.id, diagnosesOf(visit, noteDiagnosis)])),
  };
}

function asRuleVisit({ id, state, facility }: VisitFacts, events: readonly EventFacts[] = []) {
  const standing = events.filter((event) => event.state !== 'CANCELLED');
  const first = (is: (event: EventFacts) => boolean) => {
    const found = standing.find(is);
    return found ? found.at * 1000 : null;
  };
  return ruleVisit({
    id,
    state,
    facility,
    presentedAt: first(({ code }) => code === 'PRESENTED'),
    inpatientFrom: first(({ code, setting }) => setting === 'INPATIENT' && (code === 'ADMIT' || code === 'TRANSFER')),
  });
}

/** Codes as the sender wrote them, in capitals; where there is none, the words. */
function diagnosesOf({ state }: VisitFacts, note: RowOptions['noteDiagnosis']): string[] {
  return [
    ...new Set(
      byRank(state.diagnoses).flatMap(({ code, description }) => {
        const value = code.trim().toUpperCase() || description?.trim();
        if (value && description) note(value, description);
        return value || [];
      }),
    ),
  ];
}

const hasHappened = ({ state: { status } }: VisitFacts): boolean => status !== 'CANCELLED' && status !== 'PLANNED';
const beginning = ({ state }: VisitFacts): number => (state.admittedAt ? Date.parse(state.admittedAt.instant) : 0);

function priorDiagnoses(visit: VisitFacts | null, { readable, diagnoses }: Story): readonly string[] {
  if (visit === null || readable.size < 2) return [];
  const earlier = [...readable.values()].filter(
    (other) => other !== visit && hasHappened(other) && beginning(other) < beginning(visit),
  );
  return [...new Set(earlier.flatMap(({ id }) => diagnoses.get(id) ?? []))];
}

const newestStanding = (events: readonly EventFacts[] = []): EventFacts | null =>
  events.findLast(({ state }) => state !== 'CANCELLED') ?? null;

/** The visit with the newest event, retracted and planned ones aside; `server/search/pages.ts` finds the same in SQL. */
function latestVisit({ events }: PersonFacts, { readable }: Story): VisitFacts | null {
  let found: VisitFacts | null = null;
  let foundAt = Number.NEGATIVE_INFINITY;
  for (const visit of readable.values()) {
    if (!hasHappened(visit)) continue;
    const event = newestStanding(events.get(visit.id));
    const at = event?.at ?? Math.floor(beginning(visit) / 1000);
    if (at < foundAt) continue;
    found = visit;
    foundAt = at;
  }
  return found;
}

function personRow(facts: PersonFacts, story: Story, { scope, now }: RowOptions): Row {
  const visits = [...story.readable.values()].filter(hasHappened);
  const { singles, multis, numbers, sortTexts, words } = personCells({
    listings: facts.listings,
    scope,
    flagsFor: story.flagsFor,
    encounters: visits.length,
    outsideEncounters: visits.filter(({ facility }) => !scope.groupIds.includes(facility.id)).length,
  });
  const visit = latestVisit(facts, story);
  const row: Row = { key: Number(facts.personId), singles, multis, numbers, sortTexts, words };
  if (visit === null) return row;
  const ping = facts.pings.filter(({ isCurrent }) => isCurrent).reduce<PingFacts | null>(newer, null);
  const cells = visitCells({
    visit,
    facility: visit.facility,
    event: newestStanding(facts.events.get(visit.id)),
    setting: visit.state.setting,
    ping,
    flags: story.flags.visits.get(visit.id),
    diagnoses: story.diagnoses.get(visit.id) ?? [],
    priorDiagnoses: priorDiagnoses(visit, story),
    now,
  });
  // The status of a ping is no date of the person's latest visit.
  cells.numbers.statusAt = cells.numbers.eventAt;
  return {
    key: row.key,
    singles: { ...singles, ...renamed(cells.singles) },
    multis: { ...multis, ...renamed(cells.multis) },
    numbers: { ...numbers, ...renamed(cells.numbers) },
    sortTexts: { ...sortTexts, ...renamed(cells.sortTexts) },
    words,
  };
}

const renamed = <T>(cells: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(cells).map(([name, value]) => [latest(name), value]));

/** One that stands before a retracted one, the newest first, of equal ones the status that was set last (decision 0003). */
function newer(a: PingFacts | null, b: PingFacts): PingFacts {
  if (a === null) return b;
  const rank = ({ state, at, eventId, statusId, id }: PingFacts) =>
    [Number(state !== 'CANCELLED'), at, Number(eventId), Number(statusId ?? 0), Number(id)] as const;
  const [x, y] = [rank(a), rank(b)];
  const differs = x.findIndex((value, index) => value !== y[index]);
  return differs >= 0 && (y[differs] as number) > (x[differs] as number) ? b : a;
}

interface CurrentPing {
  ping: PingFacts;
  groupIds: readonly string[];
}

function currentPings({ pings }: PersonFacts, now: number): CurrentPing[] {
  const current = pings.filter(({ isCurrent }) => isCurrent);
  return [...Map.groupBy(current, ({ encounterId }) => encounterId).values()]
    .map((own) => ({
      ping: own.reduce(newer, null as PingFacts | null) as PingFacts,
      groupIds: [...new Set(own.map(({ groupId }) => groupId))],
    }))
    .filter(({ ping }) => ping.at * 1000 >= now - WINDOW);
}

function pingRow({ ping, groupIds }: CurrentPing, facts: PersonFacts, story: Story, now: number): Row {
  const visit = story.readable.get(ping.encounterId) ?? null;
  const cells = visitCells({
    visit,
    facility: facts.facilities.get(ping.facilityId) as VisitFacts['facility'],
    event: ping,
    setting: ping.setting,
    ping,
    flags: visit ? story.flags.visits.get(visit.id) : undefined,
    diagnoses: story.diagnoses.get(ping.encounterId) ?? [],
    priorDiagnoses: priorDiagnoses(visit, story),
    now,
  });
  return rowOf(ping.id, facts.personId, cells, ping.status, groupIds);
}

function rowOf(
  key: string,
  parent: string,
  { singles, multis, numbers, sortTexts }: ReturnType<typeof visitCells>,
  managementStatus: string | null,
  group: readonly string[],
): Row {
  return {
    key: Number(key),
    parent: Number(parent),
    singles: { ...singles, managementStatus },
    multis: { ...multis, group },
    numbers,
    sortTexts,
    words: {},
  };
}

function eventRowsOf(facts: PersonFacts, story: Story, now: number): Row[] {
  const told = Map.groupBy(facts.pings, ({ eventId }) => eventId);
  return [...story.readable.values()].flatMap((visit) => {
    const recent = (facts.events.get(visit.id) ?? []).filter(({ at }) => at * 1000 >= now - WINDOW);
    const about = {
      visit,
      facility: visit.facility,
      flags: story.flags.visits.get(visit.id),
      diagnoses: story.diagnoses.get(visit.id) ?? [],
      priorDiagnoses: recent.length > 0 ? priorDiagnoses(visit, story) : [],
      now,
    };
    return recent.map((event) => {
      const ping = (told.get(event.id) ?? []).reduce<PingFacts | null>(newer, null);
      const cells = visitCells({ ...about, event, setting: event.setting, ping });
      return rowOf(event.id, facts.personId, cells, ping?.status ?? null, story.readers.get(visit.id) ?? []);
    });
  });
}

function dueAt({ readable, flags }: Story, now: number): number | null {
  const times = flags.changesAt === null ? [] : [flags.changesAt];
  for (const { state, facility } of readable.values())
    if (isOngoing(state)) times.push(nextMidnight(now, facility.timeZone));
  return times.length > 0 ? Math.min(...times) : null;
}
