/**
 * The facets: what a list can be filtered by and is counted by. Server and browser derive the rest from this table: the columns of the
 * search (`server/work/search/schema.ts`), the groups of the filter panel (`filter-groups.ts`), labels, permissions and typeahead.
 *
 * A new facet is a row here, plus:
 * - the code that computes its value, which the compiler asks for: `server/work/search/rows/person-cells.ts` for a facet of the person,
 *   `visit-cells.ts` for one of the visit;
 * - the SQL that reads what the value is computed from, if nothing reads it yet: `server/work/search/rows/queries.ts` and
 *   `row-sources.ts`;
 * - the words for its values in `facet-labels.ts`, if they are codes;
 * - the file that applies its permission in `permission-guards.ts`, if it has one.
 */
import type { Permission } from './permissions.ts';

/** A row of ALL is a person, of PINGS a person's visit with pings, of EVENTS an event. */
export const SEARCH_CONTEXTS = ['ALL', 'EVENTS', 'PINGS'] as const;
export type SearchContext = (typeof SEARCH_CONTEXTS)[number];

export interface FacetDefinition {
  /** Shown in chips, and in a panel group that holds several facets. */
  label: string;
  /**
   * 'one' and 'many': how many values a row has. 'range': a whole number between two ends. 'date': a range of days, in one of the units
   * of `DATE_FIELDS`.
   */
  kind: 'one' | 'many' | 'range' | 'date';
  /** What the facet describes. A list of persons filters by each person's latest visit. */
  of: 'person' | 'visit' | 'ping';
  /** The panel group. Without it the pages themselves set the filter. */
  panel?: PanelPlace;
  /** The number column that a range or date filters; a facet with values has a column of its own name. */
  column?: string;
  /** Of a range. */
  unit?: 'days' | 'years';
  /** Required to see the group and its counts, and to filter by the facet. */
  permission?: Permission;
  /** The lists whose rows have it, if not all. */
  contexts?: readonly SearchContext[];
  /** The values are diagnosis codes, which are looked up and shown with their descriptions. */
  isDiagnosis?: true;
}

export interface PanelPlace {
  /** The heading that facets share; without it the facet has a group under its own label. */
  group?: string;
  /** 'always': a field to look a value up. 'on demand': the field appears after "Search". */
  typeahead?: 'always' | 'on demand';
  /** Open before anything is selected. */
  isExpanded?: true;
}

const define = <const T extends Record<string, FacetDefinition>>(facets: T): T => facets;

const FLAGS = { group: 'Flags' } as const;

