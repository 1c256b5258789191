/**
 * Stays that share a visit number. Some senders use the number of a former stay again when a patient comes back (PV1-19 is the account, or the
 * episode). Each stay is a visit, because flags, clocks and counts are of visits: the patient was discharged, and was readmitted.
 */
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import type { Fact } from './fold-input.ts';
import { draftVisit } from './fold-visit.ts';
import type { VisitAtFacility } from './shared-stays.ts';
import type { TimelineEntry } from './timeline.ts';
import { endsVisit } from './visit-clusters.ts';
import type { VisitGroup } from './visit-grouping.ts';
import { DELETES, STARTS } from './visit-triggers.ts';

/** The facts of one stay. */
export interface Stay extends VisitAtFacility {
  /** The facts from other facilities of the feed that are folded with it. */
  elsewhere: readonly Fact[];
  /** The discharge before, of a stay under the same number. */
  earlierEnd: Moment | null;
  /** When the patient was admitted from it under another number (`admitted-under-another-number.ts`). */
  nextAdmission?: Moment;
}

/**
 * Returns the stays of a visit group, in the order in which they began: one, unless the patient was discharged, or was in the ED or urgent care, and an
 * arrival on a later day has the same number. A fact is of the stay that had begun at its time, a cancel of that of its target, and a deletion of all.
 */
export function separateStays(visit: VisitAtFacility, elsewhere: readonly Fact[]): Stay[] {
  const { group, facility } = visit;
  const only: Stay = { ...visit, elsewhere, earlierEnd: null };
  if (!mayHaveSeveral(group.facts)) return [only];
  const own = group.facts.filter((fact) => !fact.sentElsewhere);
  const drafted = draftVisit([...own, ...elsewhere], facility);
  const { furtherStays } = drafted.visit;
  if (furtherStays.length === 0 || drafted.isRetracted) return [only];
  const stayOf = stayByContent(drafted);
  const isOf = (n: number) => (fact: Fact) => DELETES.has(fact.adt.trigger) || (stayOf.get(contentOf(fact)) ?? 0) === n;
  return [null, ...furtherStays].map((further, n) => ({
    ...visit,
    group: partOf(group, n, group.facts.filter(isOf(n))),
    elsewhere: elsewhere.filter(isOf(n)),
    earlierEnd: further?.earlierEnd ?? null,
  }));
}

/** Whether an arrival may be on a later day than a discharge, by any of their times: of most visits none is. */
function mayHaveSeveral(facts: readonly Fact[]): boolean {
  const arrivals = facts.filter(isArrival);
  const days = arrivals.flatMap((fact) => [...daysOf(fact), fact.adt.visit?.admittedAt?.localDate ?? '']);
  const lastArrival = days.sort().at(-1) ?? '';
  if (new Set(arrivals.filter(mayBeReturn).flatMap(daysOf)).size > 1) return true;
  return facts.some((fact) => mayEnd(fact) && daysOf(fact).some((day) => day < lastArrival));
}

const isArrival = ({ adt, manualCode }: Fact): boolean => STARTS.has(adt.trigger) || manualCode !== undefined;
/** Whether the arrival may begin another visit without a discharge before it (`isReturn` in arrivals.ts). */
const mayBeReturn = ({ adt }: Fact): boolean => adt.trigger === 'A01' || adt.trigger === 'A04';
const mayEnd = (fact: Fact): boolean =>
  endsVisit(fact) ||
  fact.manualCode !== undefined ||
  Boolean(fact.adt.visit?.dischargedAt) ||
  fact.adt.trigger === 'A02';
const daysOf = ({ adt }: Fact): string[] =>
  [adt.occurredAt, adt.recordedAt, adt.sentAt, adt.visit?.dischargedAt, adt.disbelieved?.receivedAt].flatMap(
    (moment) => moment?.localDate ?? [],
  );

const contentOf = ({ adt, manualCode }: Fact): string => `${adt.contentHash}/${manualCode ?? ''}`;

/** By content, which of the stays each fact belongs to; those without a readable time are missing. */
function stayByContent({ timeline, visit, cancellations }: ReturnType<typeof draftVisit>): ReadonlyMap<string, number> {
  const beginnings = visit.furtherStays.map(({ arrival }) => timeline.findIndex(({ fact }) => fact === arrival.fact));
  const stayAt = (place: number) => beginnings.filter((begun) => begun <= place).length;
  const places = new Map(timeline.map((entry, place) => [entry, stayAt(place)]));
  const place = (entry: TimelineEntry) => {
    const [target] = cancellations.targets.get(entry) ?? [];
    return places.get(target ?? entry) ?? 0;
  };
  return new Map(timeline.map((entry) => [contentOf(entry.fact), place(entry)]));
}

/** The number of the first stay is that of its visit: whoever knew the visit before knows the first stay. */
const partOf = (group: VisitGroup, n: number, facts: Fact[]): VisitGroup => ({
  ...group,
  facts,
  ...(n > 0 && { key: `${group.key}|again|${n}` }),
});
