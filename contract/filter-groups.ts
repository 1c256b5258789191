/**
 * The filter groups of the panel, in the order of the specification (second file, section 2), and the words for values that are codes. Apart from
 * the facets, so that a list without its panel loads neither.
 */
import { FACETS, type Facet } from './facets.ts';

export interface FilterGroup {
  label: string;
  facets: readonly Facet[];
  /** 'always': a field in which a value is looked up. 'on demand': after "Search". */
  typeahead?: 'always' | 'on demand';
  /** Open before anything is selected; any group is open that holds a selected value. */
  isExpanded?: true;
}

const group = (facet: Facet, over: Partial<FilterGroup> = {}): FilterGroup => ({
  label: FACETS[facet].label,
  facets: [facet],
  ...over,
});

export const FILTER_GROUPS: readonly FilterGroup[] = [
  group('careGaps'),
  group('covid19'),
  group('currentStatus', { isExpanded: true }),
  group('hhaServices'),
  group('facilityName', { typeahead: 'always' }),
  group('facilityState'),
  group('facilityType'),
  group('setting'),
  group('floorUnit', { typeahead: 'on demand' }),
  group('diagnoses', { typeahead: 'on demand' }),
  group('priorDiagnoses', { typeahead: 'on demand' }),
  group('admittedFrom'),
  group('dischargedTo'),
  group('currentlyBilling'),
  group('eventDate'),
  group('visitDuration'),
  {
    label: 'Flags',
    facets: [
      'hospitalUse',
      'encounterTags',
      'skilledNursing30Day',
      'dischargeSummary',
      'readmissionRisk',
      'recentInpatientStay',
      'advanceCareDocuments',
      'risingRisk',
    ],
  },
  group('storyInformation'),
  group('latestPingResolutionReason'),
  group('program', { typeahead: 'always' }),
  group('activeTags'),
  group('practice', { typeahead: 'always' }),
  group('provider', { typeahead: 'on demand' }),
  group('careCoordinator', { typeahead: 'on demand' }),
  group('gender'),
  group('age'),
  group('city', { typeahead: 'on demand' }),
  group('zipCode', { typeahead: 'on demand' }),
];

/** Values that are codes, in words; of a facet that is not here the value is the label. */
export const FLAG_LABELS = {
  hospitalUse: { VALID: 'High hospital use', EXPIRED: 'High hospital use, expired' },
  skilledNursing30Day: { YES: 'Skilled nursing stay in the last 30 days' },
  dischargeSummary: { YES: 'Discharge summary available' },
  readmissionRisk: { YES: 'Readmission risk' },
  recentInpatientStay: { YES: 'Recent inpatient stay' },
  risingRisk: { RISING: 'Rising risk', MULTI_VISIT: 'Multi-visit patient', READMISSION: 'Readmission in 60 days' },
  covid19: { ACTIVE: 'Covid-19 mentioned in the last 14 days', EXPIRED: 'Covid-19 mentioned before' },
  hhaServices: { ONGOING: 'Receives home health services' },
  encounterTags: { MENTIONS_COVID_19: 'Mentions Covid-19' },
  expectedStay: { OVER: 'Over expected', WITHIN: 'Within expected', NO_BENCHMARK: 'No benchmark' },
  storyInformation: {
    CARE_INSTRUCTIONS: 'Care instructions',
    CARE_PLAN: 'Care plan',
    CCD: 'CCD',
    CARE_TEAM: 'Care team',
  },
} as const;
