/** What to write of the events of dossiers that were folded again: the difference between those stored and those that the facts give now. */
import { diffEvents } from '#server/record/fold/diff.ts';
import type { FoldedVisit } from '#server/record/fold/fold.ts';
import type { FoldedEvent } from '#server/record/fold/visit-walk.ts';
import type { EventRow, EventToWrite, StoredFact } from './queries.ts';

export interface EventChanges {
  write: EventToWrite[];
  /**
   * Events that not everybody may have been told of: those that were retracted and stand again, those that had only been inferred
   * and that a message tells of now, and those that went to another visit.
   */
  retold: string[];
  /** Encounters that an event changed in, came to or left. */
  touched: Set<string>;
}

/** A visit with the id of its encounter. */
interface Placed {
  id: string;
  visit: FoldedVisit;
}

/** `encounterIds`: of all stored encounters of the dossiers, also those that no visit claims any more. */
export function eventChanges(
  placed: readonly Placed[],
  encounterIds: readonly string[],
  events: readonly EventRow[],
  facts: readonly StoredFact[],
  now: Date,
): EventChanges {
  const factOf = new Map(facts.map((fact) => [fact.id, fact]));
  const homeOf = newHomes(placed, factOf);
  const storedAt = Map.groupBy(events, ({ encounterId }) => homeOf.get(encounterId) ?? encounterId);
  const foldedAt = new Map(placed.map(({ id, visit }) => [id, visit.events]));
  const changes: EventChanges = { write: [], retold: [], touched: new Set() };
  for (const encounterId of new Set([...foldedAt.keys(), ...encounterIds])) {
    const { retold, rows } = changesAt(encounterId, storedAt.get(encounterId) ?? [], foldedAt.get(encounterId) ?? []);
    changes.retold.push(...retold);
    for (const { from, ...row } of rows) {
      changes.write.push({ ...row, ...receiptOf(row.event, factOf, now) });
      changes.touched.add(row.encounterId).add(from);
    }
  }
  return changes;
}

/** Where the events of an encounter went that no visit claims any more: to the visit that its facts are of now. */
function newHomes(placed: readonly Placed[], factOf: ReadonlyMap<string, StoredFact>): Map<string, string> {
  const claimed = new Set(placed.map(({ id }) => id));
  const homeOf = new Map<string, string>();
  for (const { id, visit } of placed) {
    for (const factId of visit.factIds) {
      const before = factOf.get(factId)?.encounterId;
      if (before && !claimed.has(before)) homeOf.set(before, id);
    }
  }
  return homeOf;
}

/** `from`: the encounter that the event was of before. */
type Row = Omit<EventToWrite, 'receivedAt' | 'backfill'> & { from: string };

function changesAt(encounterId: string, stored: EventRow[], folded: FoldedEvent[]): { rows: Row[]; retold: string[] } {
  // Those of the encounter itself last: of two with the same key it is theirs that goes on.
  stored.sort((a, b) => Number(a.encounterId === encounterId) - Number(b.encounterId === encounterId));
  const encounterOf = new Map(stored.map((row) => [row.event.id, row.encounterId]));
  const from = (id: string): string => encounterOf.get(id) ?? encounterId;
  const diff = diffEvents(
    stored.map((row) => row.event),
    folded,
  );
  const moved = diff.unchanged.filter(({ id, state }) => state !== 'CANCELLED' && from(id) !== encounterId);
  const rows: Row[] = [
    ...[...diff.amend, ...diff.revive].map(
      ({ stored: { id }, folded: event }): Row => ({ id, encounterId, from: from(id), state: 'AMENDED', event }),
    ),
    // A retracted event stays where it was told.
    ...diff.cancel.map(
      (event): Row => ({ id: event.id, encounterId: from(event.id), from: from(event.id), state: 'CANCELLED', event }),
    ),
    ...diff.insert.map((event): Row => ({ id: null, encounterId, from: encounterId, state: 'ACTIVE', event })),
    ...moved.map((event): Row => ({ id: event.id, encounterId, from: from(event.id), state: event.state, event })),
  ];
  const retold = [
    ...diff.revive.map((pair) => pair.stored),
    ...diff.amend.filter((pair) => pair.stored.inferred && !pair.folded.inferred).map((pair) => pair.stored),
    // The visit that an event went to may be another person's.
    ...[...diff.amend.map((pair) => pair.stored), ...moved].filter(({ id }) => from(id) !== encounterId),
  ];
  return { rows, retold: [...new Set(retold.map(({ id }) => id))] };
}

/** An event without a fact is one that is retracted: its time of receipt stays as it is stored. */
function receiptOf(event: FoldedEvent, factOf: ReadonlyMap<string, StoredFact>, now: Date) {
  const given = event.factIds.flatMap((factId) => factOf.get(factId) ?? []);
  return {
    receivedAt: given.map((fact) => fact.receivedAt).sort()[0] ?? now.toISOString(),
    backfill: given.length > 0 && given.every((fact) => fact.isBackfill),
  };
}
