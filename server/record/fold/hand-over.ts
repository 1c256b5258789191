/**
 * A transfer (A02) to another facility of the same feed: one visit number, two facilities. An encounter is a stay at one facility, so
 * the first one ends with the transfer and the second one begins with it. Each is folded with what the other's messages say of where
 * the patient is (`same-stay.ts`).
 */
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import { isBefore } from './event-time.ts';
import type { FoldFacility } from './fold-input.ts';
import type { Dated } from './timeline.ts';
import { begin, move } from './transitions.ts';
import { arrivalCode, settingOf } from './visit-state.ts';
import { type Before, give, reopenClosed, type Walk } from './visit-walk.ts';

/** UB-04 discharge status (PV1-36) of who is transferred to such a facility. */
const TRANSFERRED_TO: Partial<Record<FoldFacility['facilityType'], string>> = {
  HOS: '02',
  SNF: '03',
  HHA: '06',
  HOSPICE: '51',
  REHAB_HOS: '62',
  LTAC: '63',
};

/** What a message of another facility means here: after a transfer there the stay here is over. */
export function noteElsewhere(walk: Walk, dated: Dated): void {
  const { adt, elsewhere } = dated.fact;
  walk.isElsewhere = true;
  if (adt.trigger !== 'A02' || !elsewhere) return;
  reopenClosed(walk, dated);
  if (walk.phase !== 'open' && walk.phase !== 'left') return;
  const { state } = walk;
  state.dischargedAt = dated.at;
  state.disposition = TRANSFERRED_TO[elsewhere.facilityType] ?? null;
  state.dischargedTo = adt.visit?.location?.facility ?? adt.facilityIdentifier;
  const { disposition, dischargedTo } = state;
  const code = walk.facility.facilityType === 'HHA' ? 'ENDED_HHA_SERVICES' : 'DISCHARGE';
  walk.end = give(walk, dated, code, { disposition, dischargedTo });
  walk.phase = 'ended';
}

/** A02: from another facility it is an arrival here, whatever PV1-44 says, which is that of the stay there; else a move. */
export function transfer(walk: Walk, dated: Dated, before: Before): string {
  const hasOwnStart = walk.start !== null && !walk.start.inferred;
  const isHere = (walk.phase === 'open' || walk.phase === 'left') && hasOwnStart;
  const setting = settingOf(dated.fact, walk.facility) ?? before.setting;
  const code = arrivalCode('A01', setting, walk.facility);
  if (!walk.isElsewhere || isHere || code === null) return move(walk, dated, before);
  if (hasOwnStart) {
    walk.start = null;
  } else {
    walk.arrivedAt = dated.at;
    walk.state.admittedAt = dated.at;
  }
  return begin(walk, dated, before, code, setting);
}

/** Whether a PV1-44 is still that of the stay at the facility that the patient came from. */
export const isOfStayElsewhere = ({ arrivedAt }: Walk, { visit }: AdtFacts): boolean =>
  Boolean(arrivedAt && visit?.admittedAt && isBefore(visit.admittedAt, arrivedAt));
