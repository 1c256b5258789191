/** The thirteen patient events with their labels. Everything that happens to a patient during an encounter is one of these. */
export const EVENT_LABELS = {
  ADMIT: 'Admitted',
  PRESENTED: 'Presented',
  VISIT: 'Visit',
  DISCHARGE: 'Discharged',
  DECEASED: 'Deceased',
  TRANSFER: 'Transferred',
  CLOSED: 'Closed',
  PAYOR_CHANGE: 'Payor Change',
  MEDICAL_LEAVE_OF_ABSENCE: 'Medical LOA',
  RESUMED_SERVICES: 'Resumed Services',
  ENDED_SERVICES: 'Ended Services',
  STARTED_HHA_SERVICES: 'Started HHA Services',
  ENDED_HHA_SERVICES: 'Ended HHA Services',
} as const;

export type EventCode = keyof typeof EVENT_LABELS;
export const EVENT_CODES = Object.keys(EVENT_LABELS) as EventCode[];

/** Events that start a visit. */
const FIRST_EVENTS: ReadonlySet<EventCode> = new Set<EventCode>([
  'ADMIT',
  'PRESENTED',
  'VISIT',
  'STARTED_HHA_SERVICES',
]);
export const startsVisit = (code: EventCode): boolean => FIRST_EVENTS.has(code);

/** AMENDED: valid, but its details changed after it was sent. CANCELLED: retracted by its source. */
export const EVENT_STATES = ['ACTIVE', 'AMENDED', 'CANCELLED'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** The kind of care a patient receives at a facility. UNKNOWN: the feed has no mapping for the patient class (PV1-2). */
export const SETTING_LABELS = {
  EMERGENCY: 'Emergency',
  INPATIENT: 'Inpatient',
  OBSERVATION: 'Observation',
  OUTPATIENT: 'Outpatient',
  SNF: 'Skilled nursing',
  HHA: 'Home health',
  HOSPICE: 'Hospice',
  ASSISTED_LIVING: 'Assisted living',
  LTAC: 'Long-term acute care',
  REHAB: 'Rehabilitation',
  URGENT_CARE: 'Urgent care',
  UNKNOWN: 'Unknown',
} as const;
export type Setting = keyof typeof SETTING_LABELS;
export const SETTINGS = Object.keys(SETTING_LABELS) as Setting[];
