import { RowsSelect } from '../filters/rows-select.tsx';
import type { ListFilters } from '../filters/use-filters.ts';
import { Pager } from '../ui/pager.tsx';
import classes from './patients.module.css';

/** Which rows of how many are shown, how many a page has, and the other pages. */
export const ListFoot = ({ filters, total, pages }: { filters: ListFilters; total: number; pages: number }) => {
  const { criteria, page, patch } = filters;
  const first = (page - 1) * criteria.size + 1;
  const last = Math.min(first + criteria.size - 1, total);
  return (
    <div className={classes.foot}>
      <span>
        {first.toLocaleString('en-US')}–{last.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
      </span>
      <span className={classes.size}>
        Rows
        <RowsSelect filters={filters} />
      </span>
      <Pager page={page} pages={pages} go={(p) => patch({ p: p > 1 ? p : undefined })} />
    </div>
  );
};
