/** The orders of a list and the sizes of its pages (specification, second file, sections 3 and 9). Without schemas: the browser loads it. */
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
  /** How well the text matches: the default once there is one. Written as '' too, as the specification has it. */
  'RELEVANCE',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

const DESCENDING = new Set<SortKey>(['PING_ENCOUNTER_DATE', 'MANAGEMENT_STATUS_DATE', 'LENGTH_OF_STAY']);
/** Newest and longest first; everything else ascends (section 9). Relevance has one order, the best match first, whatever is asked. */
export const defaultSortOrder = (key: SortKey): 'ASC' | 'DESC' => (DESCENDING.has(key) ? 'DESC' : 'ASC');
/** Which section 9 calls "date of current status": that of the latest event. */
export const DEFAULT_SORT: SortKey = 'PING_ENCOUNTER_DATE';
/** What a list offers to sort by, in words. */
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
  RELEVANCE: 'Relevance',
};

export const PAGE_SIZES = [5, 10, 20] as const;
