import { EVENT_LABELS, SETTING_LABELS } from '#contract/event-codes.ts';
import { DATE_FIELDS, FACETS, type Facet, facetDefinition } from '#contract/facets.ts';
import { FLAG_LABELS } from '#contract/filter-groups.ts';
import { FACILITY_TYPE_LABELS, GROUP_TYPE_LABELS } from '#contract/groups.ts';
import { RESOLUTION_LABELS } from '#contract/management-status.ts';
import { readRange } from '#contract/ranges.ts';
import type { FilterValue } from '#contract/search.ts';
import { formatDate } from '../ui/format/date.ts';

const CODES: Partial<Record<Facet, Readonly<Record<string, string>>>> = {
  ...FLAG_LABELS,
  currentStatus: EVENT_LABELS,
  setting: SETTING_LABELS,
  latestPingResolutionReason: RESOLUTION_LABELS,
  facilityType: FACILITY_TYPE_LABELS,
  groupType: GROUP_TYPE_LABELS,
};

/** Labels that the server sent for values, for chips that are shown while no panel has loaded them. */
const labels = new Map<string, string>();
/** Remembers the label that the server uses for a value. */
export const rememberLabel = (facet: Facet, value: string, label: string): void => {
  if (label !== value) labels.set(`${facet} ${value}`, label);
};

/** Returns a value of a facet in words. */
export const valueLabel = (facet: Facet, value: string): string =>
  labels.get(`${facet} ${value}`) ?? CODES[facet]?.[value] ?? value;

const counted = (count: string, unit: string): string => `${count} ${count === '1' ? unit.replace(/s\b/, '') : unit}`;

/** Returns a range in words: "0 to 7 days ago", "65 years or more", "11/01/2026 to 11/21/2026". */
const rangeWords = (facet: Facet, filter: Pick<FilterValue, 'field' | 'value'>): string => {
  const ends = readRange(facet, filter);
  if (!ends) return filter.value;
  const { begin, end } = ends;
  if (filter.field === 'eventDate') {
    if (begin && end) return begin === end ? formatDate(begin) : `${formatDate(begin)} to ${formatDate(end)}`;
    return begin ? `from ${formatDate(begin)}` : `until ${formatDate(end ?? '')}`;
  }
  const unit =
    filter.field in DATE_FIELDS
      ? DATE_FIELDS[filter.field as keyof typeof DATE_FIELDS]
      : (facetDefinition(facet).unit ?? '');
  if (begin !== null && end !== null) return begin === end ? counted(begin, unit) : `${begin} to ${counted(end, unit)}`;
  return begin !== null ? `${counted(begin, unit)} or more` : `${counted(end ?? '', unit)} or fewer`;
};

/** Returns whether a facet is filtered by a range rather than by values. */
export const isRange = (facet: Facet): boolean => FACETS[facet].kind === 'range' || FACETS[facet].kind === 'date';

/** Returns one chosen value in words. */
const filterWords = (facet: Facet, filter: FilterValue): string =>
  isRange(facet) ? rangeWords(facet, filter) : valueLabel(facet, filter.value);

/** Returns what is chosen of a facet: "Admitted, Presented +1", "not Discharged", or both: "Admitted; not Discharged". */
export const summaryOf = (facet: Facet, values: readonly FilterValue[], most = 2): string => {
  const words = (chosen: readonly FilterValue[]): string => {
    const shown = chosen.slice(0, most).map((one) => filterWords(facet, one));
    return shown.join(', ') + (chosen.length > most ? ` +${chosen.length - most}` : '');
  };
  const [any, none] = [false, true].map((negated) => words(values.filter((one) => one.negated === negated)));
  return [any, none && `not ${none}`].filter(Boolean).join('; ');
};
