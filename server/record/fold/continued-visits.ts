/**
 * Visits that continue on another day, from senders without visit numbers. The day of admission (PV1-44) is then their key, and it may be a
 * later one than that of the arrival: of the registration in the ED that was completed after midnight, or of the admission as an inpatient.
 */
import type { Fact } from './fold-input.ts';
import { type Cluster, DAY, latestFirst, spanOf } from './visit-clusters.ts';
import { CLASS_CHANGES, PLANS } from './visit-triggers.ts';

/** Observation rarely lasts longer (Medicare Benefit Policy Manual, chapter 6, 20.6: usually less than 48 hours). */
const LONGEST_BEFORE_ADMISSION = 3 * DAY;

/**
 * Adds each group of messages that only a day of admission connects to the visit that it continues: the emergency visit that was open then and
 * had begun less than a day before or, for a change of class (A06, A07), also an observation or outpatient stay. Not if the group has an arrival
 * of its own: whoever comes to the ED twice arrives twice.
 */
export function joinContinued(clusters: Map<string, Cluster>): void {
  const spans = [...clusters.values()]
    .filter(({ members }) => members.some(({ fact }) => isArrivalBeforeAdmission(fact)))
    .map(spanOf);
  if (spans.length === 0) return;
  const joins = [...clusters.values()].filter(isContinuation).flatMap((later): Join[] => {
    const begun = Math.min(...later.members.map(({ at, admitted }) => admitted ?? at));
    const isChange = later.members.some(({ fact }) => CLASS_CHANGES.has(fact.adt.trigger));
    const [isStart, within] = isChange ? [isArrivalBeforeAdmission, LONGEST_BEFORE_ADMISSION] : [isEdArrival, DAY];
    const wasOpen = spans.filter(
      ({ cluster, end }) =>
        cluster !== later &&
        begun <= end &&
        cluster.members.some(({ fact, at }) => isStart(fact) && at <= begun && begun - at < within),
    );
    const earlier = wasOpen.sort(latestFirst)[0]?.cluster;
    return earlier ? [{ later, earlier, begun }] : [];
  });
  // Joined only now, so that the order of the groups doesn't matter. An earlier one may itself continue another.
  const joined = new Map<Cluster, Cluster>();
  for (const { later, earlier } of joins.sort((a, b) => a.begun - b.begun || (a.later.key < b.later.key ? -1 : 1))) {
    let root = earlier;
    for (let next = joined.get(root); next !== undefined; next = joined.get(root)) root = next;
    if (root === later) continue;
    root.members.push(...later.members);
    joined.set(later, root);
    clusters.delete(later.key);
  }
}

interface Join {
  later: Cluster;
  earlier: Cluster;
  /** When the later one began, in milliseconds. */
  begun: number;
}

const isArrivalIn = ({ adt: { trigger, visit } }: Fact, settings: ReadonlySet<string | undefined>): boolean =>
  (trigger === 'A01' || trigger === 'A04') && settings.has(visit?.setting);

const EMERGENCY = new Set(['EMERGENCY']);
const BEFORE_ADMISSION = new Set(['EMERGENCY', 'OBSERVATION', 'OUTPATIENT']);

const isEdArrival = (fact: Fact): boolean => fact.manualCode === 'PRESENTED' || isArrivalIn(fact, EMERGENCY);
const isArrivalBeforeAdmission = (fact: Fact): boolean => isEdArrival(fact) || isArrivalIn(fact, BEFORE_ADMISSION);

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
