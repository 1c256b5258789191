import { valueLabel as labelOfValue } from '#contract/facet-labels.ts';
import { DATE_FIELDS, FACETS, type Facet, facetDefinition } from '#contract/facets.ts';
import { readRange } from '#contract/ranges.ts';
import type { FilterValue } from '#contract/search.ts';
import { onForget } from '../ui/forget.ts';
import { formatDate } from '../ui/format/date.ts';

/** Labels that the server sent for values such as diagnosis codes. Chips need them while the panel is closed. */
const sentLabels = new Map<string, string>();
onForget(() => sentLabels.clear());
/** Keeps the label that the server sent for a value. */
export const rememberLabel = (facet: Facet, value: string, label: string): void => {
  if (label !== value) sentLabels.set(`${facet} ${value}`, label);
};

/** Returns a value of a facet in words. */
export const valueLabel = (facet: Facet, value: string): string =>
  sentLabels.get(`${facet} ${value}`) ?? labelOfValue(facet, value);

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
