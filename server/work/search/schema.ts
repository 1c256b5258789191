/**
 * The columns of a store: persons, and below them pings and events. A person's latest visit stands with the person, under names of its
 * own, for a name is used once between a table and its parent.
 */
import { type Facet, facetDefinition, type SearchContext } from '#contract/facets.ts';
import type { TableSchema } from './columns/types.ts';

const PERSON_SINGLES = [
  'covid19',
  'hhaServices',
  'hospitalUse',
  'gender',
  'city',
  'zipCode',
] as const satisfies Facet[];
const PERSON_MULTIS = [
  'careGaps',
  'currentlyBilling',
  'advanceCareDocuments',
  'risingRisk',
  'storyInformation',
  'program',
  'activeTags',
  'practice',
  'provider',
  'careCoordinator',
] as const satisfies Facet[];
const PERSON_NUMBERS = ['birthDay', 'encounters', 'outsideEncounters', 'programs', 'practices'] as const;

const VISIT_SINGLES = [
  'currentStatus',
  'facilityName',
  'facilityState',
  'facilityType',
  'groupType',
  'setting',
  'floorUnit',
  'admittedFrom',
  'dischargedTo',
  'skilledNursing30Day',
  'dischargeSummary',
  'readmissionRisk',
  'recentInpatientStay',
  'expectedStay',
  /** OPEN or null; behind `openPatientsOnly`. */
  'isOpen',
] as const;
const VISIT_MULTIS = ['diagnoses', 'priorDiagnoses', 'encounterTags', 'latestPingResolutionReason'] as const;
const VISIT_NUMBERS = [
  /** Days since 1970. */
  'eventDay',
  'dischargedDay',
  /** Days. */
  'stayDays',
  'expectedDays',
  /** Seconds since 1970. */
  'eventAt',
  'statusAt',
  /** When the scope's groups were first told of it. */
  'toldAt',
  /** Minutes; of an open stay up to the last midnight. */
  'stayMinutes',
  /** Of open stays, more the longer it is: minutes before 1970. */
  'openFor',
] as const;

export type PersonSingle = (typeof PERSON_SINGLES)[number];
export type PersonMulti = (typeof PERSON_MULTIS)[number];
export type PersonNumber = (typeof PERSON_NUMBERS)[number];
export type VisitSingle = (typeof VISIT_SINGLES)[number];
export type VisitMulti = (typeof VISIT_MULTIS)[number];
export type VisitNumber = (typeof VISIT_NUMBERS)[number];

const LATEST = new Map<string, string>(
  [...VISIT_SINGLES, ...VISIT_MULTIS, ...VISIT_NUMBERS, 'roomAndBed'].map((name) => [name, `latest.${name}`]),
);
/** A visit's column where it stands with the person. Looked up and not made: a store of many persons asks for it millions of times. */
export const latest = (column: string): string => LATEST.get(column) ?? column;

/** `lists`: the groups that list the person now. */
export const PERSONS: TableSchema = {
  singles: [...PERSON_SINGLES, ...VISIT_SINGLES.map(latest)],
  multis: [...PERSON_MULTIS, 'lists', ...VISIT_MULTIS.map(latest)],
  numbers: [...PERSON_NUMBERS, ...VISIT_NUMBERS.map(latest)],
  sortTexts: ['firstName', 'lastName', latest('roomAndBed')],
  words: ['name', 'identifier'],
};

/** Of pings and of events. `group`: those of the scope's groups that were told, or may read the event. */
export const VISIT_ROWS: TableSchema = {
  singles: [...VISIT_SINGLES, 'managementStatus'],
  multis: [...VISIT_MULTIS, 'group'],
  numbers: [...VISIT_NUMBERS],
  sortTexts: ['roomAndBed'],
  words: [],
};

const OF_PERSON = new Set<string>([...PERSON_SINGLES, ...PERSON_MULTIS, ...PERSON_NUMBERS, 'firstName', 'lastName']);
const RANGE_COLUMNS = {
  age: 'birthDay',
  eventDate: 'eventDay',
  visitDuration: 'stayDays',
  lengthOfStay: 'stayDays',
  dischargedDaysAgo: 'dischargedDay',
} as const satisfies Partial<Record<Facet, PersonNumber | VisitNumber>>;

/** The column of a list's rows by its plain name. */
export const columnOf = (context: SearchContext, column: string): string =>
  context === 'ALL' && !OF_PERSON.has(column) ? latest(column) : column;

/** The column that a facet counts or filters by. */
export const columnOfFacet = (context: SearchContext, facet: Facet): string =>
  columnOf(context, (RANGE_COLUMNS as Partial<Record<Facet, string>>)[facet] ?? facet);

/** The groups by which a list's rows are seen. */
export const groupColumn = (context: SearchContext): string => (context === 'ALL' ? 'lists' : 'group');

/** Whether rows of a list have the facet. */
export const hasFacet = (context: SearchContext, facet: Facet): boolean =>
  facetDefinition(facet).contexts?.includes(context) ?? true;
