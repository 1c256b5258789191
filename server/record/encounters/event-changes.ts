/** Decides which events to write after a refold: the difference between the stored events and those that the facts give now. */
import { isDeepStrictEqual } from 'node:util';
import { diffEvents } from '#server/record/fold/diff.ts';
import type { FoldedEvent, FoldedVisit } from '#server/record/fold/folded-visit.ts';
import type { EventRow, EventToWrite, StoredEvent, ToldBefore } from './queries.ts';
import type { StoredFact } from './stored-facts.ts';

export interface EventChanges {
  write: EventToWrite[];
  /**
   * Events that some groups may not have received: events that were retracted and are valid again, inferred events that a message now
   * reports, and events that moved to another visit.
   */
  resend: string[];
  /** Events whose time or details changed, as they were and as they are. */
  amended: AmendedEvent[];
  /** Encounters in which an event changed, or to or from which one moved. */
  encounters: Set<string>;
}

export interface AmendedEvent {
  id: string;
  before: StoredEvent;
  after: FoldedEvent;
}

/** A visit with the id of its encounter. */
interface VisitWithId {
  id: string;
  visit: FoldedVisit;
}

/** `encounterIds`: all stored encounters of the dossiers, including those without a visit. */
export function eventChanges(
  visits: readonly VisitWithId[],
  encounterIds: readonly string[],
  events: readonly EventRow[],
  facts: readonly StoredFact[],
  now: Date,
): EventChanges {
  const factOf = new Map(facts.map((fact) => [fact.id, fact]));
  const movedTo = newEncounters(visits, factOf);
  const storedAt = Map.groupBy(events, ({ encounterId }) => movedTo.get(encounterId) ?? encounterId);
  const foldedAt = new Map(visits.map(({ id, visit }) => [id, visit.events]));
  const changes: EventChanges = { write: [], resend: [], amended: [], encounters: new Set() };
  for (const encounterId of new Set([...foldedAt.keys(), ...encounterIds])) {
    const stored = storedAt.get(encounterId) ?? [];
    const { resend, amended, rows } = changesAt(encounterId, stored, foldedAt.get(encounterId) ?? []);
    changes.resend.push(...resend);
    changes.amended.push(...amended);
    for (const { from, ...row } of rows) {
      changes.write.push({ ...row, ...receiptOf(row.event, factOf, now) });
      changes.encounters.add(row.encounterId).add(from);
    }
  }
  return changes;
}

/** Returns for each encounter without a visit the encounter that its facts, and so its events, belong to now. */
function newEncounters(visits: readonly VisitWithId[], factOf: ReadonlyMap<string, StoredFact>): Map<string, string> {
  const claimed = new Set(visits.map(({ id }) => id));
  const movedTo = new Map<string, string>();
  for (const { id, visit } of visits) {
    for (const factId of visit.factIds) {
      const before = factOf.get(factId)?.encounterId;
      if (before && !claimed.has(before)) movedTo.set(before, id);
    }
  }
  return movedTo;
}

/** `from`: the event's encounter so far. */
type Row = Omit<EventToWrite, 'receivedAt' | 'backfill'> & { from: string };

function changesAt(
  encounterId: string,
  stored: EventRow[],
  folded: FoldedEvent[],
): Pick<EventChanges, 'resend' | 'amended'> & { rows: Row[] } {
  // The encounter's own events come last, so that they win over moved ones with the same key.
  stored.sort((a, b) => Number(a.encounterId === encounterId) - Number(b.encounterId === encounterId));
  const encounterOf = new Map(stored.map((row) => [row.event.id, row.encounterId]));
  const from = (id: string): string => encounterOf.get(id) ?? encounterId;
  const diff = diffEvents(
    stored.map((row) => row.event),
    folded,
  );
  const moved = diff.unchanged.filter(({ id, state }) => state !== 'CANCELLED' && from(id) !== encounterId);
  const rows: Row[] = [
    ...[...diff.amend, ...diff.revive].map(({ stored: known, folded }): Row => {
      const event = { ...folded, was: toldBefore(known, folded) };
      return { id: known.id, encounterId, from: from(known.id), state: 'AMENDED', event };
    }),
    // A retracted event stays with the encounter that its pings were sent for.
    ...diff.cancel.map(
      (event): Row => ({ id: event.id, encounterId: from(event.id), from: from(event.id), state: 'CANCELLED', event }),
    ),
    ...diff.insert.map((event): Row => ({ id: null, encounterId, from: encounterId, state: 'ACTIVE', event })),
    ...moved.map((event): Row => ({ id: event.id, encounterId, from: from(event.id), state: event.state, event })),
  ];
  const resend = [
    ...diff.revive.map((pair) => pair.stored),
    ...diff.amend.filter((pair) => pair.stored.inferred && !pair.folded.inferred).map((pair) => pair.stored),
    // The other visit may belong to another person.
    ...[...diff.amend.map((pair) => pair.stored), ...moved].filter(({ id }) => from(id) !== encounterId),
  ];
  const amended = diff.amend.map(({ stored: before, folded: after }) => ({ id: before.id, before, after }));
  return { rows, amended, resend: [...new Set(resend.map(({ id }) => id))] };
}

/** Returns what readers learned before the latest change of it: that is what they acted on. A change of anything else leaves it. */
function toldBefore(known: StoredEvent, folded: FoldedEvent): ToldBefore | null | undefined {
  const before = toldOf(known);
  return isDeepStrictEqual(before, toldOf(folded)) ? known.was : before;
}

const toldOf = ({ at, setting, disposition, dischargedTo, transferredTo }: FoldedEvent): ToldBefore => ({
  eventDate: at.precision === 'day' ? at.localDate : new Date(at.instant).toISOString(),
  setting,
  disposition,
  dischargedTo,
  transferredTo,
});

/** A retracted event has no facts; its stored time of receipt isn't overwritten. */
function receiptOf(event: FoldedEvent, factOf: ReadonlyMap<string, StoredFact>, now: Date) {
  const facts = event.factIds.flatMap((factId) => factOf.get(factId) ?? []);
  return {
    receivedAt: facts.map((fact) => fact.receivedAt).sort()[0] ?? now.toISOString(),
    backfill: facts.length > 0 && facts.every((fact) => fact.isBackfill),
  };
}
