/** Words for the values of facets. Free of schemas, because the browser loads it with every list. */
import { EVENT_LABELS, SETTING_LABELS } from './event-codes.ts';
import type { Facet } from './facets.ts';
import { FACILITY_TYPE_LABELS, GROUP_TYPE_LABELS } from './groups.ts';
import { MANAGEMENT_STATUS_LABELS, RESOLUTION_LABELS } from './management-status.ts';

const RISKS = {
  RISING: 'Rising risk',
  MULTI_VISIT: 'Multi-visit patient',
  READMISSION: 'Readmitted in the last 60 days',
} as const;

/** The flags and comparisons that the search computes. */
export const FLAG_LABELS = {
  hospitalUse: { VALID: 'High ED use', EXPIRED: 'High ED use, expired' },
  skilledNursing30Day: { YES: 'Skilled nursing stay in the last 30 days' },
  dischargeSummary: { YES: 'Discharge summary available' },
  readmissionRisk: { YES: 'Readmission risk' },
  recentInpatientStay: { YES: 'Recent inpatient stay' },
  risingRisk: RISKS,
  covid19: { ACTIVE: 'COVID-19: current visit, or ended in the last 14 days', EXPIRED: 'COVID-19: earlier visit' },
  hhaServices: { ONGOING: 'Receives home health services' },
  encounterTags: { MENTIONS_COVID_19: 'Mentions COVID-19' },
  waiting: { WAITING: 'Waiting' },
  expectedStay: { OVER: 'Over expected', WITHIN: 'Within expected', NO_BENCHMARK: 'No expected stay' },
  dueWork: { OVERDUE: 'Overdue', DUE_TODAY: 'Due today', DUE: 'Due later' },
  needsAction: { YES: 'Needs action' },
  storyInformation: {
    CARE_INSTRUCTIONS: 'Care instructions',
    CARE_PLAN: 'Care plan',
    CCD: 'CCD',
    CARE_TEAM: 'Care team',
  },
} as const;

/** Facets with a closed list of codes as values. For any other facet, the value is its own label. */
const CODE_LABELS: Partial<Record<Facet, Readonly<Record<string, string>>>> = {
  ...FLAG_LABELS,
  riskList: RISKS,
  currentStatus: EVENT_LABELS,
  setting: SETTING_LABELS,
  managementStatus: MANAGEMENT_STATUS_LABELS,
  latestPingResolutionReason: RESOLUTION_LABELS,
  facilityType: FACILITY_TYPE_LABELS,
  groupType: GROUP_TYPE_LABELS,
};

/** Returns the value in words. `description`: what a diagnosis code means. */
export function valueLabel(facet: Facet, value: string, description?: string): string {
  const labels = CODE_LABELS[facet];
  if (labels) return Object.hasOwn(labels, value) ? (labels[value] as string) : value;
  return description === undefined || description === value ? value : `${value} ${description}`;
}

/** Returns false for a value that is not in the facet's closed list; facets without one take any value. */
export const isKnownValue = (facet: Facet, value: string): boolean => {
  const labels = CODE_LABELS[facet];
  return labels === undefined || Object.hasOwn(labels, value);
};
