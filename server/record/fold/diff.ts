/** Compares the stored events of a visit with the events that its facts give now. */
import type { EventState } from '#contract/event-codes.ts';
import type { FoldedEvent } from './folded-visit.ts';

/** A stored event; `at.instant` may be in any ISO 8601 form. */
export interface StoredEvent extends Omit<FoldedEvent, 'factIds' | 'isManual'> {
  id: string;
  state: EventState;
}

export interface EventPair<S extends StoredEvent> {
  stored: S;
  folded: FoldedEvent;
}

export interface EventDiff<S extends StoredEvent> {
  insert: FoldedEvent[];
  /** Time or details changed, so the pings change too. The key may have changed as well. */
  amend: EventPair<S>[];
  /** The facts no longer give these events. */
  cancel: S[];
  /** Canceled before, and given again now, with its current details. */
  revive: EventPair<S>[];
  /** Unchanged for readers, though more facts may support it. Also what was canceled and stays canceled. */
  unchanged: S[];
}

/**
 * Pairs events with equal keys first, then the remaining ones of equal code in the order of time: a discharge that moved by ten minutes
 * is amended, not canceled and sent again. `stored`: all stored events of the visit, including canceled ones.
 */
export function diffEvents<S extends StoredEvent>(stored: readonly S[], folded: readonly FoldedEvent[]): EventDiff<S> {
  const diff: EventDiff<S> = { insert: [], amend: [], cancel: [], revive: [], unchanged: [] };
  const byKey = new Map(stored.map((event) => [event.key, event]));
  const unpairedStored = new Set(stored);
  const unpairedFolded: FoldedEvent[] = [];
  for (const event of folded) {
    const known = byKey.get(event.key);
    if (!known) {
      unpairedFolded.push(event);
      continue;
    }
    unpairedStored.delete(known);
    if (known.state === 'CANCELLED') diff.revive.push({ stored: known, folded: event });
    else if (isSame(known, event)) diff.unchanged.push(known);
    else diff.amend.push({ stored: known, folded: event });
  }
  const active: S[] = [];
  for (const event of unpairedStored) (event.state === 'CANCELLED' ? diff.unchanged : active).push(event);
  active.sort(byTime);
  for (const event of unpairedFolded.sort(byTime)) {
    const partner = active.findIndex(({ code }) => code === event.code);
    const [known] = partner < 0 ? [] : active.splice(partner, 1);
    if (known) diff.amend.push({ stored: known, folded: event });
    else diff.insert.push(event);
  }
  diff.cancel = active;
  return diff;
}

type Comparable = Omit<FoldedEvent, 'factIds' | 'isManual'>;

const byTime = (a: Comparable, b: Comparable): number => instantOf(a) - instantOf(b) || (a.key < b.key ? -1 : 1);
const instantOf = ({ at }: Comparable): number => Date.parse(at.instant);

/** Compares what readers see. A manual entry that the feed confirms is no change, nor are more facts for the same event. */
function isSame(a: Comparable, b: Comparable): boolean {
  return (
    instantOf(a) === instantOf(b) &&
    a.at.precision === b.at.precision &&
    a.setting === b.setting &&
    a.priorSetting === b.priorSetting &&
    a.pointOfCare === b.pointOfCare &&
    a.disposition === b.disposition &&
    a.dischargedTo === b.dischargedTo &&
    a.transferredTo === b.transferredTo &&
    a.admitSource === b.admitSource &&
    a.payer === b.payer &&
    a.inferred === b.inferred &&
    a.reportedByLink?.date === b.reportedByLink?.date &&
    a.reportedByLink?.name === b.reportedByLink?.name &&
    a.reportedByLink?.organization === b.reportedByLink?.organization
  );
}
