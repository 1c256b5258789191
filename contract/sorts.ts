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
  /** How well the text matches: the default once there is one. */
  'RELEVANCE',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

const DESCENDING = new Set<SortKey>(['PING_ENCOUNTER_DATE', 'MANAGEMENT_STATUS_DATE', 'LENGTH_OF_STAY', 'RELEVANCE']);
/** Newest, longest and best first; everything else ascends (section 9). */
export const defaultSortOrder = (key: SortKey): 'ASC' | 'DESC' => (DESCENDING.has(key) ? 'DESC' : 'ASC');
export const DEFAULT_SORT: SortKey = 'PING_ENCOUNTER_DATE';
/** What a list offers to sort by, in words. */
export const SORT_OPTIONS = {
  FIRST_NAME: 'First name',
  LAST_NAME: 'Last name',
  MANAGEMENT_STATUS_DATE: 'Date of current status',
  PING_ENCOUNTER_DATE: 'Date of encounter',
  VISIT_DURATION: 'Visit duration',
} as const satisfies Partial<Record<SortKey, string>>;

export const PAGE_SIZES = [5, 10, 20] as const;
