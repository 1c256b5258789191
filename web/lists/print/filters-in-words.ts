import { FACETS, type Facet } from '#contract/facets.ts';
import { FIXED_FILTERS } from '#contract/saved-filter-words.ts';
import { leftOut, summaryOf } from '../../filters/filter-words.ts';
import type { ListFilters } from '../../filters/use-filters.ts';
import { formatDate } from '../../ui/format/date.ts';

/** All that restricts a list, in words; none where nothing does. `group`: the name of the one that is looked at. */
export const filtersInWords = ({ saved, criteria }: ListFilters, group: string | undefined): string[] => {
  const { view, filters, openPatientsOnly, text, dateOfBirth, ignored } = criteria;
  return [
    saved && `Saved filter “${saved.name}”`,
    view !== null && view !== 'ALL_PATIENTS' && FIXED_FILTERS[view].label,
    group && `Group: ${group}`,
    text && `Name or identifier: ${text}`,
    dateOfBirth && `Born: ${formatDate(dateOfBirth)}`,
    openPatientsOnly && 'Open patients only',
    ...Object.entries(filters).map(
      ([facet, values]) => `${FACETS[facet as Facet].label}: ${summaryOf(facet as Facet, values, values.length)}`,
    ),
    ignored.length > 0 && leftOut(ignored.length),
  ].filter((words) => typeof words === 'string' && words !== '') as string[];
};
