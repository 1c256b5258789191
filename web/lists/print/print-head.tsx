import { useEffect } from 'react';
import type { ListFilters } from '../../filters/use-filters.ts';
import { useSession } from '../../session/session.ts';
import { formatDateTime, formatTime } from '../../ui/format/date.ts';
import { counted } from '../../ui/use-announced.ts';
import { useNow } from '../../ui/use-now.ts';
import { track } from '../../usage/track-later.ts';
import { sortWords } from '../sorts.ts';
import { filtersInWords } from './filters-in-words.ts';
import classes from './print.module.css';

interface Props {
  /** What is printed: "Patients", "Pings: Unresolved". */
  title: string;
  /** Of a row: "patient", "patients". */
  one: string;
  many: string;
  filters: ListFilters;
  /** Rows on the page that is printed. */
  rows: number;
  /** Rows of the list as it is filtered, and without filters; null while unknown. */
  total: number;
  all: number | null;
  /** When the list was read, in epoch milliseconds. */
  asOf: number;
}

/** What stands above a printed list (ux.md, 3.7): what it is, how many of how many, the filters in words. Not on the screen. */
export const PrintHead = ({ title, one, many, filters, rows, total, all, asOf }: Props) => {
  const { team } = useSession();
  const { criteria, page, search } = filters;
  const words = filtersInWords(filters, search.group && team.groups[search.group]?.name);
  const first = (page - 1) * criteria.size + 1;
  useEffect(() => {
    const printed = (): void => track('list-printed', { params: { rows, total } });
    window.addEventListener('beforeprint', printed);
    return () => window.removeEventListener('beforeprint', printed);
  }, [rows, total]);
  return (
    <section hidden className={classes.head}>
      <h1 className={classes.title}>
        {title} · {team.name}
      </h1>
      <dl className={classes.facts}>
        <dt>Shown</dt>
        <dd>
          {rows > 0 && `${first}–${first + rows - 1} of `}
          {counted(total, one, many)}
          {all !== null && ` · ${total.toLocaleString('en-US')} of ${Math.max(all, total).toLocaleString('en-US')}`}
        </dd>
        <dt>Filters</dt>
        <dd>{words.join('; ') || 'None'}</dd>
        <dt>Sorted by</dt>
        <dd>{sortWords(criteria.sort, criteria.order)}</dd>
        <dt>As of</dt>
        <dd>{formatTime(new Date(asOf).toISOString())}</dd>
      </dl>
    </section>
  );
};

const useNotice = (): string => {
  const { user } = useSession();
  const now = useNow();
  return `Confidential: contains patient information (PHI). Printed ${formatDateTime(now.toISOString())} by ${user.firstName.slice(0, 1)}. ${user.lastName}.`;
};

/** The privacy notice as a row of a table's head, which is repeated on each printed page. */
export const PrintNoticeRow = ({ columns }: { columns: number }) => (
  <tr hidden className={classes.notice}>
    <th colSpan={columns} className={classes.words}>
      {useNotice()}
    </th>
  </tr>
);

/** The same for a list that is no table; it stands first in an element that is laid out as one when it is printed. */
export const PrintNotice = () => (
  <div hidden className={classes.noticeLine}>
    <div className={classes.words}>{useNotice()}</div>
  </div>
);
