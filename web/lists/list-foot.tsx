import type { ListFilters } from '../filters/use-filters.ts';
import { Pager } from '../ui/pager.tsx';
import classes from './list-foot.module.css';
import { RowsSelect } from './rows-select.tsx';

interface Props {
  filters: ListFilters;
  /** Rows on this page. */
  rows: number;
  total: number;
  /** Whether the list is still being loaded. */
  isCounting?: boolean | undefined;
  pages: number;
  /** Whether the rows are those of another page, while this one is loaded. */
  isLoading: boolean;
}

/** The range of rows shown, the page size, and the pager. */
export const ListFoot = ({ filters, rows, total, isCounting, pages, isLoading }: Props) => {
  const { criteria, page, patch } = filters;
  const first = (page - 1) * criteria.size + 1;
  const last = first + rows - 1;
  return (
    <div className={classes.foot}>
      <span>
        {isLoading
          ? 'Loading…'
          : `${first.toLocaleString('en-US')}–${last.toLocaleString('en-US')} of ${Math.max(total, last).toLocaleString('en-US')}${isCounting ? ' so far' : ''}`}
      </span>
      <span className={classes.size}>
        Rows
        <RowsSelect filters={filters} />
      </span>
      <Pager page={page} pages={pages} go={(p) => patch({ p: p > 1 ? p : undefined, sel: undefined })} />
    </div>
  );
};