/** In the order of the panel. */
export const FACETS = define({
  careGaps: {
    label: 'Open Care Gaps',
    kind: 'many',
    of: 'person',
    panel: {},
    permission: 'canViewCareGapsWorklistAlpha',
  },
  covid19: { label: 'Covid-19', kind: 'one', of: 'person', panel: {}, permission: 'canViewCovid19Status' },
  currentStatus: { label: 'Current Status', kind: 'one', of: 'visit', panel: { isExpanded: true } },
  hhaServices: {
    label: 'Ongoing HHA Services',
    kind: 'one',
    of: 'person',
    panel: {},
    permission: 'canFilterActiveHHAServices',
  },
  facilityName: { label: 'Facility Name', kind: 'one', of: 'visit', panel: { typeahead: 'always' } },
  facilityState: { label: 'Facility State', kind: 'one', of: 'visit', panel: {} },
  facilityType: { label: 'Facility Type', kind: 'one', of: 'visit', panel: {} },
  setting: { label: 'Setting', kind: 'one', of: 'visit', panel: {} },
  floorUnit: { label: 'Current Floor / Unit', kind: 'one', of: 'visit', panel: { typeahead: 'on demand' } },
  diagnoses: {
    label: 'Diagnoses',
    kind: 'many',
    of: 'visit',
    panel: { typeahead: 'on demand' },
    isDiagnosis: true,
  },
  priorDiagnoses: {
    label: 'Prior Diagnoses',
    kind: 'many',
    of: 'visit',
    panel: { typeahead: 'on demand' },
    isDiagnosis: true,
  },
  admittedFrom: { label: 'Admitted From', kind: 'one', of: 'visit', panel: {} },
  dischargedTo: { label: 'Discharged To', kind: 'one', of: 'visit', panel: {} },
  currentlyBilling: { label: 'Currently Billing', kind: 'many', of: 'person', panel: {} },
  eventDate: { label: 'Event Date', kind: 'date', of: 'visit', panel: {}, column: 'eventDay' },
  visitDuration: {
    label: 'Visit Duration',
    kind: 'range',
    of: 'visit',
    panel: {},
    column: 'stayDays',
    unit: 'days',
  },
  hospitalUse: { label: 'Hospital Use', kind: 'one', of: 'person', panel: FLAGS },
  encounterTags: { label: 'Encounter Tags', kind: 'many', of: 'visit', panel: FLAGS },
  skilledNursing30Day: { label: '30-Day Skilled Nursing', kind: 'one', of: 'visit', panel: FLAGS },
  dischargeSummary: {
    label: 'Discharge Summary',
    kind: 'one',
    of: 'visit',
    panel: FLAGS,
    permission: 'canViewDischargeSummaries',
  },
  readmissionRisk: { label: 'Readmission Risk', kind: 'one', of: 'visit', panel: FLAGS },
  recentInpatientStay: { label: 'Recent Inpatient Stay', kind: 'one', of: 'visit', panel: FLAGS },
  advanceCareDocuments: { label: 'Advance Care Documents', kind: 'many', of: 'person', panel: FLAGS },
  risingRisk: { label: 'Rising Risk', kind: 'many', of: 'person', panel: FLAGS, permission: 'canViewRisingRiskFlag' },
  storyInformation: { label: 'Patient Story Information', kind: 'many', of: 'person', panel: {} },
  latestPingResolutionReason: { label: 'Latest Ping Resolution Reason', kind: 'many', of: 'visit', panel: {} },
  program: { label: 'Program', kind: 'many', of: 'person', panel: { typeahead: 'always' } },
  activeTags: { label: 'Active Tags', kind: 'many', of: 'person', panel: {}, permission: 'canViewPatientTags' },
  practice: { label: 'Practice', kind: 'many', of: 'person', panel: { typeahead: 'always' } },
  provider: { label: 'Provider', kind: 'many', of: 'person', panel: { typeahead: 'on demand' } },
  careCoordinator: { label: 'Care Coordinator', kind: 'many', of: 'person', panel: { typeahead: 'on demand' } },
  gender: { label: 'Gender', kind: 'one', of: 'person', panel: {} },
  age: { label: 'Age', kind: 'range', of: 'person', panel: {}, column: 'birthDay', unit: 'years' },
  city: {
    label: 'City',
    kind: 'one',
    of: 'person',
    panel: { typeahead: 'on demand' },
    permission: 'canViewAllPatientDetails',
  },
  zipCode: {
    label: 'Zip Code',
    kind: 'one',
    of: 'person',
    panel: { typeahead: 'on demand' },
    permission: 'canViewAllPatientDetails',
  },
  // Outside the panel: set by the tabs and the owner control of the inbox, the pages of rising risk and length of stay, and the fixed filters.
  /** The same reasons as `risingRisk`, for those who may open the page. */
  riskList: {
    label: 'On the rising-risk list',
    kind: 'many',
    of: 'person',
    contexts: ['ALL'],
    permission: 'canViewRiskingRisk',
  },
  managementStatus: { label: 'Status', kind: 'one', of: 'ping', contexts: ['PINGS', 'EVENTS'] },
  dueWork: { label: 'Follow-up', kind: 'one', of: 'ping', contexts: ['PINGS'] },
  needsAction: { label: 'Needs action', kind: 'one', of: 'ping', contexts: ['PINGS'] },
  owner: { label: 'Owner', kind: 'one', of: 'ping', contexts: ['PINGS'] },
  waiting: { label: 'Waiting', kind: 'one', of: 'ping', contexts: ['PINGS'] },
  groupType: { label: 'Facility Category', kind: 'one', of: 'visit' },
  lengthOfStay: { label: 'Length of Stay', kind: 'range', of: 'visit', column: 'stayDays', unit: 'days' },
  expectedStay: { label: 'Expected Stay', kind: 'one', of: 'visit' },
  dischargedDaysAgo: {
    label: 'Days since Discharge',
    kind: 'range',
    of: 'visit',
    column: 'dischargedDay',
    unit: 'days',
  },
});
export type Facet = keyof typeof FACETS;
export const FACET_NAMES = Object.keys(FACETS) as [Facet, ...Facet[]];
/** The definition with its optional parts, for code that goes over all facets. */
export const facetDefinition = (facet: Facet): FacetDefinition => FACETS[facet];

/** Names of the facets that are declared like this, such as `{ of: 'visit'; kind: 'one' }`. */
export type FacetWith<D extends Partial<FacetDefinition>> = {
  [F in Facet]: (typeof FACETS)[F] extends D ? F : never;
}[Facet];
export const facetsWith = <const D extends Pick<FacetDefinition, 'of' | 'kind'>>(wanted: D): FacetWith<D>[] =>
  FACET_NAMES.filter((facet) => FACETS[facet].of === wanted.of && FACETS[facet].kind === wanted.kind) as FacetWith<D>[];

/** Facets with values that are counted, as opposed to ranges. */
export const TERM_FACETS = FACET_NAMES.filter(
  (name) => FACETS[name].kind === 'one' || FACETS[name].kind === 'many',
) as [Facet, ...Facet[]];

/** Whether the rows of a list have the facet. */
export const hasFacet = (context: SearchContext, facet: Facet): boolean =>
  facetDefinition(facet).contexts?.includes(context) ?? true;

/**
 * Units of a range of days, by the `field` of the filter value: both ends as YYYY-MM-DD, or as a number of days before today
 * (weekdays: Saturdays and Sundays are not counted). '0:7' is the last seven days and today.
 */
export const DATE_FIELDS = { eventDate: 'dates', eventDaysAgo: 'days ago', eventWeekdaysAgo: 'weekdays ago' } as const;
export type DateField = keyof typeof DATE_FIELDS;
