/**
 * The facets. One table, from which the server makes its columns, the client its panel (`filter-groups.ts`), and both the check of what a
 * person may filter by.
 */
import type { Permission } from './permissions.ts';

/** Rows of ALL are persons, of PINGS persons and encounters with pings, of EVENTS events (decisions, "Rows"). */
export const SEARCH_CONTEXTS = ['ALL', 'EVENTS', 'PINGS'] as const;
export type SearchContext = (typeof SEARCH_CONTEXTS)[number];

export interface FacetDefinition {
  /** What the facet is called where its group holds several, and in a chip. */
  label: string;
  /**
   * 'one' and 'many': how many values a row has. 'range': a whole number between two ends. 'date': a range of days, in one of the units of
   * `DATE_FIELDS`.
   */
  kind: 'one' | 'many' | 'range' | 'date';
  /** Of a range. */
  unit?: 'days' | 'years';
  /** Without it the group is not offered, its counts are not answered, and a filter on it is refused. */
  permission?: Permission;
  /** Contexts whose rows have it; all of them unless said. */
  contexts?: readonly SearchContext[];
}

const of = <T extends Record<string, FacetDefinition>>(facets: T): T => facets;

export const FACETS = of({
  careGaps: { label: 'Open Care Gaps', kind: 'many', permission: 'canViewCareGapsWorklistAlpha' },
  covid19: { label: 'Covid-19', kind: 'one', permission: 'canViewCovid19Status' },
  currentStatus: { label: 'Current Status', kind: 'one' },
  hhaServices: { label: 'Ongoing HHA Services', kind: 'one', permission: 'canFilterActiveHHAServices' },
  facilityName: { label: 'Facility Name', kind: 'one' },
  facilityState: { label: 'Facility State', kind: 'one' },
  facilityType: { label: 'Facility Type', kind: 'one' },
  setting: { label: 'Setting', kind: 'one' },
  floorUnit: { label: 'Current Floor / Unit', kind: 'one' },
  diagnoses: { label: 'Diagnoses', kind: 'many' },
  priorDiagnoses: { label: 'Prior Diagnoses', kind: 'many' },
  admittedFrom: { label: 'Admitted From', kind: 'one' },
  dischargedTo: { label: 'Discharged To', kind: 'one' },
  currentlyBilling: { label: 'Currently Billing', kind: 'many' },
  eventDate: { label: 'Event Date', kind: 'date' },
  visitDuration: { label: 'Visit Duration', kind: 'range', unit: 'days' },
  hospitalUse: { label: 'Hospital Use', kind: 'one' },
  encounterTags: { label: 'Encounter Tags', kind: 'many' },
  skilledNursing30Day: { label: '30-Day Skilled Nursing', kind: 'one' },
  dischargeSummary: { label: 'Discharge Summary', kind: 'one', permission: 'canViewDischargeSummaries' },
  readmissionRisk: { label: 'Readmission Risk', kind: 'one' },
  recentInpatientStay: { label: 'Recent Inpatient Stay', kind: 'one' },
  advanceCareDocuments: { label: 'Advance Care Documents', kind: 'many' },
  risingRisk: { label: 'Rising Risk', kind: 'many', permission: 'canViewRisingRiskFlag' },
  storyInformation: { label: 'Patient Story Information', kind: 'many' },
  latestPingResolutionReason: { label: 'Latest Ping Resolution Reason', kind: 'many' },
  program: { label: 'Program', kind: 'many' },
  activeTags: { label: 'Active Tags', kind: 'many', permission: 'canViewPatientTags' },
  practice: { label: 'Practice', kind: 'many' },
  provider: { label: 'Provider', kind: 'many' },
  careCoordinator: { label: 'Care Coordinator', kind: 'many' },
  gender: { label: 'Gender', kind: 'one' },
  age: { label: 'Age', kind: 'range', unit: 'years' },
  city: { label: 'City', kind: 'one', permission: 'canViewAllPatientDetails' },
  zipCode: { label: 'Zip Code', kind: 'one', permission: 'canViewAllPatientDetails' },
  // Not groups of the panel: the lists of pings, the length-of-stay page and the fixed filters set them.
  managementStatus: { label: 'Status', kind: 'one', contexts: ['PINGS', 'EVENTS'] },
  groupType: { label: 'Facility Kind', kind: 'one' },
  lengthOfStay: { label: 'Length of Stay', kind: 'range', unit: 'days' },
  expectedStay: { label: 'Expected Stay', kind: 'one' },
  dischargedDaysAgo: { label: 'Days since Discharge', kind: 'range', unit: 'days' },
});
export type Facet = keyof typeof FACETS;
export const FACET_NAMES = Object.keys(FACETS) as [Facet, ...Facet[]];
/** The definition with its optional parts, for code that goes over all of them. */
export const facetDefinition = (facet: Facet): FacetDefinition => FACETS[facet];
export const TERM_FACETS = FACET_NAMES.filter(
  (name) => FACETS[name].kind === 'one' || FACETS[name].kind === 'many',
) as [Facet, ...Facet[]];

/**
 * Units of a range of days, by the `field` of the filter value: both ends as YYYY-MM-DD, or as a number of days before today
 * (weekdays: Saturdays and Sundays are not counted), where '0:7' is the last seven days and today.
 */
export const DATE_FIELDS = { eventDate: 'dates', eventDaysAgo: 'days ago', eventWeekdaysAgo: 'weekdays ago' } as const;
export type DateField = keyof typeof DATE_FIELDS;
