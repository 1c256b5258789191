/** The leaves of absence of a visit, at any facility, whether or not they are events there. */
import type { TimelineEntry } from './timeline.ts';
import type { VisitDraft } from './visit-draft.ts';

/** Begins a leave when the visit's phase has become a leave, and ends it when the patient is there again, by a return or an arrival. */
export function followLeave({ phase, state }: VisitDraft, { at }: TimelineEntry): void {
  const { leaves = [] } = state;
  const last = leaves.at(-1);
  const isAway = last?.to === null;
  if (phase === 'on-leave' && !isAway) state.leaves = [...leaves, { from: at, to: null }];
  if (phase === 'open' && isAway) state.leaves = [...leaves.slice(0, -1), { from: last.from, to: at }];
}
