/**
 * The columns of the search: a table of persons, and below it tables of pings and of events. The columns of facets follow from
 * `contract/facets.ts`. A person's latest visit is kept in the person's row under prefixed names, because a table and its parent must
 * not share a column name.
 */
import { type Facet, type FacetWith, facetDefinition, facetsWith, type SearchContext } from '#contract/facets.ts';
import type { TableSchema } from './columns/types.ts';

const PERSON_SINGLES = facetsWith({ of: 'person', kind: 'one' });
const PERSON_MULTIS = facetsWith({ of: 'person', kind: 'many' });
/** Days since 1970, and how many the person has. */
const PERSON_NUMBERS = ['birthDay', 'encounters', 'outsideEncounters', 'programs', 'practices'] as const;

/** `isOpen`: OPEN or null, for `openPatientsOnly`. */
const VISIT_SINGLES = [...facetsWith({ of: 'visit', kind: 'one' }), 'isOpen'] as const;
const VISIT_MULTIS = facetsWith({ of: 'visit', kind: 'many' });
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
  /** When the first of the scope's groups got a ping. */
  'pingedAt',
  /** The duration as it is shown, in minutes; null for an open stay that is shown in hours. */
  'stayMinutes',
  /** The admission of such a stay, in minutes since 1970. It becomes days at the next midnight, before which no stay of three days is shorter. */
  'openSince',
] as const;
const PING_SINGLES = facetsWith({ of: 'ping', kind: 'one' });
/** `dueDay`: days since 1970. `urgency`: see `rows/due-cells.ts`. */
const PING_NUMBERS = ['dueDay', 'urgency'] as const;

export type PersonSingle = FacetWith<{ of: 'person'; kind: 'one' }>;
export type PersonMulti = FacetWith<{ of: 'person'; kind: 'many' }>;
export type PersonNumber = (typeof PERSON_NUMBERS)[number];
export type VisitSingle = (typeof VISIT_SINGLES)[number];
export type VisitMulti = FacetWith<{ of: 'visit'; kind: 'many' }>;
export type PingSingle = FacetWith<{ of: 'ping'; kind: 'one' }>;
export type VisitNumber = (typeof VISIT_NUMBERS)[number];

const LATEST = new Map<string, string>(
  [...VISIT_SINGLES, ...VISIT_MULTIS, ...VISIT_NUMBERS, 'roomAndBed'].map((name) => [name, `latest.${name}`]),
);
/** Returns the name of a visit's column in the person's row. A lookup, because loading many persons asks for it millions of times. */
export const latest = (column: string): string => LATEST.get(column) ?? column;

/** `lists`: the groups that list the person now. */
export const PERSONS: TableSchema = {
  singles: [...PERSON_SINGLES, ...VISIT_SINGLES.map(latest)],
  multis: [...PERSON_MULTIS, 'lists', ...VISIT_MULTIS.map(latest)],
  numbers: [...PERSON_NUMBERS, ...VISIT_NUMBERS.map(latest)],
  sortTexts: ['firstName', 'lastName', latest('roomAndBed')],
  words: ['name', 'identifier'],
};

/** The tables of pings and of events. `group`: the scope's groups that got the ping, or may read the event. */
export const VISIT_ROWS: TableSchema = {
  singles: [...VISIT_SINGLES, ...PING_SINGLES],
  multis: [...VISIT_MULTIS, 'group'],
  numbers: [...VISIT_NUMBERS, ...PING_NUMBERS],
  sortTexts: ['roomAndBed'],
  words: [],
};

const PERSON_COLUMNS = new Set<string>([
  ...PERSON_SINGLES,
  ...PERSON_MULTIS,
  ...PERSON_NUMBERS,
  'firstName',
  'lastName',
]);

/** Returns the column of a list's rows by its plain name. */
export const columnOf = (context: SearchContext, column: string): string =>
  context === 'ALL' && !PERSON_COLUMNS.has(column) ? latest(column) : column;

/** Returns the column that a facet counts or filters. */
export const columnOfFacet = (context: SearchContext, facet: Facet): string =>
  columnOf(context, facetDefinition(facet).column ?? facet);

/** Returns the column with the groups that may see a row. */
export const groupColumn = (context: SearchContext): string => (context === 'ALL' ? 'lists' : 'group');

/** The columns whose values are diagnosis codes, in every table. */
export const DIAGNOSIS_COLUMNS: ReadonlySet<string> = new Set(
  VISIT_MULTIS.filter((facet) => facetDefinition(facet).isDiagnosis).flatMap((facet) => [facet, latest(facet)]),
);
