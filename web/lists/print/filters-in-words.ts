import type { Facet } from '#contract/facets.ts';
import { FIXED_FILTERS } from '#contract/saved-filter-words.ts';
import { CURRENT_STAYS_ONLY, facetInWords, hiddenPatients } from '../../filters/criteria-words.ts';
import type { ListFilters } from '../../filters/use-filters.ts';
import { formatDate } from '../../ui/format/date.ts';
import { ownerWords, WAITING_WORDS, type WorkFilters } from '../work-filters.ts';

/** Returns everything that restricts a list, in words. `group`: the name of the group that it is limited to. */
export const filtersInWords = ({ saved, criteria, search }: ListFilters, group: string | undefined): string[] => {
  // Of the inbox; other lists have none.
  const { owner, waiting } = search as WorkFilters;
  const { view, filters, openPatientsOnly, text, dateOfBirth, ignored } = criteria;
  return [
    saved && `Saved filter “${saved.name}”`,
    view !== null && view !== 'ALL_PATIENTS' && FIXED_FILTERS[view].label,
    group && `Group: ${group}`,
    text && `Name or identifier: ${text}`,
    dateOfBirth && `Born: ${formatDate(dateOfBirth)}`,
    openPatientsOnly && CURRENT_STAYS_ONLY,
    owner && ownerWords(owner),
    waiting && WAITING_WORDS[waiting],
    ...Object.entries(filters).map(([facet, values]) => facetInWords(facet as Facet, values, values.length)),
    ignored.length > 0 && hiddenPatients(ignored.length),
  ].filter((words) => typeof words === 'string' && words !== '') as string[];
};
