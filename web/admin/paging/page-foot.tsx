import { Pager } from '../../ui/pager.tsx';
import { Select } from '../../ui/select.tsx';
import classes from '../admin.module.css';
import { ROWS } from './paged-search.ts';
import type { Paging } from './use-paging.ts';

interface Props {
  paging: Pick<Paging, 'page' | 'rows' | 'go' | 'resize'>;
  /** Rows on all pages. */
  total: number;
}

/** Which rows are shown, how many a page has, and the pager. Renders nothing while all fit on the smallest page. */
export const PageFoot = ({ paging: { page, rows, go, resize }, total }: Props) => {
  if (total <= ROWS[0]) return null;
  const first = Math.min((page - 1) * rows + 1, total);
  return (
    <div className={classes.foot}>
      <span className="tabular">
        {first.toLocaleString('en-US')}–{Math.min(page * rows, total).toLocaleString('en-US')} of{' '}
        {total.toLocaleString('en-US')}
      </span>
      <span className={classes.rows}>
        Rows
        <Select
          aria-label="Rows per page"
          value={String(rows)}
          onChange={({ currentTarget }) => resize(Number(currentTarget.value))}
          data={ROWS.map((each) => ({ value: String(each), label: String(each) }))}
        />
      </span>
      <Pager page={page} pages={Math.ceil(total / rows)} go={go} />
    </div>
  );
};
