/** Which events the staff of a facility enter, by the kind of facility. Without zod: the browser loads it as it is. */
import { EVENT_LABELS, type EventCode } from './event-codes.ts';
import type { FacilityType, GroupType } from './groups.ts';

interface Kind {
  type: GroupType;
  facilityType: FacilityType | null;
}

const ALL = Object.keys(EVENT_LABELS) as EventCode[];
const HOME_HEALTH = new Set<EventCode>(['STARTED_HHA_SERVICES', 'ENDED_HHA_SERVICES']);
/** An ED, and visits that are over at once. */
const WITHOUT_BED = new Set<EventCode>(['PRESENTED', 'VISIT', 'CLOSED']);
/** In the home of the patient, and at an urgent care center, nobody is admitted, moved or on leave. */
const AT_HOME = new Set<EventCode>([...HOME_HEALTH, 'DECEASED', 'PAYOR_CHANGE', 'ENDED_SERVICES']);
const URGENT_CARE = new Set<EventCode>(['VISIT', 'DISCHARGE', 'DECEASED', 'PAYOR_CHANGE']);
const RESIDENTIAL = new Set<FacilityType>(['SNF', 'ALF', 'HOSPICE', 'LTAC', 'REHAB_HOS']);

/** Whether an event of this code can happen at a facility of this kind. A facility without a type, which is neither hospital nor SNF, may be any. */
export function isEnteredAt(code: EventCode, { type, facilityType }: Kind): boolean {
  if (facilityType === 'HHA') return AT_HOME.has(code);
  if (facilityType === 'URGENT_CARE') return URGENT_CARE.has(code);
  if (type === 'SNF' || (facilityType && RESIDENTIAL.has(facilityType)))
    return !HOME_HEALTH.has(code) && !WITHOUT_BED.has(code);
  if (type === 'HOS' || facilityType === 'HOS') return !HOME_HEALTH.has(code) && code !== 'ENDED_SERVICES';
  return true;
}

/** Returns the codes of events that the staff of the facility may enter. */
export const entryCodes = (kind: Kind): EventCode[] => ALL.filter((code) => isEnteredAt(code, kind));
