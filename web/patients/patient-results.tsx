import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Patient } from '#contract/patients.ts';
import { ApiError } from '../api/error.ts';
import { isSubset, type ListFilters } from '../filters/use-filters.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { ListState } from '../lists/list-state.tsx';
import { NothingMatches } from '../lists/nothing-matches.tsx';
import { PrintHead } from '../lists/print/print-head.tsx';
import { useLastPage } from '../lists/use-last-page.ts';
import { useSimilarNames } from '../patient/similar-names.ts';
import { asOfNow } from '../patient/stay.ts';
import { IconUsers } from '../ui/icons.ts';
import { Empty, Failed, NoPermission, RowsLoading } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import type { Column } from './columns.tsx';
import type { SearchResults } from './patient-queries.ts';
import { PatientTable } from './patient-table.tsx';
import classes from './patients.module.css';
import type { useLiveResults } from './use-live-results.ts';

const NOBODY: readonly never[] = [];

interface Props {
  /** In lower case, in the plural. */
  what: string;
  /** Of what is printed. */
  title: string;
  /** How many there are without filters; null while unknown. */
  unfiltered: number | null;
  page: UseQueryResult<SearchResults>;
  filters: ListFilters;
  live: ReturnType<typeof useLiveResults>;
  columns: readonly Column[];
  /** What is said where there is nobody at all. */
  nobody: { title: string; words: string };
  /** Of the experience, whose pages of patients the rows lead to. */
  base: string;
  /** What a row stands under; undefined: the rows are not grouped. */
  groupOf?: ((patient: Patient) => string) | undefined;
  /** Stands above the rows. */
  above?: ReactNode;
}

/** A page of patients in every state: loading, failed, empty in its two ways, and as rows (ux.md, 4.0). */
export const PatientResultsView = ({
  what,
  title,
  unfiltered,
  page,
  filters,
  live,
  columns,
  nobody,
  base,
  groupOf,
  above,
}: Props) => {
  const now = useNow();
  useLastPage(page, filters);
  const { data, error, dataUpdatedAt, refetch } = page;
  const similar = useSimilarNames(data?.patients ?? NOBODY, dataUpdatedAt);
  const retry = (): void => void refetch();
  if (!data) {
    if (error instanceof ApiError && error.status === 403) return <NoPermission what={what} />;
    if (error) return <Failed what={`The ${what} could not be loaded.`} error={error} retry={retry} />;
    return <RowsLoading rows={8} height={56} retry={retry} />;
  }
  const { patients, total, numPages } = data;
  return (
    <>
      <div className={classes.results}>
        <ListState page={page} changed={live.changed ? 'The result has changed' : null} show={live.show} />
        <PrintHead
          title={title}
          one="patient"
          many="patients"
          filters={filters}
          rows={patients.length}
          total={total}
          all={unfiltered}
          asOf={dataUpdatedAt}
        />
        {above}
        {patients.length > 0 && (
          <PatientTable
            label={what.slice(0, 1).toLocaleUpperCase('en-US') + what.slice(1)}
            patients={asOfNow(patients, dataUpdatedAt, now)}
            groupOf={groupOf}
            columns={columns}
            similar={similar}
            now={now}
            hrefOf={({ id }) => `${base}/patients/${id}`}
          />
        )}
        {total === 0 && isSubset(filters) && <NothingMatches what={what} filters={filters} />}
        {total === 0 && !isSubset(filters) && (
          <Empty icon={<IconUsers size={24} stroke={1.75} aria-hidden />} title={nobody.title}>
            {nobody.words}
          </Empty>
        )}
        {/* Another page is on its way (`useLastPage`). */}
        {patients.length === 0 && total > 0 && <RowsLoading rows={8} height={56} retry={retry} />}
      </div>
      {patients.length > 0 && <ListFoot filters={filters} rows={patients.length} total={total} pages={numPages} />}
    </>
  );
};
