import { PAGE_SIZES } from '#contract/sorts.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { Pager } from '../ui/pager.tsx';
import { Select } from '../ui/select.tsx';
import classes from './patients.module.css';

/** Which rows of how many are shown, how many a page has, and the other pages. */
export const ListFoot = ({ filters, total, pages }: { filters: ListFilters; total: number; pages: number }) => {
  const { criteria, page, change, patch } = filters;
  const first = (page - 1) * criteria.size + 1;
  const last = Math.min(first + criteria.size - 1, total);
  const sizes = [...new Set([...PAGE_SIZES, criteria.size])].sort((a, b) => a - b);
  return (
    <div className={classes.foot}>
      <span>
        {first.toLocaleString('en-US')}–{last.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
      </span>
      <span className={classes.size}>
        Rows
        <Select
          aria-label="Rows on a page"
          value={String(criteria.size)}
          onChange={({ currentTarget }) => change({ ...criteria, size: Number(currentTarget.value) })}
          data={sizes.map((size) => ({ value: String(size), label: String(size) }))}
        />
      </span>
      <Pager page={page} pages={pages} go={(p) => patch({ p: p > 1 ? p : undefined })} />
    </div>
  );
};
