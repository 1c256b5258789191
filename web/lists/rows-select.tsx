import { PAGE_SIZES } from '#contract/sorts.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { Select } from '../ui/select.tsx';

/** Chooses how many rows a page has. Another size starts at the first page. */
export const RowsSelect = ({ filters: { criteria, change } }: { filters: ListFilters }) => (
  <Select
    aria-label="Rows per page"
    value={String(criteria.size)}
    onChange={({ currentTarget }) => change({ ...criteria, size: Number(currentTarget.value) })}
    data={[...new Set([...PAGE_SIZES, criteria.size])]
      .sort((a, b) => a - b)
      .map((size) => ({ value: String(size), label: String(size) }))}
  />
);
