/** What is known of a stay of which there is nothing but a discharge (A03) and its cancel (A13). */
import type { Cancellations } from './cancels.ts';
import type { TimelineEntry } from './timeline.ts';

/**
 * Returns the entries to apply to a visit: those that no cancel retracted. If none of them has PV1, the stay was first heard of by its discharge, and the
 * A13 says that it goes on, with class and admission (HL7 v2.5.1 3.3.13): then also the canceled A03 and its A13, as updates that say nothing of an end.
 */
export function withCanceledDischarge(
  remaining: readonly TimelineEntry[],
  timeline: readonly TimelineEntry[],
  { canceledBy, targets }: Cancellations,
): readonly TimelineEntry[] {
  if (remaining.some(({ fact }) => fact.adt.visit && !fact.elsewhere)) return remaining;
  const isA13 = (entry: TimelineEntry | undefined) => entry?.fact.adt.trigger === 'A13' && !entry.fact.elsewhere;
  return timeline.flatMap((entry) => {
    if (remaining.includes(entry)) return entry;
    const says = isA13(canceledBy.get(entry)) || (isA13(entry) && (targets.get(entry)?.length ?? 0) > 0);
    return says ? asUpdate(entry) : [];
  });
}

function asUpdate(entry: TimelineEntry): TimelineEntry {
  const { adt } = entry.fact;
  const { dischargedAt: _, disposition: __, dischargedTo: ___, ...visit } = adt.visit ?? {};
  const { deceased: ____, deceasedAt: _____, ...patient } = adt.patient;
  return { ...entry, fact: { ...entry.fact, adt: { ...adt, trigger: 'A08', patient, visit: adt.visit && visit } } };
}
