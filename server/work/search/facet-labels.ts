/** Values of facets in words, and which values a facet of codes has. */
import { EVENT_LABELS, SETTING_LABELS } from '#contract/event-codes.ts';
import type { Facet } from '#contract/facets.ts';
import { FILTER_GROUPS, FLAG_LABELS } from '#contract/filter-groups.ts';
import { FACILITY_TYPE_LABELS, GROUP_TYPE_LABELS } from '#contract/groups.ts';
import { MANAGEMENT_STATUS_LABELS, RESOLUTION_LABELS } from '#contract/management-status.ts';

const LABELS: Partial<Record<Facet, Readonly<Record<string, string>>>> = {
  ...FLAG_LABELS,
  currentStatus: EVENT_LABELS,
  setting: SETTING_LABELS,
  managementStatus: MANAGEMENT_STATUS_LABELS,
  latestPingResolutionReason: RESOLUTION_LABELS,
  facilityType: FACILITY_TYPE_LABELS,
  groupType: GROUP_TYPE_LABELS,
};

/** `descriptions`: what codes of diagnoses mean. */
export function labelOf(facet: Facet, value: string, descriptions: Readonly<Record<string, string>>): string {
  const labels = LABELS[facet];
  if (labels) return Object.hasOwn(labels, value) ? (labels[value] as string) : value;
  const description = Object.hasOwn(descriptions, value) ? descriptions[value] : undefined;
  return description === undefined || description === value ? value : `${value} ${description}`;
}

/** Whether the value can be one of the facet; of a facet whose values are not a closed list, any can. */
export const isKnownValue = (facet: Facet, value: string): boolean => {
  const labels = LABELS[facet];
  return labels === undefined || Object.hasOwn(labels, value);
};

export const isDiagnosis = (facet: Facet): boolean => facet === 'diagnoses' || facet === 'priorDiagnoses';

const TYPEAHEAD_FACETS = new Set<Facet>(FILTER_GROUPS.flatMap(({ typeahead, facets }) => (typeahead ? facets : [])));
export const hasTypeahead = (facet: Facet): boolean => TYPEAHEAD_FACETS.has(facet);
