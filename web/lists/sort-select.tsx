import type { SortKey } from '#contract/sorts.ts';
import { withSort } from '../filters/criteria.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { Select } from '../ui/select.tsx';
import { readSort, sortChoices } from './sort-choices.ts';

/** "Sort by": both orders of each key, and relevance while a text is searched. */
export const SortSelect = ({ filters, keys }: { filters: ListFilters; keys: readonly SortKey[] }) => {
  const { criteria, change } = filters;
  return (
    <Select
      aria-label="Sort by"
      value={`${criteria.sort} ${criteria.order}`}
      onChange={({ currentTarget }) => {
        const { sort, order } = readSort(currentTarget.value);
        change({ ...withSort(criteria, sort), order });
      }}
      data={sortChoices(criteria.text ? ['RELEVANCE', ...keys] : keys)}
    />
  );
};
