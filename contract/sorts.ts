/** Sort keys and page sizes of lists. Free of schemas, because the browser loads it with every list. */
export const SORT_KEYS = [
  'FIRST_NAME',
  'LAST_NAME',
  'MANAGEMENT_STATUS_DATE',
  'PING_ENCOUNTER_DATE',
  'VISIT_DURATION',
  'LENGTH_OF_STAY',
  'ROOM_AND_BED',
  'NUMBER_OF_ENCOUNTERS',
  'NUMBER_OF_OUTSIDE_ENCOUNTERS',
  'NUMBER_OF_PROGRAMS',
  'NUMBER_OF_PRACTICES',
  /** Of pings: overdue, due today, readmission, the rest; equal ones by the latest event. */
  'URGENCY',
  /** Of pings: when the follow-up is due. */
  'DUE_DATE',
  /** How well the text matches: the default if there is text. Also written as ''. */
  'RELEVANCE',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

const DESCENDING = new Set<SortKey>(['PING_ENCOUNTER_DATE', 'MANAGEMENT_STATUS_DATE', 'LENGTH_OF_STAY', 'URGENCY']);
/** Dates are newest first and stays longest first by default; everything else ascends. Relevance is always best match first. */
export const defaultSortOrder = (key: SortKey): 'ASC' | 'DESC' => (DESCENDING.has(key) ? 'DESC' : 'ASC');
/** The date of the current status, which is that of the latest event. */
export const DEFAULT_SORT: SortKey = 'PING_ENCOUNTER_DATE';
/** The sort keys in words. */
export const SORT_LABELS: Record<SortKey, string> = {
  PING_ENCOUNTER_DATE: 'Date of current status',
  MANAGEMENT_STATUS_DATE: 'Date of last change',
  LAST_NAME: 'Last name',
  FIRST_NAME: 'First name',
  VISIT_DURATION: 'Visit duration',
  LENGTH_OF_STAY: 'Length of stay',
  ROOM_AND_BED: 'Room and bed',
  NUMBER_OF_ENCOUNTERS: 'Encounters',
  NUMBER_OF_OUTSIDE_ENCOUNTERS: 'Outside encounters',
  NUMBER_OF_PROGRAMS: 'Programs',
  NUMBER_OF_PRACTICES: 'Practices',
  URGENCY: 'Urgency',
  DUE_DATE: 'Follow-up due date',
  RELEVANCE: 'Relevance',
};

export const PAGE_SIZES = [5, 10, 20] as const;
