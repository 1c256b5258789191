/** A class that changes after the discharge corrects the stay: hospitals turn inpatient stays into observation when they review them. */
import type { Setting } from '#contract/event-codes.ts';
import { joinOutcomes, updated } from './outcomes.ts';
import type { TimelineEntry } from './timeline.ts';
import { addSource, type EventDraft, type VisitDraft, withdrawEvent } from './visit-draft.ts';

/** Both are stays that begin with an admission, so no other event is needed. */
const CORRECTABLE = new Set<Setting>(['INPATIENT', 'OBSERVATION']);

/**
 * Gives the events of the finished stay since its last change of class another class: what an update reports, or an arrival or a discharge that comes after
 * the stay. An admission or transfer that only was the change from that class is withdrawn. `end`: the discharge, if it is known. Returns the outcome; null
 * if the class is the same.
 */
export function reclassify(
  visit: VisitDraft,
  entry: TimelineEntry,
  to: Setting | undefined,
  end: EventDraft | null,
): string | null {
  const { state, start } = visit;
  const from = state.setting;
  if (to === undefined || to === from || !isCorrectable(from, to)) return null;
  state.setting = to;
  for (const event of visit.events.toReversed()) {
    if (event.setting !== from) break;
    if (event.priorSetting === to) {
      withdrawStep(visit, event, entry);
      break;
    }
    event.setting = to;
    if (event === start) break;
  }
  const changed = [start, end].filter(
    (event) => event !== null && event.setting === to && visit.events.includes(event),
  );
  for (const event of changed) if (event) addSource(event, entry);
  return joinOutcomes(changed.map((event) => event && updated(event.code)));
}

export const isCorrectable = (from: Setting, to: Setting): boolean => CORRECTABLE.has(from) && CORRECTABLE.has(to);

/** Withdraws the step from the corrected class. The stay began with the arrival before it. */
function withdrawStep(visit: VisitDraft, event: EventDraft, entry: TimelineEntry): void {
  withdrawEvent(visit, event, entry);
  visit.arrivals = visit.arrivals.filter((arrival) => arrival !== event);
  if (visit.start === event) visit.start = visit.arrivals.at(-1) ?? null;
  if (visit.admission.event === event) visit.admission = { ...visit.admission, event: visit.start };
}
