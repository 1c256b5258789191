/** What changed between the events that are stored for a visit and those that its facts give now. */
import type { EventState } from '#contract/event-codes.ts';
import type { FoldedEvent } from './visit-walk.ts';

/** An event as it is stored. */
export interface StoredEvent extends FoldedEvent {
  id: string;
  state: EventState;
}

export interface EventPair {
  stored: StoredEvent;
  folded: FoldedEvent;
}

export interface EventDiff {
  insert: FoldedEvent[];
  /** Time or details changed: those who were told must hear it. The key may have changed too. */
  amend: EventPair[];
  /** Nothing gives them any more. */
  cancel: StoredEvent[];
  /** Cancelled before, given again; with the details that it has now. */
  revive: EventPair[];
  /** The same to whoever reads it (its facts may be more than before), and what is cancelled and stays so. */
  unchanged: StoredEvent[];
}

/**
 * Equal keys first. What is left over of equal code pairs in the order of time: a discharge that moved by ten minutes is
 * amended, not cancelled and told anew. All stored events of the visit go in, the cancelled ones too.
 */
export function diffEvents(stored: readonly StoredEvent[], folded: readonly FoldedEvent[]): EventDiff {
  const diff: EventDiff = { insert: [], amend: [], cancel: [], revive: [], unchanged: [] };
  const byKey = new Map(stored.map((event) => [event.key, event]));
  const leftStored = new Set(stored);
  const leftFolded: FoldedEvent[] = [];
  for (const event of folded) {
    const known = byKey.get(event.key);
    if (!known) {
      leftFolded.push(event);
      continue;
    }
    leftStored.delete(known);
    if (known.state === 'CANCELLED') diff.revive.push({ stored: known, folded: event });
    else if (isSame(known, event)) diff.unchanged.push(known);
    else diff.amend.push({ stored: known, folded: event });
  }
  const standing: StoredEvent[] = [];
  for (const event of leftStored) (event.state === 'CANCELLED' ? diff.unchanged : standing).push(event);
  standing.sort(byTime);
  for (const event of leftFolded.sort(byTime)) {
    const partner = standing.findIndex(({ code }) => code === event.code);
    const [known] = partner < 0 ? [] : standing.splice(partner, 1);
    if (known) diff.amend.push({ stored: known, folded: event });
    else diff.insert.push(event);
  }
  diff.cancel = standing;
  return diff;
}

const byTime = (a: FoldedEvent, b: FoldedEvent): number =>
  a.at.instant < b.at.instant ? -1 : a.at.instant > b.at.instant ? 1 : a.key < b.key ? -1 : 1;

/** In all that a reader sees. A manual entry confirmed by the feed, and more facts for the same event, are no change. */
function isSame(a: FoldedEvent, b: FoldedEvent): boolean {
  return (
    a.at.instant === b.at.instant &&
    a.at.precision === b.at.precision &&
    a.setting === b.setting &&
    a.priorSetting === b.priorSetting &&
    a.pointOfCare === b.pointOfCare &&
    a.disposition === b.disposition &&
    a.dischargedTo === b.dischargedTo &&
    a.admitSource === b.admitSource &&
    a.payer === b.payer &&
    a.inferred === b.inferred
  );
}
