/**
 * Visits that continue on another day, from senders without visit numbers. The day of admission (PV1-44) is then their key, and it may be a
 * later one than that of the arrival: of the registration in the ED that was completed after midnight, or of the admission as an inpatient.
 */
import { DAY } from '#contract/durations.ts';
import type { Fact } from './fold-input.ts';
import { type Cluster, latestFirst, spanOf } from './visit-clusters.ts';
import { CLASS_CHANGES, PLANS } from './visit-triggers.ts';

/** Observation rarely lasts longer (Medicare Benefit Policy Manual, chapter 6, 20.6: usually less than 48 hours). */
const LONGEST_BEFORE_ADMISSION = 3 * DAY;

/**
 * Adds each group of messages that only a day of admission connects to the visit that it continues: the emergency visit that was open then and
 * had begun less than a day before or, for a change of class (A06, A07), also an observation or outpatient stay. Not if the group has an arrival
 * of its own: whoever comes to the ED twice arrives twice. The earliest group comes first, because it may end the visit.
 */
export function joinContinued(clusters: Map<string, Cluster>): void {
  const spans = new Map(
    [...clusters.values()].filter(hasArrivalBeforeAdmission).map((cluster) => [cluster, spanOf(cluster)]),
  );
  if (spans.size === 0) return;
  const continuations = [...clusters.values()]
    .filter(isContinuation)
    .map((cluster) => ({ cluster, begun: begunAt(cluster) }));
  continuations.sort((a, b) => a.begun - b.begun || (a.cluster.key < b.cluster.key ? -1 : 1));
  for (const { cluster, begun } of continuations) {
    const [isStart, within] = startOf(cluster);
    const wasOpen = [...spans.values()].filter(
      (span) =>
        span.cluster !== cluster &&
        begun <= span.end &&
        span.cluster.members.some(({ fact, at }) => isStart(fact) && at <= begun && begun - at < within),
    );
    const earlier = wasOpen.sort(latestFirst)[0]?.cluster;
    if (!earlier) continue;
    earlier.members.push(...cluster.members);
    spans.set(earlier, spanOf(earlier));
    spans.delete(cluster);
    clusters.delete(cluster.key);
  }
}

const begunAt = ({ members }: Cluster): number => Math.min(...members.map(({ at, admitted }) => admitted ?? at));

/** Returns which arrival a group may continue, and for how long after it. An admission (A01) continues only an ED visit. */
function startOf({ members }: Cluster): [isStart: (fact: Fact) => boolean, within: number] {
  const has = (isOne: (trigger: string) => boolean) => members.some(({ fact }) => isOne(fact.adt.trigger));
  const isChange = has((trigger) => CLASS_CHANGES.has(trigger)) && !has((trigger) => trigger === 'A01');
  return isChange ? [isArrivalBeforeAdmission, LONGEST_BEFORE_ADMISSION] : [isEdArrival, DAY];
}

const hasArrivalBeforeAdmission = ({ members }: Cluster): boolean =>
  members.some(({ fact }) => isArrivalBeforeAdmission(fact));

const isArrivalIn = ({ adt: { trigger, visit } }: Fact, settings: ReadonlySet<string | undefined>): boolean =>
  (trigger === 'A01' || trigger === 'A04') && settings.has(visit?.setting);

const EMERGENCY = new Set(['EMERGENCY']);
const BEFORE_CLASS_CHANGE = new Set(['EMERGENCY', 'OBSERVATION', 'OUTPATIENT']);

const isEdArrival = (fact: Fact): boolean => fact.manualCode === 'PRESENTED' || isArrivalIn(fact, EMERGENCY);
const isArrivalBeforeAdmission = (fact: Fact): boolean => isEdArrival(fact) || isArrivalIn(fact, BEFORE_CLASS_CHANGE);

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
