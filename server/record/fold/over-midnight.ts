/**
 * Emergency visits that continue after midnight, from senders without visit numbers. The day of admission (PV1-44) is then their key, and it
 * may be the day after the arrival: of the registration that was completed later, or of the admission as an inpatient.
 */
import type { Fact } from './fold-input.ts';
import { type Cluster, DAY, latestFirst, spanOf } from './visit-clusters.ts';
import { PLANS } from './visit-triggers.ts';

/**
 * Adds each group of messages that only a day of admission connects to the emergency visit that was open then and had begun less than a day
 * before, unless the group has an arrival of its own. Whoever comes to the ED twice in that time arrives twice.
 */
export function joinOverMidnight(clusters: Map<string, Cluster>): void {
  const spans = [...clusters.values()]
    .filter(({ members }) => members.some(({ fact }) => isEdArrival(fact)))
    .map(spanOf);
  if (spans.length === 0) return;
  const joins = [...clusters.values()].filter(isContinuation).flatMap((later): [Cluster, Cluster][] => {
    const begun = Math.min(...later.members.map(({ at, admitted }) => admitted ?? at));
    const wasOpen = spans.filter(
      ({ cluster: { members }, end }) =>
        begun <= end && members.some(({ fact, at }) => isEdArrival(fact) && at <= begun && begun - at < DAY),
    );
    const earlier = wasOpen.sort(latestFirst)[0]?.cluster;
    return earlier ? [[later, earlier]] : [];
  });
  // Joined only now, so that the order of the groups doesn't matter.
  for (const [later, earlier] of joins) {
    earlier.members.push(...later.members);
    clusters.delete(later.key);
  }
}

const isEdArrival = ({ adt: { trigger, visit }, manualCode }: Fact): boolean =>
  manualCode === 'PRESENTED' || ((trigger === 'A01' || trigger === 'A04') && visit?.setting === 'EMERGENCY');

/** Whether no message of the group says that someone arrived, or will. */
const isContinuation = ({ members }: Cluster): boolean =>
  members.every(
    ({ fact, level }) =>
      level === 'day' &&
      fact.adt.trigger !== 'A04' &&
      fact.manualCode === undefined &&
      !isEdArrival(fact) &&
      !PLANS.has(fact.adt.trigger),
  );
