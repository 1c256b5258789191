/**
 * A transfer (A02) to another facility of the same feed: one visit number, two facilities. An encounter is a stay at one facility, so
 * the transfer ends the first encounter and begins the second. Each is folded together with the other facility's messages that say
 * where the patient is (`shared-stays.ts`).
 */
import { beginVisit } from './arrivals.ts';
import type { FoldFacility } from './fold-input.ts';
import { moveWithinVisit } from './movements.ts';
import type { TimelineEntry } from './timeline.ts';
import { emitEvent, isOpenStay, type PreviousState, undoAutoClose, type VisitDraft } from './visit-draft.ts';
import { arrivalCode, endCode, settingOf } from './visit-state.ts';

/** UB-04 discharge status (PV1-36) for a transfer to a facility of this type. */
const TRANSFERRED_TO: Partial<Record<FoldFacility['facilityType'], string>> = {
  HOS: '02',
  SNF: '03',
  HHA: '06',
  HOSPICE: '51',
  REHAB_HOS: '62',
  LTAC: '63',
};

/** Applies a message of another facility: a transfer to that facility ends the stay here. */
export function applyElsewhere(visit: VisitDraft, entry: TimelineEntry): void {
  const { adt, elsewhere } = entry.fact;
  visit.isElsewhere = true;
  if (adt.trigger !== 'A02' || !elsewhere) return;
  undoAutoClose(visit, entry);
  if (!isOpenStay(visit)) return;
  const { state } = visit;
  state.dischargedAt = entry.at;
  state.disposition = TRANSFERRED_TO[elsewhere.facilityType] ?? null;
  state.dischargedTo = null;
  state.transferredTo = elsewhere.id;
  const { disposition, transferredTo } = state;
  visit.end = emitEvent(visit, entry, endCode(visit.facility), { disposition, transferredTo });
  visit.phase = 'ended';
}

/**
 * A02. From another facility it is an arrival here, dated by the transfer: its PV1-44 is that of the stay over there. Otherwise it is a
 * move within the facility.
 */
export function transfer(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string {
  const hasOwnStart = visit.start !== null && !visit.start.inferred;
  const isHere = isOpenStay(visit) && hasOwnStart;
  const setting = settingOf(entry.fact, visit.facility) ?? previous.setting;
  const code = arrivalCode('A01', setting, visit.facility);
  if (!visit.isElsewhere || isHere || code === null) return moveWithinVisit(visit, entry, previous);
  if (hasOwnStart) {
    visit.start = null;
  } else {
    visit.transferredInAt = entry.at;
    visit.state.admittedAt = entry.at;
  }
  return beginVisit(visit, entry, previous, code, setting);
}
