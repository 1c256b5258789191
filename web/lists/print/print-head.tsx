import { useEffect } from 'react';
import { counted } from '#contract/counted.ts';
import type { Patient } from '#contract/patients.ts';
import type { ListFilters } from '../../filters/use-filters.ts';
import { usePrivacyNotice } from '../../patient/privacy-notice.ts';
import { useRecordedPrint } from '../../patient/record-print.ts';
import { useSession } from '../../session/session.ts';
import { formatTime } from '../../ui/format/date.ts';
import { useNow } from '../../ui/use-now.ts';
import { track } from '../../usage/track-later.ts';
import { sortWords } from '../sort-choices.ts';
import { filtersInWords } from './filters-in-words.ts';
import classes from './print.module.css';

interface Props {
  /** The title of the print-out: "Patients", "Pings: Unresolved". */
  title: string;
  /** What a row is: "patient", "patients". */
  one: string;
  many: string;
  filters: ListFilters;
  /** Who is on the printed page. */
  shown: readonly Patient[];
  /** Rows of the filtered list, and of the list without filters; null while unknown. */
  total: number;
  all: number | null;
  /** Whether the rows are the list from its first row on, not the page that was on the screen. */
  whole?: boolean;
  /** When the list was loaded, in epoch milliseconds. */
  asOf: number;
}

/** The head of a printed list: what it is, how many of how many rows, the filters in words, the order. Hidden on the screen. */
export const PrintHead = ({ title, one, many, filters, shown, total, all, whole = false, asOf }: Props) => {
  const { team } = useSession();
  const { criteria, page, search } = filters;
  const words = filtersInWords(filters, search.group && team.groups[search.group]?.name);
  const rows = shown.length;
  // Renders the time again for paper.
  useNow();
  const first = whole ? 1 : (page - 1) * criteria.size + 1;
  useRecordedPrint(shown.map(({ id }) => id));
  useEffect(() => {
    const trackPrint = (): void => track('list-printed', { params: { rows, total } });
    window.addEventListener('beforeprint', trackPrint);
    return () => window.removeEventListener('beforeprint', trackPrint);
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
        <dt>Updated</dt>
        <dd>{formatTime(new Date(asOf).toISOString())}</dd>
      </dl>
    </section>
  );
};

/** The privacy notice as a row of a table's head, which browsers repeat on each printed page. */
export const PrintNoticeRow = ({ columns }: { columns: number }) => (
  <tr hidden className={classes.notice}>
    <th colSpan={columns} className={classes.words}>
      {usePrivacyNotice()}
    </th>
  </tr>
);

/** The privacy notice for a list that is not a table. Goes first into an element that print styles lay out as a table. */
export const PrintNotice = () => (
  <div hidden className={classes.noticeLine}>
    <div className={classes.words}>{usePrivacyNotice()}</div>
  </div>
);
