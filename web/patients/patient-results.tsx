import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Patient } from '#contract/patients.ts';
import { ApiError } from '../api/error.ts';
import { isSubset, type ListFilters } from '../filters/use-filters.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { ListState } from '../lists/list-state.tsx';
import { NobodyListed } from '../lists/nobody-listed.tsx';
import { NothingMatches } from '../lists/nothing-matches.tsx';
import { PrintHead } from '../lists/print/print-head.tsx';
import { useLastPage } from '../lists/use-last-page.ts';
import { asOfNow } from '../patient/stay.ts';
import { useSimilarNames } from '../patient/use-similar-names.ts';
import { IconUsers } from '../ui/icons.ts';
import { Empty, Failed, NoPermission, RowsLoading } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import type { Column } from './columns.tsx';
import type { SearchResults } from './patient-queries.ts';
import { PatientTable } from './patient-table.tsx';
import classes from './patients.module.css';
import type { useLiveResults } from './use-live-results.ts';

const NO_PATIENTS: readonly never[] = [];

interface Props {
  /** The title of a print-out. */
  title: string;
  /** How many patients there are without filters; null while unknown. */
  unfiltered: number | null;
  page: UseQueryResult<SearchResults>;
  /** All rows of the list while they are printed, instead of those of the page. */
  printed: readonly Patient[] | null;
  filters: ListFilters;
  live: ReturnType<typeof useLiveResults>;
  columns: readonly Column[];
  /** Shown where none of the team's patients is on this list. Without it, the list has all of them. */
  empty: { title: string; words: string } | undefined;
  /** The base path of the experience, whose patient pages the rows open. */
  base: string;
  /** Returns the heading that a row belongs under; undefined where rows are not grouped. */
  groupOf?: ((patient: Patient) => string) | undefined;
  aboveRows?: ReactNode;
}

/** Why there is no patient: the team has none, none passes the filters, or none is on this list. */
const NoRows = ({ filters, empty, unfiltered }: Pick<Props, 'filters' | 'empty' | 'unfiltered'>) => {
  if (unfiltered === 0) return <NobodyListed />;
  if (isSubset(filters)) return <NothingMatches what="patients" filters={filters} />;
  if (!empty) return <NobodyListed />;
  return (
    <Empty icon={<IconUsers size={24} stroke={1.75} aria-hidden />} title={empty.title}>
      {empty.words}
    </Empty>
  );
};

/** A page of patients in every state: loading, failed, no patients at all, no match, and rows. */
export const PatientResultsView = ({
  title,
  unfiltered,
  page,
  printed,
  filters,
  live,
  columns,
  empty,
  base,
  groupOf,
  aboveRows,
}: Props) => {
  const now = useNow();
  useLastPage(page, filters);
  const { data, error, dataUpdatedAt, refetch } = page;
  const similar = useSimilarNames(printed ?? data?.patients ?? NO_PATIENTS, dataUpdatedAt);
  const retry = (): void => void refetch();
  if (!data) {
    if (error instanceof ApiError && error.status === 403) return <NoPermission what="patients" />;
    if (error) return <Failed what="Couldn't load patients." error={error} retry={retry} />;
    return <RowsLoading rows={8} height={56} retry={retry} />;
  }
  const { total, numPages, isCounting } = data;
  const patients = printed ?? data.patients;
  const rows = asOfNow(patients, dataUpdatedAt, now);
  // A chart above the rows leaves less room for them.
  const dense = aboveRows !== undefined;
  const isFilled = ({ cell }: Column): boolean => !dense || rows.some((patient) => cell(patient, now) !== null);
  return (
    <>
      <div className={classes.results}>
        <ListState page={page} isCounting={isCounting} news={live.changed ? 'List updated' : null} show={live.show} />
        <PrintHead
          title={title}
          one="patient"
          many="patients"
          filters={filters}
          shown={patients}
          total={total}
          all={unfiltered}
          whole={printed !== null}
          asOf={dataUpdatedAt}
        />
        {aboveRows}
        {patients.length > 0 && (
          <PatientTable
            label="Patients"
            patients={rows}
            groupOf={groupOf}
            columns={columns.filter(isFilled)}
            empty={columns.filter((column) => !isFilled(column)).map(({ label }) => label)}
            dense={dense}
            similar={similar}
            now={now}
            hrefOf={({ id }) => `${base}/patients/${id}`}
          />
        )}
        {total === 0 && !isCounting && <NoRows filters={filters} empty={empty} unfiltered={unfiltered} />}
        {/* `useLastPage` is loading another page, or the server the list. */}
        {patients.length === 0 && (total > 0 || isCounting) && <RowsLoading rows={8} height={56} retry={retry} />}
      </div>
      {patients.length > 0 && (
        <ListFoot
          filters={filters}
          rows={data.patients.length}
          total={total}
          isCounting={isCounting}
          pages={numPages}
          isLoading={page.isPlaceholderData}
        />
      )}
    </>
  );
};
