/** What changed between the events that are stored for a visit and those that its facts give now. */
import type { EventState } from '#contract/event-codes.ts';
import type { FoldedEvent } from './visit-walk.ts';

/** An event as it is stored; `at.instant` may be any ISO 8601 form of the instant. */
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
  /** Time or details changed: those who were told must hear it. The key may have changed too. */
  amend: EventPair<S>[];
  /** Nothing gives them any more. */
  cancel: S[];
  /** Cancelled before, given again; with the details that it has now. */
  revive: EventPair<S>[];
  /** The same to whoever reads it (its facts may be more than before), and what is cancelled and stays so. */
  unchanged: S[];
}

/**
 * Equal keys first. What is left over of equal code pairs in the order of time: a discharge that moved by ten minutes is
 * amended, not cancelled and told anew. All stored events of the visit go in, the cancelled ones too.
 */
export function diffEvents<S extends StoredEvent>(stored: readonly S[], folded: readonly FoldedEvent[]): EventDiff<S> {
  const diff: EventDiff<S> = { insert: [], amend: [], cancel: [], revive: [], unchanged: [] };
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
  const standing: S[] = [];
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

type Told = Omit<FoldedEvent, 'factIds' | 'isManual'>;

const byTime = (a: Told, b: Told): number => instantOf(a) - instantOf(b) || (a.key < b.key ? -1 : 1);
const instantOf = ({ at }: Told): number => Date.parse(at.instant);

/** In all that a reader sees. A manual entry confirmed by the feed, and more facts for the same event, are no change. */
function isSame(a: Told, b: Told): boolean {
  return (
    instantOf(a) === instantOf(b) &&
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
